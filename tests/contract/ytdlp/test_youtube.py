"""What is YouTube's own: faults on page 3, channels, mixes, single videos, what cannot be watched."""

import asyncio
import weakref
from collections.abc import Iterator
from contextlib import aclosing

import pytest
from attrs import evolve

from adapters.ytdlp.extractor import YtDlpExtractor
from adapters.ytdlp.options import YtDlpOptions
from domain.scan import Entry, Liveness, ScanOptions, SkipReason
from ports.errors import (
    SourceGone,
    SourceIncomplete,
    SourceNeedsLogin,
    SourceNetworkError,
    SourceNotYet,
    SourceRateLimited,
    SourceUnavailable,
)
from ports.extractor import Scan
from ports.testing.scenario import scenario
from tests.contract.doubles.youtube import YouTube
from tests.contract.doubles.youtube_catalogue import Playlist, videos
from tests.contract.ytdlp.conftest import playlist


@pytest.fixture
def extractor(options: YtDlpOptions) -> Iterator[YtDlpExtractor]:
    extractor = YtDlpExtractor(options)
    yield extractor
    asyncio.run(extractor.close())


async def take(extractor: YtDlpExtractor, url: str, **options: object) -> tuple[Scan, list[Entry]]:
    scan = await extractor.scan(url, ScanOptions(**options))
    return scan, [entry async for page in scan.pages() for entry in page]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("500", SourceNetworkError),
        ("dropped", SourceNetworkError),
        ("broken", SourceIncomplete),
        ("empty", SourceIncomplete),
        ("silent", SourceIncomplete),
        ("429", SourceRateLimited),
    ],
)
@scenario
async def test_a_list_that_breaks_on_page_3_is_never_taken_for_whole(
    extractor: YtDlpExtractor, fault: str, kind: type[SourceUnavailable]
) -> None:
    scan = await extractor.scan(playlist(f"PL{fault}"), ScanOptions())
    kept: list[Entry] = []
    with pytest.raises(kind) as failure:
        async for page in scan.pages():
            kept.extend(page)
    assert type(failure.value) is kind
    assert failure.value.retry_after == (37 if fault == "429" else None)
    assert len(kept) == 200
    assert not scan.summary.complete


@scenario
async def test_a_list_that_heals_is_whole_the_next_time(youtube: YouTube, options: YtDlpOptions) -> None:
    _, entries = await take(YtDlpExtractor(evolve(options, retries=1)), playlist("PLheals"))
    assert len(entries) == 450


@pytest.mark.parametrize("claimed", [101, 450])
@scenario
async def test_a_list_shorter_than_it_claims_is_incomplete(
    extractor: YtDlpExtractor, youtube: YouTube, claimed: int
) -> None:
    youtube.add(Playlist("PLshort", "Curta", videos(100), claimed=claimed))
    with pytest.raises(SourceIncomplete, match=f"100 of its {claimed}"):
        await take(extractor, playlist("PLshort"))


@scenario
async def test_an_empty_page_after_the_last_is_no_fault(extractor: YtDlpExtractor) -> None:
    scan, entries = await take(extractor, playlist("PLtrailing"))
    assert (len(entries), scan.summary.complete) == (200, True)


@scenario
async def test_one_page_is_one_request(extractor: YtDlpExtractor, youtube: YouTube) -> None:
    await take(extractor, playlist("PL250"))
    # the page itself, its reload with unavailable videos, and two further pages
    assert dict(youtube.requests) == {"page": 1, "browse": 3}


@scenario
async def test_a_limit_stops_the_fetching(extractor: YtDlpExtractor, youtube: YouTube) -> None:
    scan, entries = await take(extractor, playlist("PL250"), limit=50)
    assert len(entries) == 50
    assert scan.summary.complete
    assert youtube.requests["browse"] == 1


@scenario
async def test_a_channel_is_all_its_tabs(extractor: YtDlpExtractor) -> None:
    scan, entries = await take(extractor, "https://www.youtube.com/@canal")
    assert scan.name == "Canal de aulas"
    assert len(entries) == len({entry.key for entry in entries}) == 170
    assert sum(entry.short for entry in entries) == 20
    assert sum(entry.liveness is Liveness.WAS_LIVE for entry in entries) == 30
    assert all(entry.url == f"https://www.youtube.com/watch?v={entry.id}" for entry in entries)


@scenario
async def test_shorts_and_streams_may_be_left_out(extractor: YtDlpExtractor) -> None:
    scan, entries = await take(extractor, "https://www.youtube.com/@canal", shorts=False, live=False)
    assert len(entries) == 120
    assert scan.summary.skipped == {SkipReason.SHORT: 20, SkipReason.LIVE: 30}


@scenario
async def test_one_tab_is_that_tab(extractor: YtDlpExtractor) -> None:
    _, entries = await take(extractor, "https://www.youtube.com/@canal/shorts")
    assert len(entries) == 20


@scenario
async def test_a_mix_is_capped_and_says_so(extractor: YtDlpExtractor) -> None:
    scan, entries = await take(extractor, "https://www.youtube.com/watch?v=abcdefghijk&list=RDabcdefghijk")
    assert len(entries) == 200
    assert "no end" in scan.summary.note


@scenario
async def test_a_video_of_a_playlist_is_the_playlist_unless_asked_otherwise(extractor: YtDlpExtractor) -> None:
    url = "https://www.youtube.com/watch?v=abcdefghijk&list=PL5"
    assert len((await take(extractor, url))[1]) == 5
    scan, entries = await take(extractor, url, single_video=True)
    assert [entry.key for entry in entries] == ["youtube abcdefghijk"]
    assert scan.expected == 1


@scenario
async def test_a_single_video_is_a_list_of_one(extractor: YtDlpExtractor) -> None:
    scan, (entry,) = await take(extractor, " youtu.be/abcdefghijk ")
    assert (scan.name, entry.title, entry.duration) == ("Uma só", "Uma só", 75)
    assert entry.url == "https://www.youtube.com/watch?v=abcdefghijk"


@pytest.mark.parametrize(
    ("kind", "failure", "words"),
    [
        ("private", SourceGone, "Private video"),
        ("members", SourceNeedsLogin, "Join this channel.*YTDLP_COOKIES"),
        ("upcoming", SourceNotYet, "Premieres in 3 hours"),
        ("bot", SourceRateLimited, "not a bot"),
    ],
)
@scenario
async def test_a_video_that_cannot_be_watched_is_told_of_in_the_sites_own_words(
    extractor: YtDlpExtractor, kind: str, failure: type[SourceUnavailable], words: str
) -> None:
    with pytest.raises(failure, match=words):
        await take(extractor, f"https://www.youtube.com/watch?v={kind:e<11}")


@scenario
async def test_a_site_that_is_asked_too_often_says_when_to_come_again(extractor: YtDlpExtractor) -> None:
    with pytest.raises(SourceRateLimited) as failure:
        await take(extractor, playlist("PLlate"))
    assert failure.value.retry_after == 37


@scenario
async def test_a_list_that_does_not_exist_is_gone_in_the_sites_own_words(extractor: YtDlpExtractor) -> None:
    with pytest.raises(SourceGone, match="playlist does not exist"):
        await take(extractor, playlist("PLnowhere"))


@pytest.mark.parametrize("layout", ["lockup", "renderer"])
@scenario
async def test_what_cannot_be_watched_is_counted_by_reason(extractor: YtDlpExtractor, layout: str) -> None:
    scan, entries = await take(extractor, playlist(f"PL{layout}"))
    skipped = dict(scan.summary.skipped)
    assert skipped[SkipReason.PRIVATE] == skipped[SkipReason.DELETED] == skipped[SkipReason.NOT_YET] == 1
    assert skipped[SkipReason.MEMBERS_ONLY] == 1
    assert len(entries) == 3


@scenario
async def test_newest_first_turns_a_playlist_round_and_keeps_a_channels_order(extractor: YtDlpExtractor) -> None:
    _, oldest = await take(extractor, playlist("PL5"))
    _, newest = await take(extractor, playlist("PL5"), newest_first=True)
    assert newest == oldest[::-1]
    _, channel = await take(extractor, "https://www.youtube.com/@canal/videos", newest_first=True, limit=1)
    assert channel[0].title == "Vídeo 0"


@scenario
async def test_a_channels_pages_come_as_the_site_gives_them(extractor: YtDlpExtractor) -> None:
    scan = await extractor.scan("https://www.youtube.com/@canal", ScanOptions())
    # 120 videos, 30 at a time; the first page of the other tabs (30 streams, 20 shorts) is there from the beginning
    assert [len(page) async for page in scan.pages()] == [30, 30, 30, 80]


@scenario
async def test_what_was_found_does_not_wait_for_more_of_a_kind_that_is_rare(
    extractor: YtDlpExtractor, youtube: YouTube
) -> None:
    scan = await extractor.scan(playlist("PL250"), ScanOptions(title=" 1.?7$"))
    async with aclosing(scan.pages()) as pages:
        assert [entry.title for entry in await anext(pages)] == ["Vídeo 17"]
        assert youtube.requests["browse"] == 1


@scenario
async def test_nothing_is_kept_of_a_page_that_was_taken(extractor: YtDlpExtractor) -> None:
    scan = await extractor.scan(playlist("PL250"), ScanOptions())
    async with aclosing(scan.pages()) as pages:
        first = [weakref.ref(entry) for entry in await anext(pages)]
        await anext(pages)
    assert not any(entry() for entry in first)


@scenario
async def test_five_thousand_entries_come_page_by_page(extractor: YtDlpExtractor, youtube: YouTube) -> None:
    youtube.add(Playlist("PL5000", "Muitas", videos(5000)))
    scan = await extractor.scan(playlist("PL5000"), ScanOptions())
    sizes = [len(page) async for page in scan.pages()]
    assert sizes == [100] * 50
    assert scan.summary.complete
