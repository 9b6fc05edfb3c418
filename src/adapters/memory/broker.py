"""The push queue's broker in memory: one process, gone with it."""

import asyncio
import heapq
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from itertools import count
from types import TracebackType
from typing import Self

from attrs import define, evolve, field

from domain.push import PushTask
from ports.broker import Broker, DeadTask, Delivery
from ports.time import Clock


@define
class _Queue:
    """Waiting tasks by due time and order of arrival, the dead, and a bell for consumers."""

    waiting: list[tuple[float, int, PushTask]] = field(factory=list)
    dead: dict[str, DeadTask] = field(factory=dict)
    bell: asyncio.Condition = field(factory=asyncio.Condition)


class MemoryBroker(Broker):
    """See `ports.broker`."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock
        self._order = count()
        self._queues: defaultdict[str, _Queue] = defaultdict(_Queue)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    async def publish(self, queue: str, tasks: Sequence[PushTask]) -> None:
        for task in tasks:
            await self._put(queue, task, next(self._order))

    async def consume(self, queue: str, prefetch: int) -> AsyncGenerator[Delivery, None]:
        unended: set[MemoryDelivery] = set()
        bell = self._queues[queue].bell
        try:
            while True:
                async with bell:
                    while len(unended) >= prefetch or not self._due(queue):
                        await self._wait(queue)
                    _, order, task = heapq.heappop(self._queues[queue].waiting)
                delivery = MemoryDelivery(self, queue, task, order, unended)
                unended.add(delivery)
                yield delivery
        finally:
            for delivery in list(unended):
                await delivery.release()

    async def list_dead(self, queue: str, limit: int = 100) -> Sequence[DeadTask]:
        return list(self._queues[queue].dead.values())[:limit]

    async def redrive(self, queue: str, ids: Sequence[str] | None = None) -> frozenset[str]:
        dead = self._take_dead(queue, ids)
        fresh = [evolve(d.task, attempts=0, not_before=None, first_attempt_at=None) for d in dead if d.task]
        await self.publish(queue, fresh)
        return frozenset(letter.id for letter in dead)

    async def purge(self, queue: str, ids: Sequence[str] | None = None) -> frozenset[str]:
        return frozenset(letter.id for letter in self._take_dead(queue, ids))

    def _take_dead(self, queue: str, ids: Sequence[str] | None) -> list[DeadTask]:
        dead = self._queues[queue].dead
        return [dead.pop(key) for key in (list(dead) if ids is None else ids) if key in dead]

    async def _put(self, queue: str, task: PushTask, order: int) -> None:
        due = task.not_before.timestamp() if task.not_before else 0.0
        heapq.heappush(self._queues[queue].waiting, (due, order, task))
        await self._ring(queue)

    def _bury(self, queue: str, task: PushTask, reason: str) -> None:
        self._queues[queue].dead[task.id] = DeadTask(task.id, task, reason, self._clock.now())

    async def _ring(self, queue: str) -> None:
        async with self._queues[queue].bell:
            self._queues[queue].bell.notify_all()

    def _due(self, queue: str) -> bool:
        waiting = self._queues[queue].waiting
        return bool(waiting) and waiting[0][0] <= self._clock.now().timestamp()

    async def _wait(self, queue: str) -> None:
        """Until the bell rings, or the first of the waiting is due. Called with the bell held."""
        waiting, bell = self._queues[queue].waiting, self._queues[queue].bell
        alarm = None
        if waiting and not self._due(queue):
            alarm = asyncio.create_task(self._ring_in(queue, waiting[0][0] - self._clock.now().timestamp()))
        try:
            await bell.wait()
        finally:
            if alarm is not None:
                alarm.cancel()

    async def _ring_in(self, queue: str, seconds: float) -> None:
        await self._clock.sleep(seconds)
        await self._ring(queue)


class MemoryDelivery(Delivery):
    def __init__(
        self, broker: MemoryBroker, queue: str, task: PushTask, order: int, unended: "set[MemoryDelivery]"
    ) -> None:
        self._broker = broker
        self._queue = queue
        self._task = task
        self._order = order
        self._unended = unended

    @property
    def task(self) -> PushTask:
        return self._task

    async def ack(self) -> None:
        if self._end():
            await self._broker._ring(self._queue)  # noqa: SLF001 - a delivery is its broker's own

    async def retry(self, at: datetime, reason: str) -> None:  # noqa: ARG002 - memory keeps no history of reasons
        if self._end():
            again = evolve(self._failed(), not_before=at)
            await self._broker._put(self._queue, again, next(self._broker._order))  # noqa: SLF001

    async def dead_letter(self, reason: str) -> None:
        if self._end():
            self._broker._bury(self._queue, self._failed(), reason)  # noqa: SLF001
            await self._broker._ring(self._queue)  # noqa: SLF001

    async def release(self) -> None:
        if self._end():
            await self._broker._put(self._queue, self._task, self._order)  # noqa: SLF001

    def _end(self) -> bool:
        """True the first time."""
        if self not in self._unended:
            return False
        self._unended.discard(self)
        return True

    def _failed(self) -> PushTask:
        first = self._task.first_attempt_at or self._broker._clock.now()  # noqa: SLF001
        return evolve(self._task, attempts=self._task.attempts + 1, first_attempt_at=first)
