"""The promises of `ports.extractor`, as tests. Bind them to an extractor of your own::

class TestMyExtractor(MetadataExtractorContract):
    @pytest.fixture
    def backend(self):
        with my_site(...) as site:
            yield ExtractorBackend(lambda: MyExtractor(site.address), long_list=site.url("long"), …)
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing

import pytest
from attrs import frozen

from domain.scan import Entry, ScanOptions
from ports.errors import SourceUnavailable
from ports.extractor import MetadataExtractor
from ports.testing.scenario import scenario


@frozen
class ExtractorBackend:
    """A site, by its URLs. `long_list` has `length` entries, more than two pages of them, each titled after its number.

    `doubled` lists something twice; `broken` is as `long_list`, but breaks off after a page or more; `missing` is not
    there; `unwatchable` has entries that cannot be watched beside `watchable` others; `nameless` has no title; `single`
    is one video. `fetches` says how many pages were asked of the site so far. None where a site has no such thing: its
    tests are skipped.
    """

    connect: Callable[[], MetadataExtractor]
    long_list: str
    length: int
    name: str
    missing: str
    unsupported: str
    doubled: str | None = None
    broken: str | None = None
    unwatchable: str | None = None
    watchable: int = 0
    nameless: str | None = None
    single: str | None = None
    fetches: Callable[[], int] | None = None


async def listed(extractor: MetadataExtractor, url: str, options: ScanOptions | None = None) -> list[Entry]:
    scan = await extractor.scan(url, options or ScanOptions())
    return [entry async for page in scan.pages() for entry in page]


class MetadataExtractorContract:
    """Every promise of `MetadataExtractor` and `Scan`. Override `backend`."""

    @pytest.fixture
    def backend(self) -> ExtractorBackend:
        raise NotImplementedError("override the `backend` fixture: return an ExtractorBackend")

    @scenario
    async def test_a_whole_list_comes_in_order_and_each_key_once(self, backend: ExtractorBackend) -> None:
        extractor = backend.connect()
        entries = await listed(extractor, backend.long_list)
        await extractor.close()
        assert len(entries) == len({entry.key for entry in entries}) == backend.length
        numbers = [int(entry.title.split()[-1]) for entry in entries]
        assert numbers == sorted(numbers)
        assert all(entry.key and "://" in entry.url for entry in entries)

    @scenario
    async def test_the_name_and_count_are_known_on_opening(self, backend: ExtractorBackend) -> None:
        extractor = backend.connect()
        scan = await extractor.scan(backend.long_list, ScanOptions())
        assert scan.name == backend.name
        assert scan.expected in (backend.length, None)
        assert not scan.summary.complete
        await extractor.close()

    @scenario
    async def test_what_has_no_name_goes_by_its_url(self, backend: ExtractorBackend) -> None:
        url = _needed(backend.nameless)
        extractor = backend.connect()
        assert (await extractor.scan(url, ScanOptions())).name == url
        await extractor.close()

    @scenario
    async def test_a_single_video_is_a_list_of_one(self, backend: ExtractorBackend) -> None:
        url = _needed(backend.single)
        extractor = backend.connect()
        scan = await extractor.scan(url, ScanOptions())
        assert [len(page) async for page in scan.pages()] == [1]
        assert scan.summary.complete
        await extractor.close()

    @scenario
    async def test_scans_that_go_on_at_once_do_not_disturb_each_other(self, backend: ExtractorBackend) -> None:
        extractor = backend.connect()
        once = await listed(extractor, backend.long_list)
        at_once = await asyncio.gather(*(listed(extractor, backend.long_list) for _ in range(6)))
        assert all(entries == once for entries in at_once)
        await extractor.close()

    @scenario
    async def test_a_scan_is_complete_when_its_list_is_exhausted(self, backend: ExtractorBackend) -> None:
        extractor = backend.connect()
        scan = await extractor.scan(backend.long_list, ScanOptions())
        pages = [page async for page in scan.pages()]
        assert len(pages) > 2
        assert all(pages)
        assert scan.summary.complete
        await extractor.close()

    @scenario
    async def test_a_page_is_fetched_when_the_one_before_was_taken(self, backend: ExtractorBackend) -> None:
        if backend.fetches is None:
            pytest.skip("this site does not count its fetches")
        extractor = backend.connect()
        scan = await extractor.scan(backend.long_list, ScanOptions())
        async with aclosing(scan.pages()) as pages:
            await anext(pages)
            before = backend.fetches()
            await anext(pages)
            after = backend.fetches()
        assert after - before <= 1
        assert backend.fetches() == after
        assert not scan.summary.complete
        await extractor.close()

    @scenario
    async def test_a_limit_stops_the_fetching(self, backend: ExtractorBackend) -> None:
        if backend.fetches is None:
            pytest.skip("this site does not count its fetches")
        extractor = backend.connect()
        await listed(extractor, backend.long_list)
        everything = backend.fetches()
        scan = await extractor.scan(backend.long_list, ScanOptions(limit=1))
        assert [len(page) async for page in scan.pages()] == [1]
        assert backend.fetches() - everything < everything
        assert scan.summary.complete
        await extractor.close()

    @scenario
    async def test_a_scan_may_be_left_early_and_the_next_is_whole(self, backend: ExtractorBackend) -> None:
        extractor = backend.connect()
        scan = await extractor.scan(backend.long_list, ScanOptions())
        async with aclosing(scan.pages()) as pages:
            await anext(pages)
        assert len(await listed(extractor, backend.long_list)) == backend.length
        await extractor.close()

    @scenario
    async def test_what_is_listed_twice_comes_once(self, backend: ExtractorBackend) -> None:
        url = _needed(backend.doubled)
        extractor = backend.connect()
        entries = await listed(extractor, url)
        assert len(entries) == len({entry.key for entry in entries}) > 0
        await extractor.close()

    @scenario
    async def test_a_limit_takes_the_first_so_many(self, backend: ExtractorBackend) -> None:
        extractor = backend.connect()
        everything = await listed(extractor, backend.long_list)
        some = await listed(extractor, backend.long_list, ScanOptions(limit=7))
        assert some == everything[:7]
        newest = await listed(extractor, backend.long_list, ScanOptions(limit=7, newest_first=True))
        assert newest == everything[:-8:-1]
        await extractor.close()

    @scenario
    async def test_what_is_not_wanted_is_left_out_and_counted(self, backend: ExtractorBackend) -> None:
        extractor = backend.connect()
        scan = await extractor.scan(backend.long_list, ScanOptions(title="5$"))
        entries = [entry async for page in scan.pages() for entry in page]
        assert 0 < len(entries) < backend.length
        assert all(entry.title.endswith("5") for entry in entries)
        assert sum(scan.summary.skipped.values()) == backend.length - len(entries)
        await extractor.close()

    @scenario
    async def test_what_cannot_be_watched_is_left_out_and_counted(self, backend: ExtractorBackend) -> None:
        url = _needed(backend.unwatchable)
        extractor = backend.connect()
        scan = await extractor.scan(url, ScanOptions())
        entries = [entry async for page in scan.pages() for entry in page]
        assert len(entries) == backend.watchable
        assert sum(scan.summary.skipped.values()) > 0
        await extractor.close()

    @scenario
    async def test_a_list_that_breaks_off_keeps_what_it_gave_and_raises(self, backend: ExtractorBackend) -> None:
        url = _needed(backend.broken)
        extractor = backend.connect()
        scan = await extractor.scan(url, ScanOptions())
        kept: list[Entry] = []
        with pytest.raises(SourceUnavailable) as failure:
            async for page in scan.pages():
                kept.extend(page)
        assert failure.value.retryable
        assert 0 < len(kept) < backend.length
        assert not scan.summary.complete
        await extractor.close()

    @scenario
    async def test_what_is_not_there_is_said_so_by_its_url(self, backend: ExtractorBackend) -> None:
        extractor = backend.connect()
        for url in (backend.missing, backend.unsupported):
            with pytest.raises(SourceUnavailable) as failure:
                await listed(extractor, url)
            assert not failure.value.retryable
            assert url in str(failure.value)
        await extractor.close()

    @scenario
    async def test_closing_may_be_repeated(self, backend: ExtractorBackend) -> None:
        extractor = backend.connect()
        await extractor.close()
        await extractor.close()


def _needed(url: str | None) -> str:
    if url is None:
        pytest.skip("this site has no such list")
    return url
