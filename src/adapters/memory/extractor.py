"""Sources that are written down instead of fetched."""

from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence

from attrs import field, frozen

from domain.scan import Entry, ScanOptions, ScanSummary, SkipReason, reason_to_skip
from ports.errors import SourceUnavailable, SourceUnsupported
from ports.extractor import MetadataExtractor, Scan


@frozen
class ScriptedSource:
    """What a URL lists. `failure` is raised on opening it, or before page `fails_at` (from 0)."""

    name: str = ""
    entries: Sequence[Entry | SkipReason] = ()
    page_size: int = 100
    failure: SourceUnavailable | None = None
    fails_at: int | None = None


@frozen
class MemoryExtractor(MetadataExtractor):
    """Lists the scripted `sources` by URL; any other is unsupported."""

    sources: Mapping[str, ScriptedSource] = field(factory=dict)

    async def scan(self, url: str, options: ScanOptions) -> Scan:
        source = self.sources.get(url)
        if source is None:
            raise SourceUnsupported(f"{url}: no source is written down under this URL")
        if source.failure is not None and source.fails_at is None:
            raise source.failure
        return MemoryScan(url, source, options)

    async def close(self) -> None:
        pass


class MemoryScan(Scan):
    def __init__(self, url: str, source: ScriptedSource, options: ScanOptions) -> None:
        self._url = url
        self._source = source
        self._options = options
        self._skipped: Counter[SkipReason] = Counter()
        self._complete = False

    @property
    def name(self) -> str:
        return self._source.name or self._url

    @property
    def expected(self) -> int | None:
        return len(self._source.entries)

    @property
    def summary(self) -> ScanSummary:
        return ScanSummary(self._complete, dict(self._skipped))

    async def pages(self) -> AsyncGenerator[Sequence[Entry], None]:
        size, entries = self._source.page_size, list(self._source.entries)
        if self._options.newest_first:
            entries.reverse()
        seen: set[str] = set()
        for number, start in enumerate(range(0, max(1, len(entries)), size)):
            if self._source.failure is not None and self._source.fails_at == number:
                raise self._source.failure
            page = [entry for entry in entries[start : start + size] if self._wanted(entry, seen)]
            left = None if self._options.limit is None else self._options.limit - (len(seen) - len(page))
            wanted = [entry for entry in page[:left] if isinstance(entry, Entry)]
            if wanted:
                yield wanted
            if left is not None and left <= len(page):
                break
        self._complete = True

    def _wanted(self, entry: Entry | SkipReason, seen: set[str]) -> bool:
        reason = entry if isinstance(entry, SkipReason) else reason_to_skip(entry, self._options)
        if reason is not None:
            self._skipped[reason] += 1
            return False
        if not isinstance(entry, Entry) or entry.key in seen:
            return False
        seen.add(entry.key)
        return True
