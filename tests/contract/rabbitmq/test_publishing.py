"""What a publisher may do, and whom it reaches."""

import asyncio
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from adapters.rabbitmq.publisher import UNDER_WAY
from ports.errors import BrokerUnavailable, PublishUnconfirmed
from ports.testing.scenario import scenario
from tests.contract.rabbitmq.participants import drain, participant, task
from tests.contract.rabbitmq.wire import delete, receive
from tests.contract.rabbitmq_node import RabbitMqNode, free_ports


@scenario
async def test_eight_threads_may_share_a_publisher(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    loop = asyncio.get_running_loop()
    together = threading.Barrier(8)
    async with participant(rabbitmq_node.url) as broker:

        def add(thread: int) -> None:
            together.wait()
            for number in range(50):
                publishing = broker.publish(queue, [task(f"{thread}-{number}")])
                asyncio.run_coroutine_threadsafe(publishing, loop).result()

        with ThreadPoolExecutor(8) as threads:
            await asyncio.gather(*(loop.run_in_executor(threads, add, thread) for thread in range(8)))
        names = {f"{thread}-{number}" for thread in range(8) for number in range(50)}
        assert sorted(await drain(broker, queue, names)) == sorted(names)


@scenario
async def test_a_batch_larger_than_what_may_be_under_way_arrives_in_its_order(
    rabbitmq_node: RabbitMqNode, queue: str
) -> None:
    names = [f"task-{number}" for number in range(UNDER_WAY * 2 + 1)]
    async with participant(rabbitmq_node.url) as broker:
        await broker.publish(queue, [task(name) for name in names])
        assert await drain(broker, queue, set(names)) == names


@scenario
async def test_a_queue_that_was_deleted_is_declared_again_and_nothing_is_lost(
    rabbitmq_node: RabbitMqNode, queue: str
) -> None:
    async with participant(rabbitmq_node.url) as broker:
        await broker.publish(queue, [task("gone")])
        delete(rabbitmq_node.url, queue)
        await broker.publish(queue, [task("one"), task("two")])
        assert await drain(broker, queue, {"one", "two"}) == ["one", "two"]


@scenario
async def test_a_consumer_outlives_the_deletion_of_its_queue(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    async with participant(rabbitmq_node.url) as broker:
        await broker.publish(queue, [task("before")])
        draining = asyncio.ensure_future(drain(broker, queue, {"before", "after"}))
        while (await broker.depth(queue)).due:
            pass
        delete(rabbitmq_node.url, queue)
        await broker.publish(queue, [task("after")])
        assert await draining == ["before", "after"]


@scenario
async def test_tasks_travel_persistent_as_json_under_their_id(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    async with participant(rabbitmq_node.url) as broker:
        await broker.publish(queue, [task("one")])
    ((properties, body),) = receive(rabbitmq_node.url, queue)
    assert (properties.delivery_mode, properties.content_type, properties.message_id) == (2, "application/json", "one")
    assert not [name for name in properties.headers if name != "x-delivery-count"]
    assert b'"payload": "one"' in body


@scenario
async def test_tls_is_spoken_and_an_unknown_certificate_refused(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    async with participant(rabbitmq_node.tls_url) as broker:
        await broker.publish(queue, [task("one")])
        assert await drain(broker, queue, {"one"}) == ["one"]
    async with participant(rabbitmq_node.tls_url.partition("?")[0], patience=0.1) as stranger:
        with pytest.raises(BrokerUnavailable, match="certificate"):
            await stranger.publish(queue, [task("one")])


@scenario
async def test_of_several_brokers_the_first_that_answers_is_taken(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    (nobody,) = free_ports(1)
    async with participant(f"amqp://127.0.0.1:{nobody},{rabbitmq_node.url}") as broker:
        await broker.publish(queue, [task("one")])
        assert await drain(broker, queue, {"one"}) == ["one"]


@scenario
async def test_a_broker_that_is_not_there_is_said_so_after_the_publishers_patience(queue: str) -> None:
    (nobody,) = free_ports(1)
    async with participant(f"amqp://user:hunter2@127.0.0.1:{nobody}", patience=0.1) as broker:
        for asking in (broker.publish(queue, [task("one")]), broker.depth(queue), broker.list_dead(queue)):
            with pytest.raises(BrokerUnavailable, match="is it running") as caught:
                await asking
            assert "hunter2" not in str(caught.value)


@scenario
async def test_a_wrong_password_is_said_at_once(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    async with participant(rabbitmq_node.url.replace("guest@", "hunter2@")) as broker:
        with pytest.raises(BrokerUnavailable, match="refuses this user") as caught:
            await broker.publish(queue, [task("one")])
        assert "hunter2" not in str(caught.value)


@scenario
async def test_a_broker_that_says_nothing_is_given_up(queue: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        async with participant(f"amqp://127.0.0.1:{silent.getsockname()[1]}", patience=0.1) as broker:
            with pytest.raises((PublishUnconfirmed, BrokerUnavailable)):
                await broker.publish(queue, [task("one")])
