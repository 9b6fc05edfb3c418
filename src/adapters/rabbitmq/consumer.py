"""Fetching tasks, through whatever outages there are."""

import logging
from collections.abc import AsyncGenerator
from datetime import timedelta

from adapters.rabbitmq.backoff import Backoff
from adapters.rabbitmq.connection import Link
from adapters.rabbitmq.delivery import RabbitMqDelivery, Settlement
from adapters.rabbitmq.failures import VENDOR, unavailable
from adapters.rabbitmq.messages import Received
from adapters.rabbitmq.publisher import ConfirmedPublisher
from adapters.rabbitmq.subscription import Subscription
from adapters.rabbitmq.topology import ensure_queue
from domain.errors import MessageUndecodable
from ports.broker import Delivery
from ports.time import Clock, RandomSource

log = logging.getLogger(__name__)

HOLD = 0.25
"""Seconds that a task may be early and wait here; what is earlier, for whatever reason, is delayed by the broker."""


class ReconnectingConsumer:
    def __init__(self, link: Link, publisher: ConfirmedPublisher, *, clock: Clock, random: RandomSource) -> None:
        self._link = link
        self._publisher = publisher
        self._clock = clock
        self._random = random

    async def consume(self, queue: str, prefetch: int) -> AsyncGenerator[Delivery, None]:
        """As the port says; it ends when the broker is closed. A connection that breaks is followed by a new one."""
        backoff = Backoff(self._clock, self._random)
        while not self._link.ended:
            try:
                subscription = await self._subscribe(queue, prefetch)
            except VENDOR as error:
                log.warning("%s: %s", queue, unavailable(error))
                await backoff.wait()
                continue
            backoff.reset()
            settlement = Settlement(queue, subscription, self._publisher)
            try:
                while received := await subscription.next():
                    delivery = await self._delivery(received, subscription, settlement)
                    if delivery is not None:
                        subscription.hand_out(received)
                        yield delivery
            finally:
                for received in await subscription.unsubscribe():
                    await settlement.give_back(received)
            if not self._link.ended:
                log.warning("%s: the broker has ended the subscription; subscribing again", queue)
                await backoff.wait()

    async def _subscribe(self, queue: str, prefetch: int) -> Subscription:
        connection = await self._link.connection()
        # what was there a moment ago may be why the last subscription ended
        connection.declared.discard(queue)
        await ensure_queue(connection, queue)
        return await Subscription.open(connection, queue, prefetch)

    async def _delivery(
        self, received: Received, subscription: Subscription, settlement: Settlement
    ) -> RabbitMqDelivery | None:
        """None for a message that is none, or not yet: it has been dealt with."""
        try:
            task = received.task()
        except MessageUndecodable as error:
            dead = received.dead(settlement.queue, str(error), self._clock.now(), None)
            await settlement.replace(received, dead)
            return None
        early = (task.schedule_time - self._clock.now()) if task.schedule_time else timedelta()
        if early > timedelta(seconds=HOLD):
            await settlement.replace(received, received.again(settlement.queue, task))
            return None
        if early > timedelta():
            subscription.hold_up(received, early.total_seconds(), self._clock)
            return None
        return RabbitMqDelivery(received, task, settlement, self._clock)
