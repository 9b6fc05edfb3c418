"""yt-dlp's dictionaries, read."""

import pytest
from yt_dlp.utils import smuggle_url

from adapters.ytdlp.entries import read_entry
from domain.scan import Entry, SkipReason


def test_a_youtube_entry_is_its_id() -> None:
    entry = read_entry(
        {"_type": "url", "ie_key": "Youtube", "id": "dQw4w9WgXcQ", "url": "https://www.youtube.com/shorts/dQw4w9WgXcQ"}
    )
    assert isinstance(entry, Entry)
    assert (entry.key, entry.id, entry.short) == ("youtube dQw4w9WgXcQ", "dQw4w9WgXcQ", True)
    assert entry.url == "https://www.youtube.com/watch?v=dQw4w9WgXcQ"


def test_a_feeds_entry_without_an_id_is_its_url() -> None:
    entry = read_entry({"_type": "url", "url": "https://x.example/a.mp4", "title": "A"})
    assert isinstance(entry, Entry)
    assert entry.key.startswith("url ")


def test_a_link_to_youtube_within_a_feed_is_that_video() -> None:
    entry = read_entry({"_type": "url", "url": "https://youtu.be/dQw4w9WgXcQ", "title": "A"})
    assert isinstance(entry, Entry)
    assert entry.key == "youtube dQw4w9WgXcQ"


def test_the_smuggled_id_of_a_feeds_entry_counts() -> None:
    url = smuggle_url("https://x.example/a.mp4", {"force_videoid": "episode-9"})
    entry = read_entry({"_type": "url_transparent", "ie_key": "Generic", "url": url, "title": "A"})
    assert isinstance(entry, Entry)
    assert (entry.key, entry.url) == ("generic episode-9", "https://x.example/a.mp4")


@pytest.mark.parametrize(
    ("info", "reason"),
    [
        ({"title": "[Private video]", "url": "https://x"}, SkipReason.PRIVATE),
        ({"title": "[Deleted video]", "url": "https://x"}, SkipReason.DELETED),
        ({"title": "A", "availability": "subscriber_only", "url": "https://x"}, SkipReason.MEMBERS_ONLY),
        ({"title": "A"}, SkipReason.MALFORMED),
        ({"title": "A", "url": 7}, SkipReason.MALFORMED),
        ({"title": "A", "url": "no url"}, SkipReason.MALFORMED),
    ],
)
def test_what_cannot_be_worked_on_is_a_reason(info: dict[str, object], reason: SkipReason) -> None:
    assert read_entry(info) is reason
