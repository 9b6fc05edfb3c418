"""What the broker suites ask of whoever binds them, and what they do with it."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from datetime import UTC, datetime

from attrs import frozen

from domain.push_task import Attempts, PushTask
from ports.broker import Broker, Delivery
from ports.time import Clock

PATIENCE = 60.0
"""Seconds after which a test no longer waits for what must come."""


def _passes_by_itself(_seconds: float) -> None:
    """A real clock needs no help."""


@frozen
class BrokerBackend:
    """Two queues, `queue` and `other`, that are fresh. Each `connect()` gives a participant's broker, not yet entered.

    All of them live by `clock`. Where time passes only when it is told to, `let_pass` lets so many seconds pass.
    `delay` is how many seconds the suite delays a task, `quiet` how many real seconds without a delivery mean that
    none is coming.

    What a broker cannot do is None, and its tests are skipped: `inject` puts a raw body into a queue, `interrupt`
    breaks every connection.
    """

    connect: Callable[[], Broker]
    clock: Clock
    queue: str
    other: str
    let_pass: Callable[[float], None] = _passes_by_itself
    delay: float = 2.0
    quiet: float = 0.3
    priorities: bool = False
    inject: Callable[[str, bytes], Awaitable[None]] | None = None
    interrupt: Callable[[], Awaitable[None]] | None = None


FAILED_ONCE = Attempts(1, 0, datetime(2026, 1, 1, 12, 0, 0, 500, tzinfo=UTC), 503, "HTTP 503: 日本")


def tasks(count: int, start: int = 0) -> list[PushTask]:
    return [
        PushTask(f"task-{n}", f"https://x.example/{n}", "POST", {"X-N": str(n)}, {"n": n, "ü": [None, 1.5]})
        for n in range(start, start + count)
    ]


def names(deliveries: Sequence[Delivery]) -> list[str]:
    return [delivery.task.id for delivery in deliveries]


async def take(deliveries: AsyncGenerator[Delivery, None], count: int) -> list[Delivery]:
    """The next `count` deliveries."""
    async with asyncio.timeout(PATIENCE):
        return [await anext(deliveries) for _ in range(count)]


async def take_in_time(backend: BrokerBackend, deliveries: AsyncGenerator[Delivery, None]) -> Delivery:
    """The next delivery, which must not come before `backend.delay` has passed."""
    waiting = asyncio.ensure_future(take(deliveries, 1))
    await asyncio.wait({waiting}, timeout=min(backend.quiet, backend.delay / 2))
    assert not waiting.done(), "a delayed task came at once"
    backend.let_pass(backend.delay)
    (delivery,) = await waiting
    return delivery


async def nothing_comes(backend: BrokerBackend, deliveries: AsyncGenerator[Delivery, None]) -> bool:
    """Whether no delivery is to be had. Ends the consumer."""
    waiting = asyncio.ensure_future(anext(deliveries))
    await asyncio.wait({waiting}, timeout=backend.quiet)
    came = waiting.done()
    waiting.cancel()
    await asyncio.wait({waiting})
    return not came
