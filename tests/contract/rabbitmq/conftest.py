"""A fresh queue for each test, and a node that is up again after it."""

from collections.abc import Iterator
from itertools import count

import pytest

from tests.contract.rabbitmq_node import RabbitMqNode

NUMBERS = count(1)


@pytest.fixture
def queue() -> str:
    return f"queue-{next(NUMBERS)}"


@pytest.fixture
def mortal_node(rabbitmq_node: RabbitMqNode) -> Iterator[RabbitMqNode]:
    """For tests that stop it."""
    yield rabbitmq_node
    rabbitmq_node.start()
