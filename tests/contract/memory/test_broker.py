"""The in-memory broker keeps the broker's contract."""

import pytest

from adapters.memory.broker import MemoryBroker
from adapters.memory.message_queue import Post
from adapters.memory.time import ManualClock, SequentialIds
from domain.envelope import Envelope
from ports.testing.broker import BrokerBackend, BrokerContract


class TestMemoryBroker(BrokerContract):
    @pytest.fixture
    def backend(self) -> BrokerBackend:
        clock, ids, post = ManualClock(), SequentialIds(), Post()
        brokers: list[MemoryBroker] = []

        def connect() -> MemoryBroker:
            brokers.append(MemoryBroker(clock=clock, ids=ids, post=post))
            return brokers[-1]

        async def inject(queue: str, body: bytes) -> None:
            post.queues[queue].put(Envelope(body))

        async def interrupt() -> None:
            for broker in brokers:
                broker.lose_connection()

        return BrokerBackend(
            connect,
            clock,
            queue="emails",
            other="other",
            let_pass=clock.advance,
            quiet=0.01,
            priorities=True,
            inject=inject,
            interrupt=interrupt,
        )
