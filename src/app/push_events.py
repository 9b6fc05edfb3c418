"""What happens in a push worker, told as it happens: to the log, a test, whoever listens."""

from collections.abc import Callable
from datetime import datetime

from attrs import frozen

from domain.lifecycle import Completed, Failed, Retried
from domain.outcome import DispatchResult
from domain.push_task import PushTask


@frozen
class PushWorkerStarted:
    queue: str
    slots: int


@frozen
class PushFinished:
    """One attempt is over. `recorded` is False where the broker had taken the task back: it is delivered again."""

    queue: str
    task: PushTask
    result: DispatchResult
    outcome: Completed | Retried | Failed
    recorded: bool


@frozen
class PushReleased:
    """The worker stops, and the attempt was not over within the grace period: the task goes back."""

    queue: str
    task: PushTask


@frozen
class QueueSlowedDown:
    """The target asks for fewer requests: at most `allowed` at a time, none for `pause` seconds."""

    queue: str
    allowed: int
    pause: float


@frozen
class CronFired:
    queue: str
    slot: datetime
    result: DispatchResult


@frozen
class CronMissed:
    """Nobody could send the request of `slot` in time."""

    queue: str
    slot: datetime
    reason: str


@frozen
class BrokerTrouble:
    """The broker did not do what it was asked; it is asked again in `seconds`."""

    queue: str
    error: str
    seconds: float


PushEvent = PushWorkerStarted | PushFinished | PushReleased | QueueSlowedDown | CronFired | CronMissed | BrokerTrouble

PushListener = Callable[[PushEvent], None]


def push_unheard(_event: PushEvent) -> None:
    """The listener of who does not want to know."""
