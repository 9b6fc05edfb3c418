"""Which keys are known, at a cost that does not grow with the History: it is read once, and then its end."""

from typing import Generic

from attrs import define, field

from adapters.google_sheets.book import Book
from adapters.google_sheets.layout import TabLayout
from adapters.google_sheets.rows import QueueKind, Row, row_of
from adapters.google_sheets.sessions import Sessions
from domain.work import ItemT

OVERLAP = 20
"""Rows that are read again, to see whether those before them are still where they were."""

_READ = ("url", "key")


@define
class _Tail:
    """How far a tab was read: the place behind its last row, and what its last rows showed."""

    end: int = 1
    last: dict[int, dict[str, str]] = field(factory=dict)
    rows: int = 0
    keys: set[str] = field(factory=set)


class KnownKeys(Generic[ItemT]):
    """`in` tells whether a key is in the queue, the History or the DLQ, as of the last `refresh`."""

    def __init__(self, kind: QueueKind[ItemT], book: Book, sessions: Sessions) -> None:
        self._kind: QueueKind[ItemT] = kind
        self._book = book
        self._sessions = sessions
        self._read_at = float("-inf")
        self._queue: set[str] = set()
        self._tails = {kind.history.title: _Tail(), kind.dlq.title: _Tail()}

    def __contains__(self, key: str) -> bool:
        return key in self._queue or any(key in tail.keys for tail in self._tails.values())

    def recorded(self, key: str) -> bool:
        """Whether it is in the History or the DLQ."""
        return any(key in tail.keys for tail in self._tails.values())

    def add(self, keys: set[str]) -> None:
        self._queue |= keys

    async def refresh(self) -> None:
        """Read what is new, unless that was done a moment ago."""
        asked = self._sessions.monotonic()
        if self._sessions.fresh(self._read_at, asked):
            return
        rows = await self._book.read(self._kind.queue, _READ)
        self._queue = {row.key for row in self._rows(rows) if not row.empty}
        for layout in (self._kind.history, self._kind.dlq):
            await self.read_end(layout)
        self._read_at = asked

    async def read_end(self, layout: TabLayout) -> int:
        """Read the end of a tab (all of it, where its rows have moved); returns how many rows it holds."""
        tail = self._tails[layout.title]
        first = max(1, tail.end - OVERLAP)
        rows = await self._book.read(layout, _READ, first=first)
        if {place: cells for place, cells in rows.items() if place < tail.end} != tail.last:
            tail = self._tails[layout.title] = _Tail()
            first = 1
            rows = await self._book.read(layout, _READ)
        for row in self._rows({place: cells for place, cells in rows.items() if place >= tail.end}):
            if not row.empty:
                tail.keys.add(row.key)
                tail.rows += 1
        tail.end = max(rows, default=tail.end - 1) + 1
        tail.last = {place: cells for place, cells in rows.items() if place >= tail.end - OVERLAP}
        return tail.rows

    def _rows(self, rows: dict[int, dict[str, str]]) -> list[Row[ItemT]]:
        return [row_of(self._kind, place, cells) for place, cells in rows.items()]
