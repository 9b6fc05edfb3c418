"""The broker of the push queue: what a publisher hands over is kept until a consumer has dealt with it."""

from abc import abstractmethod
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self

from attrs import frozen

from domain.push import PushTask


class Publisher(Protocol):
    @abstractmethod
    async def publish(self, queue: str, tasks: Sequence[PushTask]) -> None:
        """Hand `tasks` over; on return the broker has all of them and keeps them through its own restart.

        A task with `not_before` is delivered no earlier. A queue that does not exist is made.

        Raises:
            BrokerUnavailable, PublishUnconfirmed: some or all may be there; publishing them again is safe.
        """


class Delivery(Protocol):
    """One task in a consumer's hands. Exactly one of the four methods ends it; a second one does nothing."""

    @property
    @abstractmethod
    def task(self) -> PushTask:
        """The task, with the attempts that have failed so far."""

    @abstractmethod
    async def ack(self) -> None:
        """It is done: forget it."""

    @abstractmethod
    async def retry(self, at: datetime, reason: str) -> None:
        """It failed: deliver it again, not before `at`, with one more failed attempt."""

    @abstractmethod
    async def dead_letter(self, reason: str) -> None:
        """It failed for good: keep it among the dead, with `reason` and one more failed attempt."""

    @abstractmethod
    async def release(self) -> None:
        """Give it back as it came: it is delivered again at once, no attempt is counted."""


class Consumer(Protocol):
    @abstractmethod
    def consume(self, queue: str, prefetch: int) -> AsyncGenerator[Delivery, None]:
        """Deliveries as they come due, at most `prefetch` of them not ended at a time; it waits for ever.

        Oldest first, as far as due times and retries allow. Each task is in one consumer's hands at a time. What is
        not ended when the consumer is closed (or dies) is delivered again. A message that cannot be decoded is not
        delivered: it goes to the dead letters, with the reason.
        """


@frozen
class DeadTask:
    """A dead letter. `task` is None where the message could not be decoded; `raw` is then what it was."""

    id: str
    task: PushTask | None
    reason: str
    died_at: datetime | None = None
    raw: bytes = b""


class DeadLetters(Protocol):
    @abstractmethod
    async def list_dead(self, queue: str, limit: int = 100) -> Sequence[DeadTask]:
        """Up to `limit` of `queue`'s dead, oldest first."""

    @abstractmethod
    async def redrive(self, queue: str, ids: Sequence[str] | None = None) -> frozenset[str]:
        """Send those of `ids` (None: all) back to `queue`, attempts counted afresh; returns their ids.

        One that could not be decoded stays.
        """

    @abstractmethod
    async def purge(self, queue: str, ids: Sequence[str] | None = None) -> frozenset[str]:
        """Forget those of `ids` (None: all) that are dead; returns their ids."""


class Broker(Publisher, Consumer, DeadLetters, Protocol):
    """All three over one connection, opened and closed as an async context manager."""

    @abstractmethod
    async def __aenter__(self) -> Self:
        """Connect.

        Raises:
            BrokerUnavailable, ConfigurationError: with what to do.
        """

    @abstractmethod
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the connection. What is not ended is delivered again."""
