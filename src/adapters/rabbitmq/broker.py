"""The push queue's broker on RabbitMQ."""

from collections.abc import AsyncGenerator, Sequence
from types import TracebackType
from typing import Self

from adapters.rabbitmq.addresses import addresses
from adapters.rabbitmq.connection import Link
from adapters.rabbitmq.consumer import ReconnectingConsumer
from adapters.rabbitmq.dead_letters import DeadLetterQueue
from adapters.rabbitmq.failures import translated
from adapters.rabbitmq.messages import message_of
from adapters.rabbitmq.publisher import ConfirmedPublisher
from adapters.rabbitmq.topology import dead_letters_of, waiting_in
from domain.push_limits import check
from domain.push_queue import EVERYTHING, DeadTask, Depth, Selection
from domain.push_task import PushTask
from ports.broker import Broker, Delivery
from ports.time import Clock, RandomSource

PATIENCE = 30.0
"""Seconds that publishing goes on trying while nothing gets through."""


class RabbitMqBroker(Broker):
    """One participant, of one event loop: threads hand their calls to it (`asyncio.run_coroutine_threadsafe`).

    Publishing and consuming have a connection each, because a broker that is short of memory stops reading from those
    that publish, and what is done must still be acknowledged. `url` is as in `adapters.rabbitmq.addresses`.
    """

    def __init__(self, url: str, *, clock: Clock, random: RandomSource, patience: float = PATIENCE) -> None:
        self._url = url
        self._clock = clock
        self._random = random
        self._patience = patience

    async def __aenter__(self) -> Self:
        known = addresses(self._url)
        self._publishing, self._consuming = Link(known), Link(known)
        self._publisher = ConfirmedPublisher(
            self._publishing, clock=self._clock, random=self._random, patience=self._patience
        )
        self._consumer = ReconnectingConsumer(self._consuming, self._publisher, clock=self._clock, random=self._random)
        self._dead_letters = DeadLetterQueue(self._consuming, self._publisher)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # first what is in hand: nothing of it may be published again once it has gone back
        await self._consuming.end()
        await self._publishing.end()

    async def publish(self, queue: str, tasks: Sequence[PushTask]) -> None:
        for task in tasks:
            check(task)
        await self._publisher.publish([message_of(task, queue) for task in tasks])

    def consume(self, queue: str, prefetch: int) -> AsyncGenerator[Delivery, None]:
        return self._consumer.consume(queue, prefetch)

    async def depth(self, queue: str) -> Depth:
        with translated():
            connection = await self._consuming.connection()
            due = await waiting_in(connection, queue)
            dead = await waiting_in(connection, dead_letters_of(queue))
        # what is delayed waits with that of every other queue; a quorum queue tells its length every 5 s on 3.10
        return Depth(due or 0, None, dead or 0)

    async def list_dead(self, queue: str, which: Selection = EVERYTHING, *, limit: int = 100) -> Sequence[DeadTask]:
        return await self._dead_letters.list_dead(queue, which, limit=limit)

    def redrive(self, queue: str, which: Selection = EVERYTHING) -> AsyncGenerator[DeadTask, None]:
        return self._dead_letters.redrive(queue, which)

    async def purge(self, queue: str, which: Selection = EVERYTHING) -> int:
        return await self._dead_letters.purge(queue, which)
