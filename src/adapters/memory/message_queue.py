"""One queue of messages in memory: those that are due, those that are delayed, and the dead."""

import asyncio
import heapq
from collections import defaultdict
from datetime import datetime
from itertools import count

from attrs import define, field

from domain.envelope import Envelope
from domain.push_queue import DeadTask
from ports.time import Clock


@define(order=True)
class Message:
    """An envelope in its place: by priority, then by order of arrival."""

    urgency: int
    place: int
    envelope: Envelope = field(order=False)


@define
class MessageQueue:
    """Whoever waits for a message sleeps on a bell of its own."""

    ready: list[Message] = field(factory=list)
    delayed: list[tuple[datetime, int, Envelope]] = field(factory=list)
    dead: list[DeadTask] = field(factory=list)
    bells: list[asyncio.Event] = field(factory=list)
    places: "count[int]" = field(factory=count)

    def put(self, envelope: Envelope, due: datetime | None = None) -> None:
        if due is None:
            self.give_back(Message(-envelope.priority, next(self.places), envelope))
        else:
            heapq.heappush(self.delayed, (due, next(self.places), envelope))
            self.ring()

    def give_back(self, message: Message) -> None:
        heapq.heappush(self.ready, message)
        self.ring()

    def take(self, now: datetime) -> Message | None:
        """The first message that is due, no longer in the queue."""
        self.move_on(now)
        return heapq.heappop(self.ready) if self.ready else None

    def move_on(self, now: datetime) -> None:
        """Line up what has come due, behind what was there."""
        while self.delayed and self.delayed[0][0] <= now:
            self.put(heapq.heappop(self.delayed)[2])

    def ring(self) -> None:
        """Wake all who wait: something has changed."""
        for bell in self.bells:
            bell.set()

    async def change(self, clock: Clock) -> None:
        """Wait until something has changed, or the first of the delayed is due."""
        bell = asyncio.Event()
        self.bells.append(bell)
        alarm = asyncio.create_task(self._ring_when_due(clock))
        try:
            await bell.wait()
        finally:
            self.bells.remove(bell)
            alarm.cancel()

    async def _ring_when_due(self, clock: Clock) -> None:
        if self.delayed:
            await clock.sleep((self.delayed[0][0] - clock.now()).total_seconds())
            self.ring()


@define
class Post:
    """The queues that several `MemoryBroker`s of one process share."""

    queues: defaultdict[str, MessageQueue] = field(factory=lambda: defaultdict(MessageQueue))
