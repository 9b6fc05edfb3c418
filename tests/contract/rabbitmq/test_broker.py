"""RabbitMQ keeps the broker's contract, on queues of our own and on those that somebody else has declared."""

import asyncio
from itertools import count

import pytest

from adapters.rabbitmq.addresses import addresses
from adapters.rabbitmq.broker import RabbitMqBroker
from adapters.rabbitmq.connection import Connection
from adapters.rabbitmq.topology import ensure_queue
from adapters.system.time import SystemClock, SystemRandom
from ports.testing.broker import BrokerBackend, BrokerContract
from ports.testing.broker_delivery import PublisherPromises
from tests.contract.rabbitmq.wire import declare, send
from tests.contract.rabbitmq_node import RabbitMqNode

NUMBERS = count(1)


async def exists(url: str, queue: str) -> None:
    """As if somebody had consumed from it before."""
    connection = await Connection.open(addresses(url))
    await ensure_queue(connection, queue)
    await connection.close()


def backend_on(node: RabbitMqNode, kind: str, *, priorities: bool = False) -> BrokerBackend:
    clock, number = SystemClock(), next(NUMBERS)

    async def inject(queue: str, body: bytes) -> None:
        await exists(node.url, queue)
        await asyncio.to_thread(send, node.url, queue, body)

    return BrokerBackend(
        lambda: RabbitMqBroker(node.url, clock=clock, random=SystemRandom()),
        clock,
        queue=f"{kind}-{number}",
        other=f"{kind}-{number}-other",
        delay=1.0,
        priorities=priorities,
        inject=inject,
        interrupt=lambda: asyncio.to_thread(node.close_all_connections),
    )


class TestOnItsOwnQueues(BrokerContract):
    @pytest.fixture
    def backend(self, rabbitmq_node: RabbitMqNode) -> BrokerBackend:
        return backend_on(rabbitmq_node, "own")


class TestOnAQueueThatBorealHasDeclared(BrokerContract):
    @pytest.fixture
    def backend(self, rabbitmq_node: RabbitMqNode) -> BrokerBackend:
        backend = backend_on(rabbitmq_node, "found")
        declare(rabbitmq_node.url, backend.queue)
        return backend


class TestOnAQueueWithPriorities(PublisherPromises):
    @pytest.fixture
    def backend(self, rabbitmq_node: RabbitMqNode) -> BrokerBackend:
        backend = backend_on(rabbitmq_node, "urgent", priorities=True)
        declare(rabbitmq_node.url, backend.queue, {"x-max-priority": 9})
        return backend
