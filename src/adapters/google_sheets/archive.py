"""Moving what is settled to the History or the DLQ: one batch after the settlement was won."""

from collections.abc import Callable, Sequence
from typing import Generic

from attrs import frozen

from adapters.google_sheets.book import Book, Tab, View
from adapters.google_sheets.folding import FOLD_AT, Folding
from adapters.google_sheets.lane import Lane, Replies
from adapters.google_sheets.requests import Request, append_rows, replace_cell
from adapters.google_sheets.rows import Cells, QueueKind, Row, by_place, gone_cell, record_cells, states_key
from adapters.google_sheets.words import TOMBSTONE, Word, shortened
from domain.lifecycle import State
from domain.work import ItemT, Record

ERROR_LIMIT = 49_000
"""Characters of an error that a cell is given; Google allows 50,000 in all."""


@frozen(eq=False)
class Parting(Generic[ItemT]):
    """A row that leaves the queue: the word that it shows now, what is recorded, and its cells."""

    word: Word
    record: Record[ItemT]
    cells: Cells

    @property
    def emptied(self) -> Sequence[tuple[str, str, str]]:
        """Column, text and what comes in its place; each text is this row's alone."""
        url, key = self.cells["url"], self.cells.get("key", "")
        if states_key(key, url) and not url.endswith(f"#{self.word.tag}"):  # a person has cut it back from the DLQ
            return [("status", str(self.word), TOMBSTONE), ("key", key, gone_cell(key))]
        return [("status", str(self.word), TOMBSTONE), ("url", url, "")]


class Archive(Generic[ItemT]):
    """Partings ride with whatever is sent next.

    `seen` gives the rows that a lane has last seen: many partings are folded at once, unless that would harm one.
    """

    def __init__(
        self, kind: QueueKind[ItemT], book: Book, folding: Folding[ItemT], seen: Callable[[Lane], Sequence[Row[ItemT]]]
    ) -> None:
        self._kind: QueueKind[ItemT] = kind
        self._book = book
        self._folding: Folding[ItemT] = folding
        self._seen: Callable[[Lane], Sequence[Row[ItemT]]] = seen
        self._partings: dict[str, list[Parting[ItemT]]] = {}

    def keep(self, lane: Lane, parting: Parting[ItemT]) -> None:
        """Record `parting` with the next batch of `lane`."""
        waiting = self._partings.setdefault(lane.session, [])
        waiting.append(parting)
        if len(waiting) > 1:
            return  # one that rides already takes all
        sent: list[Parting[ItemT]] = []

        def build() -> Sequence[Request]:
            sent[:] = waiting
            requests = list(self._requests(sent))
            if self.folds(lane):
                requests.append(self._folding.request())
            return requests

        def learn(_replies: Replies, _view: View) -> None:
            # those that came while the batch was away ride with the next
            left = [one for one in waiting if one not in sent]
            waiting.clear()
            for one in left:
                self.keep(lane, one)

        lane.ride(build, learn)

    def folds(self, lane: Lane) -> int:
        """How many rows the next batch of `lane` folds away."""
        parting = len(self._partings.get(lane.session, ()))
        return parting if parting >= FOLD_AT and self._folding.safe(self._seen(lane)) else 0

    async def flush(self, lanes: Sequence[Lane]) -> None:
        """Send what rides now."""
        for lane in lanes:
            if self._partings.get(lane.session):
                await lane.take(list, lambda _replies, _view: None)

    def append(self, tab: Tab, records: Sequence[Record[ItemT]]) -> Request:
        """The request that adds `records` to a History or DLQ."""
        rows = [record_cells(self._kind, record) for record in records]
        for row in rows:
            row["error"] = shortened(row["error"], ERROR_LIMIT)
        return append_rows(tab.sheet, [by_place(tab.header, row) for row in rows])

    def _requests(self, partings: Sequence[Parting[ItemT]]) -> Sequence[Request]:
        requests: list[Request] = []
        for state, layout in ((State.COMPLETED, self._kind.history), (State.FAILED, self._kind.dlq)):
            records = [parting.record for parting in partings if parting.record.state is state]
            if records:
                requests.append(self.append(self._book[layout], records))
        queue = self._book[self._kind.queue]
        for parting in partings:
            requests += [replace_cell(queue.sheet, queue.header[name], old, new) for name, old, new in parting.emptied]
        return requests
