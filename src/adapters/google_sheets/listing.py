"""What the tabs of one queue hold, for people and for counting."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Generic

from adapters.google_sheets.book import Book
from adapters.google_sheets.known import KnownKeys
from adapters.google_sheets.layout import WORKERS, TabLayout
from adapters.google_sheets.rows import QueueKind, finished, queued, row_of
from adapters.google_sheets.sessions import Sessions
from adapters.google_sheets.words import moment
from domain.lifecycle import State
from domain.work import Counts, ItemT, Page, Record


class Listing(Generic[ItemT]):
    def __init__(self, kind: QueueKind[ItemT], book: Book, sessions: Sessions, known: KnownKeys[ItemT]) -> None:
        self._kind: QueueKind[ItemT] = kind
        self._book = book
        self._sessions = sessions
        self._known: KnownKeys[ItemT] = known

    async def counts(self) -> Counts:
        """Of the whole queue; the History is counted by its end, once it was read."""
        found: Counter[State] = Counter()
        oldest = None
        rows = await self._book.read(self._kind.queue, ("url", "status", "created_at", "key"))
        for place, cells in rows.items():
            row = row_of(self._kind, place, cells)
            if row.empty or row.duplicate:
                continue
            state = row.word.state if row.word else State.PENDING
            found[state] += 1
            created = moment(cells.get("created_at", ""))
            if state is State.PENDING and created and (oldest is None or created < oldest):
                oldest = created
        found[State.COMPLETED] += await self._known.read_end(self._kind.history)
        dead = await self._book.read(self._kind.dlq, ("url", "status"))
        for cells in dead.values():
            if cells.get("url"):
                found[_dead_state(cells)] += 1
        return Counts(by_state={state: count for state, count in found.items() if count}, oldest_pending=oldest)

    async def finished(self, layout: TabLayout) -> Sequence[tuple[str, Record[ItemT]]]:
        """All records of a History or DLQ, each with what its URL cell holds, in the order of the tab."""
        names = [column.name for column in layout.columns]
        rows = await self._book.read(layout, names)
        dead = layout is self._kind.dlq
        return [
            (cells["url"], finished(self._kind, cells, _dead_state(cells) if dead else State.COMPLETED))
            for cells in rows.values()
            if cells.get("url", "").strip()
        ]

    async def page(self, state: State, after: str | None, limit: int) -> Page[ItemT]:
        """Records in `state` behind `after`, which is the key of the last one that was shown, and its row."""
        records: list[Record[ItemT]] = []
        place, key = _cursor(after)
        if state in (State.PENDING, State.CLAIMED):
            entries = await self._queued()
        else:
            layout = self._kind.history if state is State.COMPLETED else self._kind.dlq
            entries = [(n, record) for n, (_, record) in enumerate(await self.finished(layout))]
            entries += [(n + len(entries), record) for n, record in await self._queued()]
        start = next((n + 1 for n, (_, record) in enumerate(entries) if record.item.key == key), None)
        if start is None:
            start = sum(at < place for at, _ in entries)
        rest = [(at, record) for at, record in entries[start:] if record.state is state]
        records = [record for _, record in rest[:limit]]
        more = len(rest) > limit
        return Page(records, after=f"{rest[limit - 1][0]} {records[-1].item.key}" if more else None)

    async def _queued(self) -> list[tuple[int, Record[ItemT]]]:
        names = [column.name for column in self._kind.queue.columns]
        rows, workers = await self._book.read_all([(self._kind.queue, names), (WORKERS, ("session", "name"))])
        called = worker_names(workers)
        found = []
        for place, cells in rows.items():
            row = row_of(self._kind, place, cells)
            if not row.empty and not row.duplicate:
                session = row.word.session if row.word else ""
                found.append((place, queued(self._kind, row, called.get(session, session))))
        return found


def worker_names(rows: Mapping[int, Mapping[str, str]]) -> dict[str, str]:
    """What people call the worker of a session."""
    return {cells["session"]: cells.get("name", "") for cells in rows.values() if cells.get("session")}


def _dead_state(cells: Mapping[str, str]) -> State:
    return State.DISCARDED if cells.get("status", "").strip().upper() == State.DISCARDED else State.FAILED


def _cursor(after: str | None) -> tuple[int, str]:
    if after is None:
        return 0, ""
    place, _, key = after.partition(" ")
    return int(place) + 1, key
