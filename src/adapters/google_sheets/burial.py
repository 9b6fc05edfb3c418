"""Ending a session: its own, in good order, or somebody else's that has gone silent."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from adapters.google_sheets.archive import Parting
from adapters.google_sheets.book import Book, View, fence_name
from adapters.google_sheets.failures import Refused
from adapters.google_sheets.lane import Lane, Replies
from adapters.google_sheets.layout import WORKERS
from adapters.google_sheets.listing import worker_names
from adapters.google_sheets.requests import Request, drop_fence, replace_cell, replaced
from adapters.google_sheets.rows import Row, queued, row_of
from adapters.google_sheets.sessions import Sessions
from adapters.google_sheets.words import Word
from adapters.google_sheets.work_queue import SheetsWorkQueue
from domain.lifecycle import Failed, State, after_burial


@frozen
class _Legacy:
    """A row of a dead session, and the word that it is to have."""

    queue: SheetsWorkQueue[Any]
    row: Row[Any]
    word: Word
    worker: str


class Burial:
    def __init__(
        self, book: Book, sessions: Sessions, queues: Sequence[SheetsWorkQueue[Any]], max_crashes: int
    ) -> None:
        self._book = book
        self._sessions = sessions
        self._queues = queues
        self._max_crashes = max_crashes

    async def bury(self, lane: Lane, dead: str, count: int | None) -> bool:
        """End the session `dead`, whose fence has counted to `count` (None: it has none), in one batch of `lane`.

        What it was working on goes back to the queue, or is dead too when it has lost too many holders; what it had
        settled is recorded. False: it has moved, or somebody else has buried it.
        """
        legacies = await self._legacies(dead, lane.session or dead)
        requests: list[Request] = [] if count is None else [drop_fence(fence_name(dead, count))]
        opening = len(requests)
        for legacy in legacies:
            tab = self._book[legacy.queue.kind.queue]
            requests.append(replace_cell(tab.sheet, tab.header["status"], legacy.row.status, str(legacy.word)))

        def learn(replies: Replies, _view: View) -> None:
            for legacy, reply in zip(legacies, replies[opening:], strict=True):
                if replaced(reply) and legacy.word.state in (State.COMPLETED, State.FAILED):
                    record = queued(legacy.queue.kind, legacy.row, legacy.worker)
                    record = evolve(
                        record,
                        state=legacy.word.state,
                        finished_at=self._sessions.now(),
                        attempts=legacy.word.tries + (legacy.word.crashes == record.crashes),
                        crashes=legacy.word.crashes,
                        error=legacy.word.error,
                    )
                    legacy.queue.archive.keep(lane, Parting(legacy.word, record, legacy.row.cells))

        try:
            await lane.take(lambda: requests, learn, plainly=True)
        except Refused:
            return False
        for queue in self._queues:
            queue.changed()
        return True

    async def _legacies(self, dead: str, heir: str) -> Sequence[_Legacy]:
        wanted = [(queue.kind.queue, [column.name for column in queue.kind.queue.columns]) for queue in self._queues]
        *found, workers = await self._book.read_all([*wanted, (WORKERS, ("session", "name"))])
        name = worker_names(workers).get(dead, dead)
        legacies = []
        for queue, rows in zip(self._queues, found, strict=True):
            for place, cells in rows.items():
                row = row_of(queue.kind, place, cells)
                if row.word is not None and row.word.session == dead and not row.empty:
                    legacies.append(_Legacy(queue, row, self._inherited(row.word, heir), name))
        return legacies

    def _inherited(self, word: Word, heir: str) -> Word:
        if word.state is not State.CLAIMED:
            return evolve(word, session=heir)  # settled, and not recorded yet: the heir will
        crashes = word.crashes + 1
        match after_burial(crashes, self._max_crashes):
            case Failed(error):
                return evolve(word, label="FAILED", session=heir, crashes=crashes, error=error)
            case _:
                return word.pending(crashes=crashes)

    async def release(self, lane: Lane) -> None:
        """Give back what the session of `lane` holds, and record what it has settled."""
        for queue in self._queues:
            await queue.release(lane)
            await queue.flush()
