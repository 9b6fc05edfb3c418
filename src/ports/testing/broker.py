"""The promises of `ports.broker`, as tests. Bind them to a broker of your own::

class TestMyBroker(BrokerContract):
    @pytest.fixture
    def backend(self):
        clock = SystemClock()
        return BrokerBackend(lambda: MyBroker(URL, clock=clock), clock, new_queue(), new_queue())
"""

import pytest

from ports.testing.broker_backend import BrokerBackend
from ports.testing.broker_dead_letters import DeadLettersPromises
from ports.testing.broker_delivery import ConsumerPromises, PublisherPromises

__all__ = ["BrokerBackend", "BrokerContract"]


class BrokerContract(PublisherPromises, ConsumerPromises, DeadLettersPromises):
    """Every promise of `Publisher`, `Consumer` and `DeadLetters`. Override `backend`."""

    @pytest.fixture
    def backend(self) -> BrokerBackend:
        raise NotImplementedError("override the `backend` fixture: return a BrokerBackend over fresh queues")
