"""The push queue's broker in memory: for one process and one event loop, gone with it."""

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from types import TracebackType
from typing import Self

from attrs import evolve

from adapters.memory.message_queue import Message, MessageQueue, Post
from domain.envelope import decode, encode, headers_of
from domain.errors import MessageUndecodable
from domain.push_limits import check
from domain.push_queue import EVERYTHING, DeadTask, Depth, Selection
from domain.push_task import Attempts, PushTask
from ports.broker import Broker, Delivery
from ports.time import Clock, IdGenerator


class MemoryBroker(Broker):
    """One participant. Those that are given the same `post` see the same queues."""

    def __init__(self, *, clock: Clock, ids: IdGenerator, post: Post) -> None:
        self._clock = clock
        self._ids = ids
        self._post = post
        self._in_hand: set[MemoryDelivery] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.lose_connection()

    def lose_connection(self) -> None:
        """What an outage does: whatever is in hand goes back."""
        for delivery in list(self._in_hand):
            delivery.take_back()

    async def publish(self, queue: str, tasks: Sequence[PushTask]) -> None:
        for task in tasks:
            check(task)
        envelopes = [(encode(task), task.schedule_time) for task in tasks]
        for envelope, due in envelopes:
            self._post.queues[queue].put(envelope, due)

    async def consume(self, queue: str, prefetch: int) -> AsyncGenerator[Delivery, None]:
        messages = self._post.queues[queue]
        own: set[MemoryDelivery] = set()
        while True:
            own &= self._in_hand
            message = messages.take(self._clock.now()) if len(own) < prefetch else None
            if message is None:
                await messages.change(self._clock)
                continue
            try:
                task = decode(message.envelope, new_id=self._ids.new_id())
            except MessageUndecodable as error:
                identifier = message.envelope.id or self._ids.new_id()
                messages.dead.append(
                    DeadTask(identifier, str(error), body=message.envelope.body, died_at=self._clock.now())
                )
                continue
            delivery = MemoryDelivery(task, message, messages, self._in_hand, self._clock)
            own.add(delivery)
            yield delivery

    async def depth(self, queue: str) -> Depth:
        messages = self._post.queues[queue]
        messages.move_on(self._clock.now())
        return Depth(len(messages.ready), len(messages.delayed), len(messages.dead))

    async def list_dead(self, queue: str, which: Selection = EVERYTHING, *, limit: int = 100) -> Sequence[DeadTask]:
        return [letter for letter in self._post.queues[queue].dead if which.includes(letter)][:limit]

    async def redrive(self, queue: str, which: Selection = EVERYTHING) -> AsyncGenerator[DeadTask, None]:
        messages = self._post.queues[queue]
        for letter in list(messages.dead):
            if letter.task is None or not which.includes(letter) or letter not in messages.dead:
                continue
            messages.put(encode(letter.task.redriven()))
            messages.dead.remove(letter)
            yield letter

    async def purge(self, queue: str, which: Selection = EVERYTHING) -> int:
        messages = self._post.queues[queue]
        left = [letter for letter in messages.dead if not which.includes(letter)]
        gone = len(messages.dead) - len(left)
        messages.dead[:] = left
        return gone


class MemoryDelivery(Delivery):
    """In hand as long as it is among `in_hand`."""

    def __init__(
        self, task: PushTask, message: Message, messages: MessageQueue, in_hand: "set[MemoryDelivery]", clock: Clock
    ) -> None:
        self._task = task
        self._message = message
        self._messages = messages
        self._in_hand = in_hand
        self._clock = clock
        in_hand.add(self)

    @property
    def task(self) -> PushTask:
        return self._task

    async def ack(self) -> bool:
        return self._end()

    async def retry(self, at: datetime, attempts: Attempts) -> bool:
        ended = self._end()
        if ended:
            again = self._task.retried(at, attempts)
            envelope = evolve(self._message.envelope, id=again.id, headers=headers_of(again))
            self._messages.put(envelope, at)
        return ended

    async def dead_letter(self, reason: str, attempts: Attempts) -> bool:
        ended = self._end()
        if ended:
            task = evolve(self._task, attempts=attempts)
            self._messages.dead.append(DeadTask(task.id, reason, task, self._message.envelope.body, self._clock.now()))
        return ended

    async def release(self) -> bool:
        return self.take_back()

    def take_back(self) -> bool:
        ended = self._end()
        if ended:
            self._messages.give_back(self._message)
        return ended

    def _end(self) -> bool:
        """True the first time, while the delivery is in hand."""
        if self not in self._in_hand:
            return False
        self._in_hand.remove(self)
        self._messages.ring()
        return True
