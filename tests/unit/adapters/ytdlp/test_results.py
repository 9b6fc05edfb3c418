"""What yt-dlp's extractors may answer, flattened."""

from typing import Any

import pytest
from yt_dlp.utils import ExtractorError, OnDemandPagedList

from adapters.ytdlp.results import Results
from ports.errors import SourceGone, SourceIncomplete, SourceNotYet, SourceUnsupported

URL = "https://x.example/list"


class Site:
    """Stands for a YoutubeDL: answers by URL."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {URL: answers.pop("root", None), **{f"https://{name}": info for name, info in answers.items()}}

    def extract_info(self, url: str, **_: Any) -> Any:
        answer = self.answers[url]
        if isinstance(answer, Exception):
            raise answer
        return answer


def results(mix_limit: int = 200, **answers: Any) -> Results:
    return Results(Site(**answers), URL, mix_limit)


def entries(**answers: Any) -> list[dict[str, Any]]:
    found = results(**answers)
    return list(found.entries(found.open()))


def a_list(*listed: Any, **more: Any) -> dict[str, Any]:
    return {"_type": "playlist", "webpage_url": URL, "entries": listed, **more}


def video(name: str) -> dict[str, Any]:
    return {"_type": "url", "ie_key": "Youtube", "id": name, "url": f"https://{name}"}


def list_reference(name: str) -> dict[str, Any]:
    return {"_type": "url", "ie_key": "YoutubeTab", "id": name, "url": f"https://{name}"}


def broken_off(*listed: Any) -> Any:
    yield from listed
    raise ExtractorError("Incomplete data received", expected=True)


def test_a_list_of_lists_is_its_videos() -> None:
    root = a_list(a_list(video("a"), video("b")), list_reference("more"), video("d"))
    assert entries(root=root, more=a_list(video("c"))) == [video(name) for name in "abcd"]


def test_a_list_within_itself_ends() -> None:
    assert entries(root=a_list(list_reference("me")), me=a_list(list_reference("me"))) == [list_reference("me")]


def test_a_reference_to_another_sites_list_is_left_to_whoever_works_on_it() -> None:
    reference = {"_type": "url", "ie_key": "VimeoChannel", "url": "https://vimeo.com/channels/x"}
    assert entries(root=a_list(reference)) == [reference]


def test_a_list_that_is_fetched_on_demand_is_read_on_demand() -> None:
    fetched: list[int] = []

    def page(number: int) -> list[dict[str, Any]]:
        fetched.append(number)
        return [video(f"{number}-{place}") for place in range(2)] if number < 3 else []

    found = results(root=a_list(entries=OnDemandPagedList(page, 2)) | {"entries": OnDemandPagedList(page, 2)})
    listed = found.entries(found.open())
    next(listed)
    assert fetched == [0]
    assert len([*listed]) == 5


def test_a_list_shorter_than_it_claims_is_incomplete() -> None:
    with pytest.raises(SourceIncomplete, match="2 of its 3"):
        entries(root=a_list(video("a"), video("b"), playlist_count=3))


def test_every_list_is_held_to_its_own_count() -> None:
    with pytest.raises(SourceIncomplete, match="1 of its 2"):
        entries(root=a_list(list_reference("inner"), playlist_count=1), inner=a_list(video("a"), playlist_count=2))


def test_a_list_that_breaks_off_after_all_that_it_claims_is_whole() -> None:
    whole = {**a_list(playlist_count=2), "entries": broken_off(video("a"), video("b"))}
    assert entries(root=whole) == [video("a"), video("b")]


def test_a_list_that_breaks_off_within_a_whole_one_is_incomplete() -> None:
    with pytest.raises(SourceIncomplete):
        entries(
            root=a_list(list_reference("inner"), playlist_count=1), inner={"_type": "playlist", "entries": broken_off()}
        )


def test_a_list_without_a_count_that_breaks_off_is_incomplete() -> None:
    with pytest.raises(SourceIncomplete):
        entries(root={"_type": "playlist", "entries": broken_off(video("a"))})


def test_holes_in_a_list_are_not_counted() -> None:
    assert entries(root=a_list(video("a"), None)) == [video("a")]


def test_a_mix_is_capped() -> None:
    found = results(mix_limit=3, root=a_list(*(video(str(n)) for n in range(9)), id="RDx"))
    assert len([*found.entries(found.open())]) == 3
    assert found.capped


def test_a_mix_that_ends_before_its_cap_is_whole() -> None:
    found = results(mix_limit=3, root=a_list(video("a"), id="RDx"))
    assert len([*found.entries(found.open())]) == 1
    assert not found.capped


def test_videos_that_have_no_address_of_their_own_are_their_page() -> None:
    (entry,) = entries(root=a_list({"id": "1", "title": "A", "formats": []}))
    assert (entry["webpage_url"], entry["id"], entry["title"]) == (URL, None, "A")


def test_what_embeds_a_video_describes_it() -> None:
    root = {"_type": "url_transparent", "url": "https://file", "title": "A talk", "duration": 60, "webpage_url": URL}
    info = results(root=root, file={"title": "a.mp4", "webpage_url": "https://file", "id": "a"}).open()
    assert (info["title"], info["duration"], info["webpage_url"]) == ("A talk", 60, URL)


def test_references_in_a_circle_are_unsupported() -> None:
    with pytest.raises(SourceUnsupported):
        results(root={"_type": "url", "url": URL}).open()


def test_nothing_at_all_is_unsupported() -> None:
    with pytest.raises(SourceUnsupported):
        results(root=None).open()


def test_a_video_that_has_not_begun_is_not_yet() -> None:
    with pytest.raises(SourceNotYet):
        results(root={"id": "a", "live_status": "is_upcoming"}).open()


def test_a_list_that_cannot_be_opened_within_a_list_raises_by_class() -> None:
    with pytest.raises(SourceGone):
        entries(root=a_list(list_reference("inner")), inner=ExtractorError("The playlist does not exist"))
