"""One video is one key, however its URL is written; what is no video is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dedupe import clean_url, display_id, entry_key, feed_key, source_key, task_key

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
    f"https://www.youtube.com:443/watch?v={VIDEO}#",
    f"https://gaming.youtube.com/watch?v={VIDEO}",
    f"https://www.youtubekids.com/watch?v={VIDEO}",
    f"https://youtube.googleapis.com/v/{VIDEO}",
    f"https://www.youtube.com/?v={VIDEO}",
    f"https://www.youtube.com/movie?v={VIDEO}",
    f"https://www.youtube.com/watch?app=desktop&v={VIDEO}&ab_channel=x",
    f"https://www.youtube.com/watch?v={VIDEO}&pp=ygU%3D&t=1h2m",
    f"https://www.youtube.com/watch?v={VIDEO}&v=another-one",
    f"youtube.com/watch?v={VIDEO}&u=https://example.org/",
    f"https://m.youtube.com/shorts/{VIDEO}#t=5",
    f"https://music.youtube.com/watch?v={VIDEO}&list=RDAMVM{VIDEO}",
    f"https://www.youtube.com//watch?v={VIDEO}",
    f"https://www.youtube.com/embed/{VIDEO}/?autoplay=1",
    f"https://youtu.be/{VIDEO}?list=PL1234567890",
    f"https://www.youtu.be/{VIDEO}",
    f"https://user@www.youtube.com/watch?v={VIDEO}",
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
    "https://www.youtube.com/embed/videoseries?list=PLabcdefghi",
    "https://www.youtube.com/embed/live_stream?channel=UCabcdefghijklmnopqrstuv",
    "https://www.youtube.com/c/abcdefghijk/videos",
    "https://www.youtube.com/feed/subscribed1",
    f"https://www.youtube.com/post/{VIDEO}",
    f"https://www.youtube.com/WATCH?v={VIDEO}",
    f"https://example.org/?u=https://youtu.be/{VIDEO}",
    f"https://myoutu.be/{VIDEO}",
    f"youtube:{VIDEO}",
    VIDEO,
    "http://[::1/watch",
    "https://www.youtube.com:port/watch?v=dQw4w9WgXcQ",
    "",
]


@pytest.mark.parametrize("url", SPELLINGS)
def test_each_spelling_of_a_video_is_the_same_key(url: str) -> None:
    assert task_key(url) == f"youtube {VIDEO}"


@pytest.mark.parametrize("url", NO_VIDEOS)
def test_what_only_looks_like_a_video_is_its_own_url(url: str) -> None:
    assert task_key(url).startswith("url ")


def test_ids_differ_by_case() -> None:
    assert task_key("https://youtu.be/AAAAAAAAAAA") != task_key("https://youtu.be/AAAAAAAAAAa")


def test_more_than_fifty_spellings_are_tried() -> None:
    assert len(set(SPELLINGS)) > 50


def test_a_video_within_a_playlist_is_the_playlist_unless_asked_otherwise() -> None:
    url = f"https://www.youtube.com/watch?v={VIDEO}&list=PL1"
    assert source_key(url) == "youtube:playlist PL1"
    assert source_key(url, single_video=True) == f"youtube {VIDEO}"


@pytest.mark.parametrize(
    "url",
    [
        "https://www.youtube.com/playlist?list=PL1",
        "https://youtube.com/playlist?list=PL1&si=x",
        "https://music.youtube.com/playlist?list=PL1",
        "https://m.youtube.com/watch?list=PL1&index=2",
        f"https://youtu.be/{VIDEO}?list=PL1",
        "https://www.youtube-nocookie.com/embed/videoseries?list=PL1",
    ],
)
def test_each_spelling_of_a_playlist_is_the_same_key(url: str) -> None:
    assert source_key(url) == "youtube:playlist PL1"


def test_a_list_elsewhere_is_no_playlist_of_youtubes() -> None:
    assert source_key("https://example.org/watch?list=PL1").startswith("url ")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://Example.org/feed", "https://www.example.org/feed/"),
        ("https://example.org/a?b=1&a=2", "https://example.org/a?a=2&b=1#top"),
        ("https://example.org/a?utm_source=x&fbclid=y", "https://example.org/a"),
        ("example.org:443/a", "https://example.org/a"),
        ("https://maria:secret@example.org/a", "https://example.org/a"),
        ("https://example.org/?q=caf%c3%a9+com+leite", "https://example.org/?q=café%20com%20leite"),
        ("https://m.youtube.com/@canal?si=x", "https://youtube.com/@canal/"),
        ("https://www.youtube.com/@canal?sub_confirmation=1", "https://www.youtube.com/@canal"),
    ],
)
def test_what_changes_nothing_makes_no_difference(one: str, other: str) -> None:
    assert source_key(one) == source_key(other)
    assert task_key(one) == task_key(other)
    assert clean_url(one) == clean_url(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/a", "https://example.org/A"),
        ("https://example.org/?id=1", "https://example.org/?id=2"),
        ("http://example.org:8080/a", "http://example.org:8081/a"),
        ("http://[::1]:8080/a", "http://[::1]:8081/a"),
        ("https://www.youtube.com/@a", "https://www.youtube.com/@b"),
        ("https://m.example.org/a", "https://example.org/a"),
        ("https://example.org/?app=news", "https://example.org/?app=sport"),
        ("https://example.org/?a=1&a=2", "https://example.org/?a=2&a=1"),
        ("https://example.org/?q=%E1", "https://example.org/?q=%E2"),
        ("https://example.org/#/video/1", "https://example.org/#/video/2"),
        ("https://example.org/#!video/1", "https://example.org/#!video/2"),
        ("ftp://example.org/a", "https://example.org/a"),
    ],
)
def test_what_may_be_different_stays_different(one: str, other: str) -> None:
    assert source_key(one) != source_key(other)
    assert task_key(one) != task_key(other)


def test_a_password_is_not_kept() -> None:
    assert clean_url("https://maria:secret@example.org/a") == "https://example.org/a"


def test_an_extractors_own_id_wins_over_the_url() -> None:
    assert entry_key("Youtube", VIDEO, "https://x") == f"youtube {VIDEO}"
    assert entry_key("Vimeo", "123", "https://x") == "vimeo 123"
    assert entry_key(None, None, f"https://youtu.be/{VIDEO}") == f"youtube {VIDEO}"
    assert entry_key("Generic", None, "https://x.example/a.mp4").startswith("url ")


def test_people_see_eleven_characters() -> None:
    assert display_id(f"youtube {VIDEO}") == VIDEO
    assert display_id("vimeo 123") == "123"
    assert len(display_id(task_key("https://x.example/a.mp4"))) == 11


def test_bytes_that_are_no_text_have_a_key() -> None:
    assert task_key("https://example.org/\udcff").startswith("url ")


PIECES = st.sampled_from([
    "https://", "http://", "www.", "m.", "youtube.com", "example.org", "::1", "[", "]", ":", "80", "8080", "@",
    ".", "..", "/", "//", "\\", "a", "A", "ã", "%20", "%C3%A3", "%FF", "?", "&", ";", "=", "+", "v", "si", "utm_x",
    "#", "!", " ", "\xa0", "\t", "\0",
])  # fmt: skip


@given(st.text() | st.lists(PIECES, max_size=12).map("".join))
def test_any_text_has_keys_and_cleaning_what_is_clean_changes_nothing(text: str) -> None:
    assert task_key(text)
    assert source_key(text)
    assert clean_url(clean_url(text)) == clean_url(text)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_cleaned_url_is_the_same_work(text: str) -> None:
    assert task_key(clean_url(text)) == task_key(text)


def test_an_item_of_a_feed_is_known_by_its_guid_within_that_feed() -> None:
    key = feed_key("https://x.example/feed.xml", "episode-1")
    assert key.startswith("feed ")
    assert key == feed_key("http://www.x.example/feed.xml/", "episode-1")
    assert key != feed_key("https://y.example/feed.xml", "episode-1")
    assert key != feed_key("https://x.example/feed.xml", "Episode-1")
    assert len(display_id(key)) == 11
