"""Sources that are written down instead of fetched."""

from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import TypeGuard

from attrs import field, frozen

from domain.scan import Entry, ScanOptions, ScanSummary, SkipReason, reason_to_skip
from ports.errors import SourceUnavailable, SourceUnsupported
from ports.extractor import MetadataExtractor, Scan


@frozen
class ScriptedSource:
    """What a URL lists.

    `failure` is raised on opening it, or before page `fails_at` (from 0): each time, or the first `heals_after` times.
    """

    name: str = ""
    entries: Sequence[Entry | SkipReason] = ()
    page_size: int = 100
    failure: SourceUnavailable | None = None
    fails_at: int | None = None
    heals_after: int | None = None


@frozen
class MemoryExtractor(MetadataExtractor):
    """Lists the scripted `sources` by URL; any other is unsupported. `fetches` counts the pages read of each."""

    sources: Mapping[str, ScriptedSource] = field(factory=dict)
    fetches: Counter[str] = field(factory=Counter, eq=False, init=False)
    _failures: Counter[str] = field(factory=Counter, eq=False, init=False)

    async def scan(self, url: str, options: ScanOptions) -> Scan:
        source = self.sources.get(url)
        if source is None:
            raise SourceUnsupported(f"{url}: no source is written down under this URL")
        if source.fails_at is None:
            self.fail(url, source)
        return MemoryScan(url, source, options, self)

    def fail(self, url: str, source: ScriptedSource) -> None:
        """Raise the scripted failure, as long as there is one."""
        healed = source.heals_after is not None and self._failures[url] >= source.heals_after
        if source.failure is not None and not healed:
            self._failures[url] += 1
            raise source.failure

    async def close(self) -> None:
        pass


class MemoryScan(Scan):
    def __init__(self, url: str, source: ScriptedSource, options: ScanOptions, extractor: MemoryExtractor) -> None:
        self._url = url
        self._source = source
        self._options = options
        self._extractor = extractor
        self._skipped: Counter[SkipReason] = Counter()
        self._complete = False
        self._note = ""

    @property
    def name(self) -> str:
        return self._source.name or self._url

    @property
    def expected(self) -> int | None:
        return len(self._source.entries)

    @property
    def summary(self) -> ScanSummary:
        return ScanSummary(self._complete, dict(self._skipped), self._note)

    async def pages(self) -> AsyncGenerator[Sequence[Entry], None]:
        limit, given, seen = self._options.limit, 0, set[str]()
        for page in self._fetched():
            wanted = [entry for entry in page if self._is_wanted(entry, seen)][: limit and limit - given]
            given += len(wanted)
            if wanted:
                yield wanted
            if limit is not None and given == limit:
                self._note = f"only the first {limit} were asked for"
                break
        self._complete = True

    def _fetched(self) -> Iterator[list[Entry]]:
        size, entries = self._source.page_size, list(self._source.entries)
        if self._options.newest_first:
            entries.reverse()
        for number, start in enumerate(range(0, max(1, len(entries)), size)):
            if self._source.fails_at == number:
                self._extractor.fail(self._url, self._source)
            self._extractor.fetches[self._url] += 1
            yield [entry for entry in entries[start : start + size] if self._can_be_watched(entry)]

    def _can_be_watched(self, entry: Entry | SkipReason) -> TypeGuard[Entry]:
        if isinstance(entry, SkipReason):
            self._skipped[entry] += 1
            return False
        return True

    def _is_wanted(self, entry: Entry, seen: set[str]) -> bool:
        if entry.key in seen:
            return False
        seen.add(entry.key)
        reason = reason_to_skip(entry, self._options)
        if reason is not None:
            self._skipped[reason] += 1
        return reason is None
