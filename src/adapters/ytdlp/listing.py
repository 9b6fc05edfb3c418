"""The blocking half of a scan: runs in a thread, page by page."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Any

from adapters.ytdlp.downloader import new_downloader
from adapters.ytdlp.entries import read_entry
from adapters.ytdlp.failures import translated
from adapters.ytdlp.options import YtDlpOptions
from adapters.ytdlp.results import Info, Results, is_list
from domain.errors import MutiraoError
from domain.scan import Entry, ScanOptions, SkipReason, reason_to_skip

PAGE = 100
"""Entries a page at most, which is as many as YouTube gives of a playlist at a time."""


class Listing:
    """One pass. `open` makes the first request, `next_page` those that one page needs; `abandon` may come at any time.

    A page ends after `PAGE` entries or where the site's own ends, so that what is there already does not wait for
    several further requests (YouTube gives 30 of a channel at a time).
    """

    def __init__(self, url: str, options: ScanOptions, settings: YtDlpOptions) -> None:
        self.name = url
        self.expected: int | None = None
        self.complete = False
        self.note = ""
        self.skipped: Counter[SkipReason] = Counter()
        self._url = url
        self._options = options
        self._settings = settings
        self._seen: set[str] = set()
        self._pages: Iterator[list[Entry]] = iter(())
        self._downloader: Any = None
        self._abandoned = Event()
        self._working = Lock()

    def open(self) -> None:
        """Raises: SourceUnavailable, by class; ConfigurationError."""
        with self._turn():
            self._downloader = new_downloader(self._settings.parameters(self._options), self._abandoned)
            results = Results(self._downloader, self._url, self._settings.mix_limit)
            info = results.open()
            self.name = str(info.get("title") or self._url)
            if is_list(info):
                self.expected = info.get("playlist_count")
                entries = results.entries(info)
            else:
                self.expected = 1
                entries = iter([info])
            self._pages = self._read(results, info, entries)

    def next_page(self) -> list[Entry] | None:
        """The next wanted entries, none if nothing among those that were fetched is wanted; None at the list's end.

        Raises:
            SourceUnavailable: by class. What the broken page still gave is on the page returned before.
        """
        with self._turn():
            return next(self._pages, None)

    def abandon(self) -> None:
        """End the pass: now if nothing is being fetched, else with the request that is. Idempotent, for any thread."""
        self._abandoned.set()
        if self._working.acquire(blocking=False):
            try:
                self._pages = iter(())
                if self._downloader is not None:
                    self._downloader.close()
            finally:
                self._working.release()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        try:
            with self._working, translated(self._url):
                yield
        finally:
            if self._abandoned.is_set():
                self.abandon()

    def _read(self, results: Results, info: Info, entries: Iterator[Info]) -> Iterator[list[Entry]]:
        left = self._options.limit
        for page in self._in_order(info, self._batches(entries)):
            taken = page[:left]
            yield taken
            if left is not None:
                left -= len(taken)
                if left == 0:
                    self.note = f"only the first {self._options.limit} were asked for"
                    break
        if results.capped:
            self.note = f"a mix has no end: only its first {self._settings.mix_limit} entries were taken"
        self.complete = True

    def _in_order(self, info: Info, batches: Iterator[list[Info]]) -> Iterator[list[Entry]]:
        """Sites list their newest first, but for YouTube's playlists, which grow at their end, and feeds, which may."""
        kind = info.get("extractor_key")
        grows_at_its_end = kind == "YoutubeTab" and str(info.get("id")).startswith("PL")
        if not self._options.newest_first or not (grows_at_its_end or kind == "Generic"):
            for batch in batches:
                yield [entry for _, entry in self._wanted(batch)]
            return
        found: list[tuple[float, Entry]] = []
        for batch in batches:
            found += self._wanted(batch)
            yield []  # the whole list has to be read first; here is where it may be abandoned
        if grows_at_its_end:
            found.reverse()
        found.sort(key=lambda dated: dated[0], reverse=True)
        for start in range(0, len(found), PAGE):
            yield [entry for _, entry in found[start : start + PAGE]]

    def _wanted(self, batch: list[Info]) -> Iterator[tuple[float, Entry]]:
        """The wanted entries, each with the moment it was published (0 where that is unknown)."""
        for info in batch:
            entry = read_entry(info, self._url)
            if isinstance(entry, SkipReason):
                self.skipped[entry] += 1
            elif entry.key not in self._seen:
                self._seen.add(entry.key)
                if reason := reason_to_skip(entry, self._options):
                    self.skipped[reason] += 1
                else:
                    yield info.get("timestamp") or 0, entry

    def _batches(self, entries: Iterator[Info]) -> Iterator[list[Info]]:
        batch: list[Info] = []
        answered = 0
        try:
            for info in entries:
                if batch and self._downloader.requests != answered:
                    yield batch
                    batch = []
                answered = self._downloader.requests
                batch.append(info)
                if len(batch) == PAGE:
                    yield batch
                    batch = []
        except MutiraoError:
            if batch:
                yield batch
            raise
        if batch:
            yield batch
