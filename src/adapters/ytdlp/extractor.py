"""The async half: an extractor and its scans, over a few threads."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from adapters.ytdlp.listing import Listing
from adapters.ytdlp.options import YtDlpOptions
from domain.scan import Entry, ScanOptions, ScanSummary
from ports.extractor import MetadataExtractor, Scan

T = TypeVar("T")

THREADS = 4


class YtDlpExtractor(MetadataExtractor):
    """See `ports.extractor.MetadataExtractor`. yt-dlp is imported with the first scan, in a thread."""

    def __init__(self, options: YtDlpOptions | None = None) -> None:
        self._options = options or YtDlpOptions()
        self._executor: ThreadPoolExecutor | None = None

    async def scan(self, url: str, options: ScanOptions) -> Scan:
        if "://" not in url:
            url = f"https://{url}"
        listing = Listing(url, options, self._options)
        await self._in_thread(listing.open)
        return YtDlpScan(listing, self._in_thread)

    async def close(self) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)

    async def _in_thread(self, work: Callable[..., T]) -> T:
        if self._executor is None:
            self._executor = ThreadPoolExecutor(THREADS, thread_name_prefix="mutirao-ytdlp")
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)


class YtDlpScan(Scan):
    """A page is fetched when the one before has been taken; nothing runs ahead, nothing runs on."""

    def __init__(self, listing: Listing, in_thread: Callable[..., object]) -> None:
        self._listing = listing
        self._in_thread = in_thread

    @property
    def name(self) -> str:
        return self._listing.name

    @property
    def expected(self) -> int | None:
        return self._listing.expected

    @property
    def summary(self) -> ScanSummary:
        return ScanSummary(self._listing.complete, dict(self._listing.skipped), self._listing.note)

    async def pages(self) -> AsyncGenerator[Sequence[Entry], None]:
        try:
            while page := await self._in_thread(self._listing.next_page):  # type: ignore[misc]
                yield page
        finally:
            self._listing.close()
