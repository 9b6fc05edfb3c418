"""The broker of the push queue: what a publisher hands over is kept until a consumer has dealt with it.

A queue comes to be when it is first published to or consumed from. Delivery is at least once: a task may be delivered
again after a crash or an outage, under the same id. Vendor exceptions never escape.
"""

from abc import abstractmethod
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self

from domain.push_queue import EVERYTHING, DeadTask, Depth, Selection
from domain.push_task import Attempts, PushTask


class Publisher(Protocol):
    """Where tasks are handed over."""

    @abstractmethod
    async def publish(self, queue: str, tasks: Sequence[PushTask]) -> None:
        """Hand `tasks` over; on return the broker has all of them and keeps them through its own restart.

        A task is delivered in the order of publishing, but not before its `schedule_time`. Publishing a task again is
        safe: it may be delivered twice, under its one id.

        Raises:
            TaskRefused: a task breaks a limit (`domain.push_limits`, `domain.envelope`); none was handed over.
            BrokerUnavailable, PublishUnconfirmed: some or all may be there; publish them again.
        """


class Delivery(Protocol):
    """One task in a consumer's hands. Exactly one of the four methods ends it; a second one changes nothing.

    Each of them returns whether that was recorded. False: the broker had taken the task back (the connection broke, the
    broker was closed), or the delivery was ended before. A task that was taken back is delivered again.
    """

    @property
    @abstractmethod
    def task(self) -> PushTask:
        """The task, with the attempts that have failed so far."""

    @abstractmethod
    async def ack(self) -> bool:
        """It is done: forget it."""

    @abstractmethod
    async def retry(self, at: datetime, attempts: Attempts) -> bool:
        """It failed: deliver it again with these `attempts`, not before `at`, its new `schedule_time`.

        The broker has the new message before it forgets the old one: a crash between them makes two, never none.
        """

    @abstractmethod
    async def dead_letter(self, reason: str, attempts: Attempts) -> bool:
        """It failed for good: keep it among the dead with `reason` and `attempts`, as safely as `retry` does."""

    @abstractmethod
    async def release(self) -> bool:
        """Give it back as it came: it is delivered again at once, to whoever is first, and no attempt is counted."""


class Consumer(Protocol):
    """Where tasks are fetched."""

    @abstractmethod
    def consume(self, queue: str, prefetch: int) -> AsyncGenerator[Delivery, None]:
        """Deliveries as they come due, at most `prefetch` of them not ended at a time; it waits for ever.

        Oldest first, as far as due times and retries allow. A task is in one consumer's hands at a time. An outage of
        the broker is waited out, also at the start; what was in hand then is delivered again.

        `aclose()` ends it: what was not handed out yet goes back at once, what was can still be ended. A message that
        holds no task is never delivered: it goes to the dead letters, with the reason.
        """

    @abstractmethod
    async def depth(self, queue: str) -> Depth:
        """How many tasks wait in `queue`, roughly while others work on it; all zero for one that does not exist.

        Raises:
            BrokerUnavailable: nobody could be asked.
        """


class DeadLetters(Protocol):
    """Tasks that failed for good, and messages that hold none. Each method may raise `BrokerUnavailable`."""

    @abstractmethod
    async def list_dead(self, queue: str, which: Selection = EVERYTHING, *, limit: int = 100) -> Sequence[DeadTask]:
        """Up to `limit` of `queue`'s dead, oldest first. They stay where they are."""

    @abstractmethod
    def redrive(self, queue: str, which: Selection = EVERYTHING) -> AsyncGenerator[DeadTask, None]:
        """Send the dead back to `queue`, oldest first, attempts counted afresh; each is given when it is back.

        The next follows when the one before has been taken: whoever takes slowly redrives slowly, whoever stops leaves
        the rest dead. What died after the call is left alone, so that a task that fails again does not go round. A
        message that holds no task stays.
        """

    @abstractmethod
    async def purge(self, queue: str, which: Selection = EVERYTHING) -> int:
        """Forget the dead for ever; returns how many."""


class Broker(Publisher, Consumer, DeadLetters, Protocol):
    """All three over one broker, opened and closed as an async context manager."""

    @abstractmethod
    async def __aenter__(self) -> Self:
        """Begin; the broker itself may still be absent.

        Raises:
            ConfigurationError: what it is told to connect to is nothing that could be, with what to do.
        """

    @abstractmethod
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of connections and threads. Whatever is not ended is delivered again."""
