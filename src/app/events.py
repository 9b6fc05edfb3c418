"""What happens in a worker, told as it happens, to whoever listens: the log, a live view, a test."""

from collections.abc import Callable, Mapping

from attrs import field, frozen

from domain.lifecycle import Settled
from domain.scan import SkipReason
from domain.session import Session
from domain.work import Source, Task


@frozen
class SessionOpened:
    session: Session


@frozen
class SessionLost:
    """Others took this worker for dead. What it held is somebody else's now."""

    session: Session


@frozen
class SessionsBuried:
    sessions: tuple[Session, ...]


@frozen
class SourceStarted:
    source: Source
    attempt: int


@frozen
class PageStored:
    """`new` tasks were stored and `known` ones met again, so far in this scan. `expected` is what the source claims."""

    source: Source
    name: str
    new: int
    known: int
    expected: int | None


@frozen
class SourceFinished:
    source: Source
    outcome: Settled
    new: int = 0
    known: int = 0
    skipped: Mapping[SkipReason, int] = field(factory=dict)
    note: str = ""


@frozen
class TaskStarted:
    task: Task
    attempt: int


@frozen
class TaskFinished:
    """`seconds` is how long the handler took."""

    task: Task
    outcome: Settled
    seconds: float


@frozen
class SettlementRefused:
    """The work was done, but the claim was no longer ours when it was to be recorded: it is done again elsewhere."""

    key: str


@frozen
class ExtractionPaused:
    """A site asked for fewer requests; this worker expands nothing for `seconds`."""

    seconds: float
    reason: str


@frozen
class StoreTrouble:
    """The store did not answer; the call is repeated in `seconds`, or given up where they are 0."""

    error: str
    seconds: float


WorkerEvent = (
    SessionOpened
    | SessionLost
    | SessionsBuried
    | SourceStarted
    | PageStored
    | SourceFinished
    | TaskStarted
    | TaskFinished
    | SettlementRefused
    | ExtractionPaused
    | StoreTrouble
)

Listener = Callable[[WorkerEvent], None]


def tell_nobody(_event: WorkerEvent) -> None:
    """The listener of who does not want to know."""
