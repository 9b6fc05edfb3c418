"""How a message that was delivered ends: settled on its channel, after whatever takes its place is confirmed."""

import asyncio
import logging
from datetime import datetime

from attrs import evolve

from adapters.rabbitmq.messages import Message, Received
from adapters.rabbitmq.publisher import ConfirmedPublisher
from adapters.rabbitmq.subscription import Subscription
from domain.push_task import Attempts, PushTask
from ports.broker import Delivery
from ports.errors import PortError
from ports.time import Clock

log = logging.getLogger(__name__)

FREE_RETURNS = 5
"""Times that a task is given back by the broker's own means, which a quorum queue counts towards its limit."""


class Settlement:
    """Ends what one subscription to `queue` has delivered."""

    def __init__(self, queue: str, subscription: Subscription, publisher: ConfirmedPublisher) -> None:
        self.queue = queue
        self._subscription = subscription
        self._publisher = publisher

    def ack(self, received: Received) -> bool:
        return self._subscription.begin_to_end(received) and self._subscription.ack(received)

    async def replace(self, received: Received, message: Message) -> bool:
        """Publish `message`, then forget `received`: a crash between the two makes a repetition, not a loss."""
        if not self._subscription.begin_to_end(received):
            return False
        while self._subscription.is_open:
            try:
                await self._publisher.publish([message])
            except PortError as error:
                # it has waited already; as long as the message is ours, nothing but trying again can be right
                log.warning("%s: cannot put a message back or away, trying again: %s", self.queue, error)
                continue
            except asyncio.CancelledError:
                self._subscription.requeue(received)
                raise
            return self._subscription.ack(received)
        return False

    async def give_back(self, received: Received) -> bool:
        """As it came. Given back too often, it is published anew: an orderly return is no crash."""
        if received.returns >= FREE_RETURNS:
            return await self.replace(received, received.as_it_came(self.queue))
        return self._subscription.begin_to_end(received) and self._subscription.requeue(received)


class RabbitMqDelivery(Delivery):
    def __init__(self, received: Received, task: PushTask, settlement: Settlement, clock: Clock) -> None:
        self._received = received
        self._task = task
        self._settlement = settlement
        self._clock = clock

    @property
    def task(self) -> PushTask:
        return self._task

    async def ack(self) -> bool:
        return self._settlement.ack(self._received)

    async def retry(self, at: datetime, attempts: Attempts) -> bool:
        again = self._received.again(self._settlement.queue, self._task.retried(at, attempts))
        return await self._settlement.replace(self._received, again)

    async def dead_letter(self, reason: str, attempts: Attempts) -> bool:
        task = evolve(self._task, attempts=attempts)
        dead = self._received.dead(self._settlement.queue, reason, self._clock.now(), task)
        return await self._settlement.replace(self._received, dead)

    async def release(self) -> bool:
        return await self._settlement.give_back(self._received)
