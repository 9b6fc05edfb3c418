"""Folding away the rows that were emptied: of all that look alike one stays."""

from collections import Counter
from collections.abc import Sequence
from typing import Generic

from adapters.google_sheets.book import Book, View
from adapters.google_sheets.lane import Lane
from adapters.google_sheets.requests import Request, fold
from adapters.google_sheets.rows import QueueKind, Row
from domain.work import ItemT

FOLD_AT = 20
"""Emptied rows in a window from which on the first of the live sessions folds; the others wait for twice as many."""

_COMPARED = ("url", "status")


class Folding(Generic[ItemT]):
    def __init__(self, kind: QueueKind[ItemT], book: Book) -> None:
        self._kind: QueueKind[ItemT] = kind
        self._book = book

    def safe(self, rows: Sequence[Row[ItemT]]) -> bool:
        """Whether no two rows of a person's would be taken for one."""
        looks = Counter(_look(row) for row in rows if not row.empty)
        return all(count == 1 for count in looks.values())

    def request(self) -> Request:
        """The fold. Whole rows go, as its range has no bounds to its columns: a person's own cells stay with theirs."""
        tab = self._book[self._kind.queue]
        return fold(tab.sheet, [tab.header[name] for name in _COMPARED])

    def consider(self, lane: Lane, rows: Sequence[Row[ItemT]], view: View) -> None:
        """Fold with the next batch of `lane` what others have left, if it is worth it."""
        emptied = sum(row.tombstone for row in rows) - 1
        first = min(view.fences, default=lane.session) == lane.session
        if emptied >= (FOLD_AT if first else 2 * FOLD_AT) and self.safe(rows):
            lane.ride(lambda: [self.request()], lambda _replies, _view: None)


def _look(row: Row[ItemT]) -> tuple[str, ...]:
    return tuple(row.cells.get(name, "").casefold() for name in _COMPARED)
