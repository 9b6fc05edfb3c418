"""Folding away the rows that were emptied: of all that look alike one stays."""

from collections import Counter
from collections.abc import Sequence
from typing import Generic

from adapters.google_sheets.book import Book, View
from adapters.google_sheets.lane import Lane
from adapters.google_sheets.requests import fold
from adapters.google_sheets.rows import QueueKind, Row
from domain.work import ItemT

FOLD_AT = 20
"""Emptied rows in a window from which on the first of the live sessions folds; the others wait for twice as many."""

_COMPARED = ("id", "url", "status")


class Folding(Generic[ItemT]):
    def __init__(self, kind: QueueKind[ItemT], book: Book) -> None:
        self._kind: QueueKind[ItemT] = kind
        self._book = book

    def consider(self, lane: Lane, rows: Sequence[Row[ItemT]], view: View) -> None:
        """Fold with the next batch of `lane`, if it is worth it and no two rows of a person's are taken for one.

        Whole rows go, as the range has no bounds to its columns: a person's own cells stay beside theirs.
        """
        emptied = sum(row.tombstone for row in rows) - 1
        first = min(view.fences, default=lane.session) == lane.session
        if emptied < (FOLD_AT if first else 2 * FOLD_AT):
            return
        looks = Counter(
            tuple(row.cells.get(name, "").casefold() for name in _COMPARED) for row in rows if not row.empty
        )
        if any(count > 1 for count in looks.values()):
            return
        tab = self._book[self._kind.queue]
        lane.ride(lambda: [fold(tab.sheet, [tab.header[name] for name in _COMPARED])], lambda _replies, _view: None)
