"""How the work stands: workers, leader, counts, rates."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from domain.session import Lease, WorkerView
from domain.work import Counts
from ports.coordination import CoordinationStore
from ports.time import Clock

LEADERSHIP = "Source"
"""The name of the election, as in yt-gsheet-orchestrator's spreadsheets."""


@frozen
class Overview:
    """A snapshot. `at` is when it was taken."""

    at: datetime
    workers: Sequence[WorkerView]
    leader: Lease | None
    sources: Counts
    tasks: Counts

    @property
    def left(self) -> int:
        """Sources and tasks that somebody still has to finish."""
        return self.sources.left + self.tasks.left


async def overview(store: CoordinationStore, clock: Clock) -> Overview:
    return Overview(
        at=clock.now(),
        workers=await store.workers.active(),
        leader=await store.leases.holder(LEADERSHIP),
        sources=await store.sources.counts(),
        tasks=await store.tasks.counts(),
    )
