"""One video is one key, however its URL is written; what is no video is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dedupe import clean_url, display_id, entry_key, source_key, task_key

VIDEO = "dQw4w9WgXcQ"

SPELLINGS = [
    f"https://www.youtube.com/watch?v={VIDEO}",
    f"http://www.youtube.com/watch?v={VIDEO}",
    f"https://youtube.com/watch?v={VIDEO}",
    f"https://m.youtube.com/watch?v={VIDEO}",
    f"https://music.youtube.com/watch?v={VIDEO}",
    f"HTTPS://WWW.YOUTUBE.COM/watch?v={VIDEO}",
    f"www.youtube.com/watch?v={VIDEO}",
    f"youtube.com/watch?v={VIDEO}",
    f"//www.youtube.com/watch?v={VIDEO}",
    f"  https://www.youtube.com/watch?v={VIDEO}  ",
    f"https://www.youtube.com/watch?v={VIDEO}&t=30s",
    f"https://www.youtube.com/watch?v={VIDEO}#t=30",
    f"https://www.youtube.com/watch?feature=share&v={VIDEO}",
    f"https://www.youtube.com/watch?v={VIDEO}&list=PL1234567890&index=3",
    f"https://www.youtube.com/watch/?v={VIDEO}",
    f"https://www.youtube.com/watch/{VIDEO}",
    f"https://www.youtube.com/watch_popup?v={VIDEO}",
    f"https://youtu.be/{VIDEO}",
    f"https://youtu.be/{VIDEO}/",
    f"https://youtu.be/{VIDEO}?t=30",
    f"https://youtu.be/{VIDEO}?si=abcdef",
    f"youtu.be/{VIDEO}#x",
    f"https://www.youtube.com/shorts/{VIDEO}",
    f"https://www.youtube.com/shorts/{VIDEO}/",
    f"https://www.youtube.com/shorts/{VIDEO}?feature=share",
    f"https://www.youtube.com/live/{VIDEO}",
    f"https://www.youtube.com/live/{VIDEO}?si=x",
    f"https://www.youtube.com/embed/{VIDEO}",
    f"https://www.youtube-nocookie.com/embed/{VIDEO}?rel=0",
    f"https://www.youtube.com/v/{VIDEO}",
    f"https://www.youtube.com/e/{VIDEO}",
    f"https://www.youtube.com/vi/{VIDEO}",
    f"https://www.youtube.com:443/watch?v={VIDEO}",
    f"https://www.youtube.com./watch?v={VIDEO}",
]

NO_VIDEOS = [
    "https://www.youtube.com/abcdefghijk",
    "https://www.youtube.com/c/LinusMedia1",
    "https://www.youtube.com/hashtag/minecrafter",
    "https://www.youtube.com/@elevenchars",
    "https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv",
    "https://www.youtube.com/user/abcdefghijk",
    "https://www.youtube.com/playlist?list=PLabcdefghi",
    "https://www.youtube.com/watch?v=tooshort",
    "https://www.youtube.com/watch?v=muchtoolongtobeone",
    "https://www.youtube.com/watch?list=PLabcdefghi",
    "https://www.youtube.com/watch",
    "https://www.youtube.com/",
    "https://youtu.be/",
    "https://www.youtube.com/results?search_query=abcdefghijk",
    f"https://vimeo.com/watch?v={VIDEO}",
    f"https://notyoutube.com/watch?v={VIDEO}",
    f"https://youtube.com.evil.example/watch?v={VIDEO}",
    "https://www.youtube.com/shorts/",
    "https://www.youtube.com/watch?v=ab%20defghij",
    "http://[::1/watch",
]


@pytest.mark.parametrize("url", SPELLINGS)
def test_each_spelling_of_a_video_is_the_same_key(url: str) -> None:
    assert task_key(url) == f"youtube {VIDEO}"


@pytest.mark.parametrize("url", NO_VIDEOS)
def test_what_only_looks_like_a_video_is_its_own_url(url: str) -> None:
    assert task_key(url).startswith("url ")


def test_ids_differ_by_case() -> None:
    assert task_key("https://youtu.be/AAAAAAAAAAA") != task_key("https://youtu.be/AAAAAAAAAAa")


def test_a_video_within_a_playlist_is_the_playlist_unless_asked_otherwise() -> None:
    url = f"https://www.youtube.com/watch?v={VIDEO}&list=PL1"
    assert source_key(url) == "youtube:playlist PL1" == source_key("https://youtube.com/playlist?list=PL1&si=x")
    assert source_key(url, single_video=True) == f"youtube {VIDEO}"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://Example.org/feed", "https://www.example.org/feed/"),
        ("https://example.org/a?b=1&a=2", "https://example.org/a?a=2&b=1#top"),
        ("https://example.org/a?utm_source=x&fbclid=y", "https://example.org/a"),
        ("example.org:443/a", "https://example.org/a"),
    ],
)
def test_what_changes_nothing_makes_no_difference(one: str, other: str) -> None:
    assert source_key(one) == source_key(other)
    assert task_key(one) == task_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/a", "https://example.org/A"),
        ("https://example.org/?id=1", "https://example.org/?id=2"),
        ("http://example.org:8080/a", "http://example.org:8081/a"),
        ("https://www.youtube.com/@a", "https://www.youtube.com/@b"),
    ],
)
def test_what_is_different_stays_different(one: str, other: str) -> None:
    assert source_key(one) != source_key(other)


def test_an_extractors_own_id_wins_over_the_url() -> None:
    assert entry_key("Youtube", VIDEO, "https://x") == f"youtube {VIDEO}"
    assert entry_key("Vimeo", "123", "https://x") == "vimeo 123"
    assert entry_key(None, None, f"https://youtu.be/{VIDEO}") == f"youtube {VIDEO}"
    assert entry_key("Generic", None, "https://x.example/a.mp4").startswith("url ")


def test_people_see_eleven_characters() -> None:
    assert display_id(f"youtube {VIDEO}") == VIDEO
    assert display_id("vimeo 123") == "123"
    assert len(display_id(task_key("https://x.example/a.mp4"))) == 11


@given(st.text())
def test_any_text_has_a_key_and_cleaning_is_done_once(text: str) -> None:
    assert task_key(text) == task_key(text)
    assert clean_url(clean_url(text)) == clean_url(text)
