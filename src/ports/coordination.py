"""The coordination store: who works, who leads, and the two queues of shared work.

An adapter implements the four protocols below over one store, so that several processes (and machines, where the
store allows) see the same. Promises that hold for all of them:

* Vendor exceptions never escape: a broken backend is `StoreUnavailable`, a foreign or newer one `StoreCorrupt`.
* Every write of a session that was buried or closed raises `LeaseLost` and changes nothing.
* Time is the injected clock's. Whether somebody else is dead is decided on the caller's own monotonic clock alone.
"""

from abc import abstractmethod
from collections.abc import Sequence
from types import TracebackType
from typing import Protocol, Self

from domain.lifecycle import Intervention, State
from domain.session import Lease, Session, Worker, WorkerStats, WorkerView
from domain.work import Added, Claim, Counts, ItemT, Page, Receipt, Settlement, Source, Task


class WorkerRegistry(Protocol):
    """Who works. A session is alive from `open` until it is closed or buried."""

    @abstractmethod
    async def open(self, worker: Worker) -> Session:
        """Start a session for `worker`, with an id never used before.

        A worker id belongs to one live process at a time, so an earlier session of the same id is a dead process's:
        it is buried at once, without waiting for any TTL.
        """

    @abstractmethod
    async def beat(self, session: Session, stats: WorkerStats) -> None:
        """Show that `session` is alive, and what it has done so far.

        Raises:
            LeaseLost: the session was buried or closed; its claims and leases are gone.
        """

    @abstractmethod
    async def active(self) -> Sequence[WorkerView]:
        """The sessions that are neither closed nor buried, oldest first."""

    @abstractmethod
    async def bury(self, ttl: float) -> Sequence[Session]:
        """Bury every session whose heartbeat has not moved for `ttl` seconds or more on this observer's clock.

        Its leases end. Each of its claims goes back to PENDING, or to the DLQ when that item has now lost as many
        holders as the store was told to bear (`max_crashes`, see `domain.lifecycle.after_burial`). Returns the sessions
        that this call has buried. A session is first seen by the first call after it appeared or moved: call this as
        often as heartbeats are sent. Idempotent.
        """

    @abstractmethod
    async def close(self, session: Session) -> None:
        """End `session` in good order: claims are released, leases end, the worker shows as INACTIVE.

        Idempotent; of a buried session it does nothing.
        """


class LeaseStore(Protocol):
    """Exclusive use of a name, at most one holder at a time."""

    @abstractmethod
    async def acquire(self, name: str, session: Session, ttl: float) -> Lease | None:
        """Take `name` for `session`, or None while somebody else holds it.

        A holder that has not renewed for `ttl` seconds or more, as seen by this observer over its own calls, is
        replaced; one whose session ended is replaced at once. The holder itself gets its lease back, renewed, with the
        same token; every change of holder makes the token grow.

        Raises:
            LeaseLost: `session` itself was buried or closed.
        """

    @abstractmethod
    async def renew(self, lease: Lease) -> None:
        """Keep `lease`.

        Raises:
            LeaseLost: it was taken over or released, or its session ended.
        """

    @abstractmethod
    async def release(self, lease: Lease) -> None:
        """Give `lease` up. Idempotent; of a lease that was lost it does nothing."""

    @abstractmethod
    async def holder(self, name: str) -> Lease | None:
        """Who holds `name` now, for display."""


class WorkQueue(Protocol[ItemT]):
    """Sources or tasks, from the queue to the History or the DLQ. One key, one record, for ever."""

    @abstractmethod
    async def add(self, items: Sequence[ItemT]) -> Added:
        """Enqueue those of `items` whose key is not known yet, in the order given; all of them or, on error, none.

        A key is known while it is queued, claimed, in the History, in the DLQ or discarded. Of several items with one
        key the first counts. Idempotent by key.
        """

    @abstractmethod
    async def claim(self, session: Session, limit: int) -> Sequence[Claim[ItemT]]:
        """Take up to `limit` (0 or more) PENDING items that are due, oldest first; none if there is none.

        No item is claimed by two sessions at a time, however many claim at once. Nothing is claimed in
        vain: what a call took whose answer was lost (it raised, or was cancelled) the session's next call returns.

        Raises:
            LeaseLost: `session` was buried or closed.
        """

    @abstractmethod
    async def settle(self, session: Session, settlements: Sequence[Settlement[ItemT]]) -> Sequence[Receipt]:
        """Record what became of claims: one receipt for each settlement, in order.

        A claim that is no longer `session`'s (an intervention, an earlier settlement) gets a receipt that says so,
        and changes nothing; the others are recorded. A source is recorded as the claim's item shows it, so that it
        keeps the name and count that its scan has found. Completed and Failed count the attempt, Retried counts it
        and sets when the item is due, Released counts nothing.

        Raises:
            LeaseLost: `session` was buried or closed; none was recorded.
        """

    @abstractmethod
    async def intervene(self, keys: Sequence[str], event: Intervention) -> frozenset[str]:
        """Apply a person's `event` to each of `keys` whose state allows it; returns those that changed.

        `Redriven` counts attempts and crashes afresh and clears the error. `Rescanned` keeps what is known of the
        item and sets `Source.full`.
        """

    @abstractmethod
    async def counts(self) -> Counts:
        """How many items there are in each state, and how the queue moves."""

    @abstractmethod
    async def list(self, state: State, *, after: str | None = None, limit: int = 100) -> Page[ItemT]:
        """Up to `limit` records in `state` behind the cursor `after`.

        PENDING and CLAIMED in queue order, the others in the order in which they got there. A record that stays in
        `state` while pages are read is seen exactly once.
        """


class CoordinationStore(Protocol):
    """One store, opened and closed as an async context manager.

    `idle_pause` is how many seconds whoever finds nothing to do should leave between two looks, at most: long where
    looks are metered. `batch_pause` is for how many seconds a worker may hold back what has finished, so that more of
    it is told in one call: none where calls are cheap.
    """

    idle_pause: float = 1.0
    batch_pause: float = 0.0
    workers: WorkerRegistry
    leases: LeaseStore
    sources: WorkQueue[Source]
    tasks: WorkQueue[Task]

    @abstractmethod
    async def __aenter__(self) -> Self:
        """Connect, and create or upgrade what the store needs.

        Raises:
            StoreUnavailable, StoreCorrupt, ConfigurationError: with what to do.
        """

    @abstractmethod
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of connections and threads. Sessions stay open: they are closed one by one."""
