"""The items of shared work, claims on them, and what is recorded of them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Generic, TypeVar

from attrs import evolve, field, frozen

from domain.lifecycle import Settled, State
from domain.scan import ScanOptions


@frozen
class Source:
    """Something that can be expanded into tasks: a playlist, a channel, a feed, a single video.

    `key` identifies it (see `domain.dedupe`). `name` and `entries` are known once it was scanned, `scans` counts the
    complete scans so far. `options` are what the person who added it asked for. `full` asks for a whole pass.
    """

    key: str
    url: str
    name: str = ""
    entries: int | None = None
    options: ScanOptions = field(factory=ScanOptions)
    scans: int = 0
    full: bool = False


@frozen
class Task:
    """One unit of work: a URL to hand to the callback. `id` is what people see, `duration` is in seconds."""

    key: str
    url: str
    id: str = ""
    source: str = ""
    name: str = ""
    duration: float | None = None


ItemT = TypeVar("ItemT", Source, Task)


def rescanned(item: ItemT, *, full: bool) -> ItemT:
    """`item` as it goes back to the queue to be scanned again; a task stays as it is."""
    return evolve(item, full=full) if isinstance(item, Source) else item  # type: ignore[call-arg,unused-ignore]


@frozen
class Claim(Generic[ItemT]):
    """The right to work on `item`, held by a session.

    `epoch` tells this claim from any other on the same item, earlier or later. `attempt` counts from 1 and leaves out
    what was released or lost in a crash. `first_attempt_at` is when the first attempt of this run was claimed.
    """

    item: ItemT
    epoch: int
    attempt: int
    first_attempt_at: datetime


@frozen
class Settlement(Generic[ItemT]):
    """What the holder says of a claim. What `claim.item` has learnt meanwhile (name, count) is recorded with it."""

    claim: Claim[ItemT]
    event: Settled


@frozen
class Receipt:
    """Whether a settlement was recorded. False: the claim was no longer the session's, and nothing was changed."""

    key: str
    recorded: bool


@frozen
class Added:
    """Which keys of an `add` were new, and which the queue, the History or the DLQ knew already."""

    new: frozenset[str]
    duplicates: frozenset[str]


@frozen
class Record(Generic[ItemT]):
    """An item as the store keeps it. Times are the store's own, for display."""

    item: ItemT
    state: State
    attempts: int = 0
    crashes: int = 0
    worker: str = ""
    created_at: datetime | None = None
    claimed_at: datetime | None = None
    finished_at: datetime | None = None
    not_before: datetime | None = None
    error: str = ""


@frozen
class Page(Generic[ItemT]):
    """Some records, and the cursor (`after`) to the next ones; None where there are no more."""

    records: Sequence[Record[ItemT]]
    after: str | None


@frozen
class Counts:
    """How many items there are in each state, and how the queue moves.

    `oldest_pending` is when the longest-waiting PENDING item was added, `finished_last_minute` how many items were
    completed or failed in the last 60 s; None where there is none, or the store cannot tell cheaply.
    """

    by_state: Mapping[State, int] = field(factory=dict)
    oldest_pending: datetime | None = None
    finished_last_minute: int | None = None

    def __getitem__(self, state: State) -> int:
        return self.by_state.get(state, 0)

    @property
    def left(self) -> int:
        """Items that somebody still has to finish."""
        return self[State.PENDING] + self[State.CLAIMED]

    @property
    def total(self) -> int:
        return sum(self.by_state.values())
