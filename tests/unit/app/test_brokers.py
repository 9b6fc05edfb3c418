"""Which broker a URL names."""

import pytest

from adapters.memory.broker import MemoryBroker
from adapters.memory.time import FixedRandom, ManualClock, SequentialIds
from adapters.rabbitmq.broker import RabbitMqBroker
from app.adapters import BROKERS
from ports.errors import UnknownAdapter
from ports.plugin import BrokerContext


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("memory://", MemoryBroker),
        ("amqp://guest:guest@localhost:5672/", RabbitMqBroker),
        ("amqps://one,amqps://two", RabbitMqBroker),
    ],
)
def test_a_url_names_a_broker_by_its_scheme(url: str, kind: type) -> None:
    context = BrokerContext(clock=ManualClock(), ids=SequentialIds(), random=FixedRandom(0.5))
    assert isinstance(BROKERS.find(url)(url, context), kind)


def test_an_unknown_broker_is_answered_with_those_that_are_known_and_without_the_password() -> None:
    with pytest.raises(UnknownAdapter, match="amqp://, amqps://, memory://") as caught:
        BROKERS.find("kafka://user:hunter2@host/")
    assert "hunter2" not in str(caught.value)
