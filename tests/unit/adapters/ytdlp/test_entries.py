"""yt-dlp's dictionaries, read."""

import pytest
from yt_dlp.utils import smuggle_url

from adapters.ytdlp.entries import read_entry
from domain.scan import Entry, Liveness, SkipReason

FEED = "https://x.example/feed.xml"


def read(source: str = FEED, **info: object) -> Entry:
    entry = read_entry(info, source)
    assert isinstance(entry, Entry)
    return entry


def feed_item(guid: str, url: str = "https://x.example/a.mp4") -> dict[str, object]:
    return {"_type": "url_transparent", "url": smuggle_url(url, {"force_videoid": guid}), "title": "A"}


def test_a_youtube_entry_is_its_id() -> None:
    entry = read(_type="url", ie_key="Youtube", id="dQw4w9WgXcQ", url="https://www.youtube.com/shorts/dQw4w9WgXcQ")
    assert (entry.key, entry.id, entry.short) == ("youtube dQw4w9WgXcQ", "dQw4w9WgXcQ", True)
    assert entry.url == "https://www.youtube.com/watch?v=dQw4w9WgXcQ"


def test_a_reference_is_of_the_extractor_that_it_names_and_not_of_its_lists() -> None:
    entry = read(_type="url", ie_key="Vimeo", extractor_key="VimeoChannel", id="7", url="https://vimeo.com/7")
    assert entry.key == "vimeo 7"


def test_an_entry_without_an_id_has_the_one_that_its_extractor_would_give_it() -> None:
    assert read(_type="url", ie_key="Vimeo", url="https://vimeo.com/channels/x/56015672").key == "vimeo 56015672"


def test_an_entry_of_an_extractor_that_there_is_not_is_its_url() -> None:
    assert read(_type="url", ie_key="NoSuchSite", url="https://x.example/7").key.startswith("url ")


def test_a_feeds_entry_without_an_id_is_its_url() -> None:
    assert read(_type="url", url="https://x.example/a.mp4", title="A").key.startswith("url ")


def test_a_link_to_youtube_within_a_feed_is_that_video() -> None:
    assert read(_type="url", url="https://youtu.be/dQw4w9WgXcQ", title="A").key == "youtube dQw4w9WgXcQ"
    assert read(**feed_item("guid", "https://youtu.be/dQw4w9WgXcQ")).key == "youtube dQw4w9WgXcQ"


def test_the_guid_of_a_feeds_item_is_its_identity_within_that_feed() -> None:
    entry = read(**feed_item("episode-9"))
    assert (entry.id, entry.url) == ("episode-9", "https://x.example/a.mp4")
    assert entry.key == read(**feed_item("episode-9", "https://x.example/a.mp4?signed=anew")).key
    assert entry.key != read(**feed_item("episode-9"), source="https://y.example/feed.xml").key


def test_files_of_the_same_name_are_not_the_same_work() -> None:
    here = read(id="master", extractor_key="Generic", webpage_url="https://x.example/master.m3u8", url="https://cdn/1")
    there = read(id="master", extractor_key="Generic", webpage_url="https://y.example/master.m3u8", url="https://cdn/2")
    assert here.key != there.key
    assert here.url == "https://x.example/master.m3u8"


def test_what_was_extracted_can_be_watched_whatever_its_availability() -> None:
    entry = read(id="7", extractor_key="Vimeo", availability="subscriber_only", webpage_url="https://vimeo.com/7")
    assert entry.key == "vimeo 7"


@pytest.mark.parametrize(
    ("status", "liveness"),
    [
        (None, Liveness.NONE),
        ("not_live", Liveness.NONE),
        ("is_live", Liveness.LIVE),
        ("was_live", Liveness.WAS_LIVE),
        ("post_live", Liveness.WAS_LIVE),
        ("is_upcoming", Liveness.UPCOMING),
    ],
)
def test_liveness_is_the_sites(status: str | None, liveness: Liveness) -> None:
    assert read(_type="url", url="https://x.example/a", live_status=status).liveness is liveness


@pytest.mark.parametrize(
    ("info", "reason"),
    [
        ({"title": "[Private video]", "url": "https://x"}, SkipReason.PRIVATE),
        ({"title": "[Deleted video]", "url": "https://x"}, SkipReason.DELETED),
        ({"title": "[Unavailable video]", "url": "https://x"}, SkipReason.UNAVAILABLE),
        ({"title": "A", "availability": "private", "url": "https://x"}, SkipReason.PRIVATE),
        ({"title": "A", "availability": "subscriber_only", "url": "https://x"}, SkipReason.MEMBERS_ONLY),
        ({"title": "A", "availability": "premium_only", "url": "https://x"}, SkipReason.MEMBERS_ONLY),
        ({"title": "A"}, SkipReason.MALFORMED),
        ({"title": "A", "url": 7}, SkipReason.MALFORMED),
        ({"title": "A", "url": "no url"}, SkipReason.MALFORMED),
    ],
)
def test_what_cannot_be_worked_on_is_a_reason(info: dict[str, object], reason: SkipReason) -> None:
    assert read_entry({"_type": "url", **info}, FEED) is reason
