"""Brokers as a program has them, and what tests do with them."""

import asyncio
from contextlib import aclosing
from datetime import datetime

from adapters.rabbitmq.broker import PATIENCE, RabbitMqBroker
from adapters.system.time import SystemClock, SystemRandom
from domain.push_task import PushTask

CLOCK = SystemClock()


def participant(url: str, *, patience: float = PATIENCE) -> RabbitMqBroker:
    return RabbitMqBroker(url, clock=CLOCK, random=SystemRandom(), patience=patience)


def task(name: str, due: datetime | None = None) -> PushTask:
    return PushTask(name, f"https://x.example/{name}", payload=name, schedule_time=due)


async def drain(broker: RabbitMqBroker, queue: str, expected: set[str]) -> list[str]:
    """Acknowledge what comes until all `expected` have; the ids in their order, repetitions too."""
    came: list[str] = []
    async with asyncio.timeout(60), aclosing(broker.consume(queue, 50)) as deliveries:
        while not expected <= set(came):
            delivery = await anext(deliveries)
            assert await delivery.ack()
            came.append(delivery.task.id)
    return came
