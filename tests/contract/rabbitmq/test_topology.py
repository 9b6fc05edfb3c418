"""Whatever is in a queue, its worker stays unharmed, and nothing is lost for having come back."""

import json
import struct
from contextlib import aclosing
from datetime import timedelta

import pika
import pytest

from adapters.rabbitmq.topology import DELIVERY_LIMIT
from ports.testing.scenario import scenario
from tests.contract.rabbitmq.participants import CLOCK, drain, participant, task
from tests.contract.rabbitmq.wire import declare, forge, receive, send
from tests.contract.rabbitmq_node import RabbitMqNode

BODY = json.dumps({"metadata": {"target_url": "https://x.example/"}, "payload": 1}).encode()


class ForgedProperties(pika.BasicProperties):
    """Headers as nobody's library writes them."""

    def __init__(self, table: bytes) -> None:
        super().__init__()
        self._table = table

    def encode(self) -> list[bytes]:
        headers_only = 1 << 13
        return [struct.pack(">HI", headers_only, len(self._table)), self._table]


def nested(depth: int) -> bytes:
    table = b""
    for _ in range(depth):
        table = b"\x01tF" + struct.pack(">I", len(table)) + table
    return table


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(b"\x01tT" + struct.pack(">Q", 2**62), id="a time beyond all calendars"),
        pytest.param(nested(2000), id="tables in tables in tables"),
        pytest.param(b"\x0emutirao-failedS" + struct.pack(">I", 3) + b"abc", id="no count"),
    ],
)
@scenario
async def test_a_message_with_forged_headers_goes_to_the_dead_letters(
    rabbitmq_node: RabbitMqNode, queue: str, table: bytes
) -> None:
    declare(rabbitmq_node.url, queue)
    forge(rabbitmq_node.url, queue, BODY, ForgedProperties(table))
    async with participant(rabbitmq_node.url) as broker:
        await broker.publish(queue, [task("good")])
        assert await drain(broker, queue, {"good"}) == ["good"]
        (letter,) = await broker.list_dead(queue)
        assert "cannot be read" in letter.reason
        assert letter.body == BODY


@scenario
async def test_a_message_larger_than_any_task_goes_to_the_dead_letters(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    declare(rabbitmq_node.url, queue)
    send(rabbitmq_node.url, queue, b" " * 3_000_000 + BODY)
    async with participant(rabbitmq_node.url) as broker:
        await broker.publish(queue, [task("good")])
        assert await drain(broker, queue, {"good"}) == ["good"]
        (letter,) = await broker.list_dead(queue)
        assert "3000064 bytes" in letter.reason


@scenario
async def test_a_task_that_keeps_crashing_its_worker_ends_among_the_dead_and_can_be_redriven(
    rabbitmq_node: RabbitMqNode, queue: str
) -> None:
    async with participant(rabbitmq_node.url) as broker:
        await broker.publish(queue, [task("poison")])
        for _ in range(DELIVERY_LIMIT + 1):
            async with participant(rabbitmq_node.url) as crashing, aclosing(crashing.consume(queue, 1)) as deliveries:
                await anext(deliveries)
        await broker.publish(queue, [task("good")])
        assert await drain(broker, queue, {"good"}) == ["good"]
        while not (letters := await broker.list_dead(queue)):
            pass
        assert [letter.id for letter in letters] == ["poison"]
        assert "came back unsettled" in letters[0].reason
        async with aclosing(broker.redrive(queue)) as redriven:
            assert [letter.id async for letter in redriven] == ["poison"]
        assert await drain(broker, queue, {"poison"}) == ["poison"]


@scenario
async def test_giving_a_task_back_in_good_order_is_no_crash(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    async with participant(rabbitmq_node.url) as broker:
        await broker.publish(queue, [task("patient")])
        async with aclosing(broker.consume(queue, 1)) as deliveries:
            for _ in range(DELIVERY_LIMIT + 10):
                assert await (await anext(deliveries)).release()
        assert await drain(broker, queue, {"patient"}) == ["patient"]
        assert await broker.list_dead(queue) == []


@scenario
async def test_a_task_goes_through_the_delays_again_and_again_without_the_brokers_headers(
    rabbitmq_node: RabbitMqNode, queue: str
) -> None:
    declare(rabbitmq_node.url, queue)
    send(
        rabbitmq_node.url, queue, BODY, message_id="one", headers={"x-death": [{"queue": queue}], "x-a": 1, "tenant": 7}
    )
    async with participant(rabbitmq_node.url) as broker, aclosing(broker.consume(queue, 1)) as deliveries:
        for _ in range(3):
            delivery = await anext(deliveries)
            assert await delivery.retry(CLOCK.now() + timedelta(seconds=0.2), delivery.task.attempts)
        assert await (await anext(deliveries)).retry(CLOCK.now(), delivery.task.attempts)
    ((properties, body),) = receive(rabbitmq_node.url, queue)
    assert (properties.message_id, body) == ("one", BODY)
    assert set(properties.headers) == {"tenant", "mutirao-schedule-time"}


@scenario
async def test_delays_of_all_sizes_end_in_time_and_none_before(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    delays = [0.05 * 1.16**step for step in range(30)]  # to 3.7 s
    async with participant(rabbitmq_node.url) as broker, aclosing(broker.consume(queue, 3)) as deliveries:
        now = CLOCK.now()
        await broker.publish(queue, [task(f"{delay}", now + timedelta(seconds=delay)) for delay in delays])
        for _ in delays:
            delivery = await anext(deliveries)
            assert delivery.task.schedule_time is not None
            assert CLOCK.now() >= delivery.task.schedule_time
            assert await delivery.ack()
