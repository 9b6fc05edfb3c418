"""What the in-memory coordination stores of one process share."""

from datetime import datetime
from typing import Generic

from attrs import define, field

from domain.errors import LeaseLost
from domain.session import Lease, Session, WorkerStats
from domain.work import ItemT, Record, Source, Task


@define
class Presence:
    session: Session
    last_beat: datetime
    beats: int = 0
    stats: WorkerStats = field(factory=WorkerStats)


@define
class Tenure:
    lease: Lease
    renewals: int = 0


@define
class Row(Generic[ItemT]):
    """A record, its place in the queue, and when (in the board's sequence) it came into its state."""

    record: Record[ItemT]
    place: int
    arrival: int
    session: str | None = None
    epoch: int = 0
    first_attempt_at: datetime | None = None


@define
class Shelf(Generic[ItemT]):
    """All rows of one queue, and a heap of the places of those that are PENDING."""

    rows: dict[str, Row[ItemT]] = field(factory=dict)
    pending: list[tuple[int, str]] = field(factory=list)


@define
class Board:
    """What several `MemoryCoordinationStore`s of one process share."""

    live: dict[str, Presence] = field(factory=dict)
    tenures: dict[str, Tenure] = field(factory=dict)
    sources: Shelf[Source] = field(factory=Shelf)
    tasks: Shelf[Task] = field(factory=Shelf)
    sequence: int = 0

    def next(self) -> int:
        """A number greater than any before."""
        self.sequence += 1
        return self.sequence

    def require(self, session: Session) -> None:
        if session.id not in self.live:
            raise LeaseLost(f"session {session.id} of {session.worker.name} has ended: open a new one")
