"""What was accepted outlives the broker; publishers and consumers outlive it too."""

import asyncio
from contextlib import aclosing
from datetime import timedelta

import pytest

from adapters.rabbitmq.broker import RabbitMqBroker
from ports.errors import BrokerUnavailable, PublishUnconfirmed
from ports.testing.scenario import scenario
from tests.contract.rabbitmq.participants import CLOCK, drain, participant, task
from tests.contract.rabbitmq_node import RabbitMqNode


async def publish_until(stop: asyncio.Event, broker: RabbitMqBroker, queue: str, name: str, accepted: set[str]) -> None:
    """One task after the other; `accepted` are those whose publishing has returned."""
    number = 0
    while not stop.is_set():
        number += 1
        await broker.publish(queue, [task(f"{name}-{number}")])
        accepted.add(f"{name}-{number}")


@scenario
async def test_whatever_was_published_when_the_broker_was_killed_is_there(
    mortal_node: RabbitMqNode, queue: str
) -> None:
    accepted: set[str] = set()
    stop = asyncio.Event()
    async with participant(mortal_node.url) as broker:
        await broker.publish(queue, [task("first")])
        # RabbitMQ 3.10 never finds a leader for a quorum queue that was declared half a second before a kill -9
        await CLOCK.sleep(2)
        publishers = [publish_until(stop, broker, queue, name, accepted) for name in "abcdefgh"]
        publishing = asyncio.gather(*publishers)
        while len(accepted) < 200:
            await CLOCK.sleep(0.01)
        mortal_node.kill()
        before = len(accepted)
        await asyncio.to_thread(mortal_node.start)
        while len(accepted) < before + 200:
            await CLOCK.sleep(0.01)
        stop.set()
        await publishing
        came = await drain(broker, queue, accepted | {"first"})
    # each of the eight may have sent again what the broker had, but could not confirm any more
    assert len(came) - len(set(came)) <= 8


@scenario
async def test_both_sides_may_come_before_the_broker(mortal_node: RabbitMqNode, queue: str) -> None:
    mortal_node.stop()
    async with participant(mortal_node.url) as consumer, participant(mortal_node.url) as publisher:
        draining = asyncio.ensure_future(drain(consumer, queue, {"early"}))
        publishing = asyncio.ensure_future(publisher.publish(queue, [task("early")]))
        await asyncio.wait({draining, publishing}, timeout=0.5)
        assert not draining.done()
        assert not publishing.done()
        await asyncio.to_thread(mortal_node.start)
        await publishing
        assert await draining == ["early"]


@scenario
async def test_delayed_and_dead_tasks_outlive_a_restart(mortal_node: RabbitMqNode, queue: str) -> None:
    async with participant(mortal_node.url) as broker:
        due = CLOCK.now() + timedelta(seconds=3)
        await broker.publish(queue, [task("dead"), task("delayed", due)])
        async with aclosing(broker.consume(queue, 5)) as deliveries:
            delivery = await anext(deliveries)
            assert await delivery.dead_letter("HTTP 410", delivery.task.attempts)
            await asyncio.to_thread(mortal_node.stop)
            await asyncio.to_thread(mortal_node.start)
            again = await anext(deliveries)
            assert again.task.id == "delayed"
            assert CLOCK.now() >= due
            assert await again.ack()
        assert [letter.id for letter in await broker.list_dead(queue)] == ["dead"]


@scenario
async def test_all_connections_may_be_closed_while_tasks_are_published_and_consumed(
    rabbitmq_node: RabbitMqNode, queue: str
) -> None:
    accepted: set[str] = set()
    stop = asyncio.Event()
    async with participant(rabbitmq_node.url) as broker:
        publishing = asyncio.gather(*(publish_until(stop, broker, queue, name, accepted) for name in "abcd"))
        draining = asyncio.ensure_future(drain(broker, queue, {"last"}))
        for _ in range(2):
            before = len(accepted)
            await asyncio.to_thread(rabbitmq_node.close_all_connections)
            while len(accepted) < before + 100:
                await CLOCK.sleep(0.01)
        stop.set()
        await publishing
        await broker.publish(queue, [task("last")])
        assert accepted <= set(await draining)


@scenario
async def test_a_connection_that_broke_unnoticed_does_not_fail_the_next_publish(
    rabbitmq_node: RabbitMqNode, queue: str
) -> None:
    async with participant(rabbitmq_node.url) as broker:
        await broker.publish(queue, [task("before")])
        rabbitmq_node.close_all_connections()  # the loop stands still meanwhile, and cannot know
        await broker.publish(queue, [task("after")])
        assert set(await drain(broker, queue, {"before", "after"})) == {"before", "after"}


@scenario
async def test_a_publisher_that_stood_still_beyond_its_heartbeat_goes_on(
    rabbitmq_node: RabbitMqNode, queue: str
) -> None:
    async with participant(f"{rabbitmq_node.url}?heartbeat=1") as broker:
        await broker.publish(queue, [task("before")])
        rabbitmq_node.wait_until_nobody_is_connected()
        await broker.publish(queue, [task("after")])
        assert set(await drain(broker, queue, {"before", "after"})) == {"before", "after"}


@scenario
async def test_a_broker_that_is_out_of_memory_takes_nothing_and_still_hears_what_is_done(
    rabbitmq_node: RabbitMqNode, queue: str
) -> None:
    async with participant(rabbitmq_node.url) as broker, participant(rabbitmq_node.url, patience=0.5) as hasty:
        await broker.publish(queue, [task("one"), task("two")])
        async with aclosing(broker.consume(queue, 1)) as deliveries:
            delivery = await anext(deliveries)
            with rabbitmq_node.out_of_memory():
                with pytest.raises((PublishUnconfirmed, BrokerUnavailable)):
                    await hasty.publish(queue, [task("refused")])
                assert await delivery.ack()
                assert (await anext(deliveries)).task.id == "two"
                publishing = asyncio.ensure_future(broker.publish(queue, [task("patient")]))
                await asyncio.wait({publishing}, timeout=0.2)
                assert not publishing.done()
            await publishing


@scenario
async def test_a_consumer_ends_with_its_broker(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    async with participant(rabbitmq_node.url) as broker:
        draining = asyncio.ensure_future(drain(broker, queue, {"never"}))
        await broker.publish(queue, [task("one")])
        while (await broker.depth(queue)).due:
            pass
    with pytest.raises(StopAsyncIteration):
        await draining
