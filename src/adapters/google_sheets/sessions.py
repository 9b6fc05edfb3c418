"""The sessions of this store, and what all of its parts share: time, and how old a look may be."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from adapters.google_sheets.book import Book, View
from adapters.google_sheets.lane import Lane
from adapters.google_sheets.pace import Pace
from domain.errors import LeaseLost
from domain.session import Session
from ports.time import Clock, RandomSource

EPOCHS = 10**9


class Sessions:
    def __init__(self, book: Book, pace: Pace, *, clock: Clock, random: RandomSource, freshness: float) -> None:
        self._book = book
        self._pace = pace
        self._clock = clock
        self._random = random
        self._freshness = freshness
        self.plain = Lane(book, pace, clock)
        self._lanes: dict[str, Lane] = {}

    def open_lane(self, session: str) -> Lane:
        return self._lanes.setdefault(session, Lane(self._book, self._pace, self._clock, session))

    def view(self) -> View | None:
        """The latest look of any of its sessions, if that is fresh."""
        views = [lane.view for lane in self.lanes() if lane.view and self.fresh(lane.view.at, self.monotonic())]
        return max(views, key=lambda view: view.at, default=None)

    def drop(self, session: str) -> None:
        self._lanes.pop(session, None)

    def lane(self, session: Session) -> Lane:
        """The lane of a live session of this store.

        Raises:
            LeaseLost: it has ended.
        """
        lane = self._lanes.get(session.id)
        if lane is None or lane.lost is not None:
            raise LeaseLost(f"session {session.id} of {session.worker.name} has ended: open a new one")
        return lane

    def lanes(self) -> Sequence[Lane]:
        """Those that are open and not lost."""
        return [lane for lane in self._lanes.values() if lane.lost is None and lane.count]

    def any_lane(self) -> Lane:
        """A fenced one if there is one: what it sends takes effect once, even when an answer is lost."""
        return next(iter(self.lanes()), self.plain)

    def now(self) -> datetime:
        """The time of day; Google's, where this machine's is far from it."""
        return self._clock.now() + timedelta(seconds=self._book.client.skew)

    def monotonic(self) -> float:
        return self._clock.monotonic()

    def fresh(self, at: float, asked: float) -> bool:
        """Whether a look begun at `at`, before a call was made at `asked`, will do for it (both monotonic)."""
        return at > asked - self._freshness

    def fresh_epoch(self) -> int:
        """An epoch that no row of a key has had: those count up from 0, or from an earlier draw."""
        return int(self._random.unit() * EPOCHS) + 1000
