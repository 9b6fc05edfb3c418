"""The async half: an extractor and its scans, over a few threads."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from adapters.ytdlp import diagnosis
from adapters.ytdlp.listing import Listing
from adapters.ytdlp.options import YtDlpOptions
from domain.finding import Finding
from domain.scan import Entry, ScanOptions, ScanSummary
from ports.diagnosis import Diagnosable
from ports.extractor import MetadataExtractor, Scan

T = TypeVar("T")

THREADS = 4


class InThread(Protocol):
    """Runs blocking work somewhere else."""

    def __call__(self, work: Callable[[], T]) -> Awaitable[T]: ...


class YtDlpExtractor(MetadataExtractor, Diagnosable):
    """See `ports.extractor.MetadataExtractor`. yt-dlp is imported with the first scan, in a thread.

    At most `THREADS` pages are fetched at a time. An await that is cancelled leaves its thread with the request that is
    on its way, for `socket_timeout` at most; no further one goes out.
    """

    def __init__(self, options: YtDlpOptions | None = None) -> None:
        self._options = options or YtDlpOptions()
        self._executor = ThreadPoolExecutor(THREADS, thread_name_prefix="mutirao-ytdlp")

    async def scan(self, url: str, options: ScanOptions) -> Scan:
        url = url.strip()
        if "://" not in url:
            url = f"https://{url}"
        listing = Listing(url, options, self._options)
        try:
            await self._in_thread(listing.open)
        except BaseException:
            listing.abandon()
            raise
        return YtDlpScan(listing, self._in_thread)

    async def diagnose(self) -> Sequence[Finding]:
        return await self._in_thread(lambda: diagnosis.findings(self._options))

    async def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)


class YtDlpScan(Scan):
    """Nothing runs ahead of what was taken, nothing runs on after it was left."""

    def __init__(self, listing: Listing, in_thread: InThread) -> None:
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
            while (page := await self._in_thread(self._listing.next_page)) is not None:
                if page:
                    yield page
        finally:
            self._listing.abandon()
