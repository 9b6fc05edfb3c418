"""The promises of `Publisher`, `Consumer` and `Delivery`."""

import asyncio
from contextlib import aclosing
from datetime import timedelta

import pytest
from attrs import evolve

from domain.errors import TaskRefused
from domain.jitter import Jitter
from domain.push_task import PushTask
from domain.retry import RetryPolicy
from ports.testing.broker_backend import (
    FAILED_ONCE,
    PATIENCE,
    BrokerBackend,
    names,
    nothing_comes,
    take,
    take_in_time,
    tasks,
)
from ports.testing.scenario import scenario


class PublisherPromises:
    @scenario
    async def test_what_is_published_is_delivered_to_the_letter_in_order(self, backend: BrokerBackend) -> None:
        now = backend.clock.now().replace(microsecond=0)
        whole = PushTask(
            "whole",
            "https://x.example/ação",
            "PUT",
            {"X-A": "é"},
            ["ü", {"deep": [None, True, 1.5]}],
            created_at=now,
            schedule_time=now - timedelta(seconds=1),
            deadline=30.0,
            retry=RetryPolicy(max_attempts=3, jitter=Jitter.FULL),
            traceparent="00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            max_requests=5,
        )
        async with backend.connect() as broker, aclosing(broker.consume(backend.queue, 10)) as deliveries:
            await broker.publish(backend.queue, [*tasks(4), whole])
            taken = await take(deliveries, 5)
            assert [delivery.task for delivery in taken] == [*tasks(4), whole]

    @scenario
    async def test_publishing_nothing_does_nothing(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await broker.publish(backend.queue, [])
            depth = await broker.depth(backend.queue)
            assert (depth.due, depth.delayed or 0, depth.dead) == (0, 0, 0)

    @scenario
    async def test_of_a_batch_with_a_task_that_breaks_a_limit_nothing_is_published(
        self, backend: BrokerBackend
    ) -> None:
        good, *_ = tasks(1)
        async with backend.connect() as broker:
            for bad in (
                evolve(good, id="bad id"),
                evolve(good, url="https://x.example/" + "a" * 2083),
                evolve(good, headers={"X": "a\r\nHost: evil"}),
                evolve(good, headers={"X": "a" * 80_000}),
                evolve(good, payload=float("nan")),
                evolve(good, payload="a" * 1_000_000),
            ):
                with pytest.raises(TaskRefused):
                    await broker.publish(backend.queue, [good, bad])
            async with aclosing(broker.consume(backend.queue, 5)) as deliveries:
                assert await nothing_comes(backend, deliveries)

    @scenario
    async def test_a_scheduled_task_comes_at_its_time_and_holds_up_none_behind_it(self, backend: BrokerBackend) -> None:
        later, now = tasks(2)
        async with backend.connect() as broker, aclosing(broker.consume(backend.queue, 5)) as deliveries:
            due = backend.clock.now() + timedelta(seconds=backend.delay)
            await broker.publish(backend.queue, [evolve(later, schedule_time=due), now])
            assert names(await take(deliveries, 1)) == [now.id]
            delivery = await take_in_time(backend, deliveries)
            assert (delivery.task.id, delivery.task.schedule_time) == (later.id, due)
            assert backend.clock.now() >= due

    @scenario
    async def test_queues_do_not_mix(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(backend.other, 5)) as deliveries:
            await broker.publish(backend.queue, tasks(1))
            assert await nothing_comes(backend, deliveries)

    @scenario
    async def test_a_higher_priority_comes_first(self, backend: BrokerBackend) -> None:
        if not backend.priorities:
            pytest.skip("this broker knows no priorities")
        low, high = tasks(2)
        async with backend.connect() as broker:
            await broker.publish(backend.queue, [low, evolve(high, priority=9)])
            async with aclosing(broker.consume(backend.queue, 1)) as deliveries:
                assert names(await take(deliveries, 1)) == [high.id]


class ConsumerPromises:
    @scenario
    async def test_a_consumer_that_came_first_is_served(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(backend.queue, 10)) as deliveries:
            waiting = asyncio.ensure_future(take(deliveries, 1))
            await broker.publish(backend.queue, tasks(1))
            assert names(await waiting) == ["task-0"]

    @scenario
    async def test_no_more_than_the_prefetch_are_in_hand(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(backend.queue, 2)) as deliveries:
            await broker.publish(backend.queue, tasks(3))
            first, _ = await take(deliveries, 2)
            waiting = asyncio.ensure_future(take(deliveries, 1))
            await asyncio.wait({waiting}, timeout=backend.quiet)
            assert not waiting.done()
            assert await first.ack()
            assert names(await waiting) == ["task-2"]

    @scenario
    async def test_what_is_acknowledged_is_gone(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await broker.publish(backend.queue, tasks(1))
            async with aclosing(broker.consume(backend.queue, 5)) as deliveries:
                (delivery,) = await take(deliveries, 1)
                assert await delivery.ack()
            async with aclosing(broker.consume(backend.queue, 5)) as deliveries:
                assert await nothing_comes(backend, deliveries)

    @scenario
    async def test_a_delivery_ends_once(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await broker.publish(backend.queue, tasks(4))
            async with aclosing(broker.consume(backend.queue, 5)) as deliveries:
                acked, retried, dead, released = await take(deliveries, 4)
                later = backend.clock.now() + timedelta(hours=1)
                assert await acked.ack()
                assert await retried.retry(later, FAILED_ONCE)
                assert await dead.dead_letter("HTTP 410", FAILED_ONCE)
                assert await released.release()
                for delivery in (acked, retried, dead, released):
                    assert not await delivery.ack()
                    assert not await delivery.retry(later, FAILED_ONCE)
                    assert not await delivery.dead_letter("too late", FAILED_ONCE)
                    assert not await delivery.release()
                (again,) = await take(deliveries, 1)
                assert (again.task.id, again.task.attempts.failed) == (released.task.id, 0)
                await again.ack()
            assert [letter.reason for letter in await broker.list_dead(backend.queue)] == ["HTTP 410"]

    @scenario
    async def test_a_retried_task_comes_at_its_time_as_it_was_but_for_its_attempts(
        self, backend: BrokerBackend
    ) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(backend.queue, 5)) as deliveries:
            await broker.publish(backend.queue, tasks(1))
            (delivery,) = await take(deliveries, 1)
            due = backend.clock.now() + timedelta(seconds=backend.delay)
            assert await delivery.retry(due, FAILED_ONCE)
            again = await take_in_time(backend, deliveries)
            assert backend.clock.now() >= due
            assert again.task == delivery.task.retried(due, FAILED_ONCE)

    @scenario
    async def test_a_task_may_be_retried_many_times(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(backend.queue, 5)) as deliveries:
            await broker.publish(backend.queue, tasks(1))
            for failed in range(1, 6):
                (delivery,) = await take(deliveries, 1)
                assert delivery.task.attempts.failed == failed - 1
                await delivery.retry(backend.clock.now(), evolve(FAILED_ONCE, failed=failed))

    @scenario
    async def test_a_released_task_comes_again_as_it_was(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(backend.queue, 5)) as deliveries:
            await broker.publish(backend.queue, tasks(1))
            (delivery,) = await take(deliveries, 1)
            assert await delivery.release()
            (again,) = await take(deliveries, 1)
            assert again.task == delivery.task

    @scenario
    async def test_two_consumers_share_and_never_hold_the_same(self, backend: BrokerBackend) -> None:
        async with (
            backend.connect() as broker,
            backend.connect() as another,
            aclosing(broker.consume(backend.queue, 3)) as one,
            aclosing(another.consume(backend.queue, 3)) as two,
        ):
            await broker.publish(backend.queue, tasks(6))
            taken = await asyncio.gather(take(one, 3), take(two, 3))
            assert sorted(name for batch in taken for name in names(batch)) == [task.id for task in tasks(6)]

    @scenario
    async def test_after_a_consumer_has_ended_what_it_handed_out_can_still_be_ended(
        self, backend: BrokerBackend
    ) -> None:
        async with backend.connect() as broker:
            await broker.publish(backend.queue, tasks(4))
            async with aclosing(broker.consume(backend.queue, 4)) as deliveries:
                first, second = await take(deliveries, 2)
            async with aclosing(broker.consume(backend.queue, 4)) as deliveries:
                # what was fetched ahead but not handed out has gone back
                assert sorted(names(await take(deliveries, 2))) == ["task-2", "task-3"]
            assert await first.ack()
            assert await second.dead_letter("HTTP 410", FAILED_ONCE)
            assert [letter.id for letter in await broker.list_dead(backend.queue)] == ["task-1"]

    @scenario
    async def test_what_is_not_ended_when_the_broker_is_closed_is_delivered_again(self, backend: BrokerBackend) -> None:
        async with backend.connect() as watcher:
            async with backend.connect() as broker, aclosing(broker.consume(backend.queue, 5)) as deliveries:
                await watcher.publish(backend.queue, tasks(2))
                lost, _ = await take(deliveries, 2)
            assert not await lost.ack()
            async with aclosing(watcher.consume(backend.queue, 5)) as deliveries:
                again = await take(deliveries, 2)
            assert sorted(names(again)) == ["task-0", "task-1"]
            assert all(delivery.task.attempts.failed == 0 for delivery in again)

    @scenario
    async def test_an_outage_is_waited_out_and_what_was_in_hand_comes_again(self, backend: BrokerBackend) -> None:
        if backend.interrupt is None:
            pytest.skip("this broker's connections cannot be broken")
        async with backend.connect() as broker, aclosing(broker.consume(backend.queue, 5)) as deliveries:
            await broker.publish(backend.queue, tasks(2))
            lost, _ = await take(deliveries, 2)
            await backend.interrupt()
            again = await take(deliveries, 2)
            assert sorted(names(again)) == ["task-0", "task-1"]
            assert not await lost.ack()
            assert not await lost.retry(backend.clock.now(), FAILED_ONCE)
            assert [await delivery.ack() for delivery in again] == [True, True]
            await broker.publish(backend.queue, tasks(1, start=2))
            assert names(await take(deliveries, 1)) == ["task-2"]

    @scenario
    async def test_a_message_that_holds_no_task_goes_to_the_dead_letters_with_the_reason(
        self, backend: BrokerBackend
    ) -> None:
        if backend.inject is None:
            pytest.skip("nothing but tasks can get into this broker")
        bodies = [b"\xff\x00", b"{}", b'{"metadata": {"headers": ["x"]}, "payload": 1}']
        async with backend.connect() as broker, aclosing(broker.consume(backend.queue, 1)) as deliveries:
            for body in bodies:
                await backend.inject(backend.queue, body)
            await broker.publish(backend.queue, tasks(1))
            assert names(await take(deliveries, 1)) == ["task-0"]
            letters = await broker.list_dead(backend.queue)
            assert [letter.body for letter in letters] == bodies
            assert all(letter.task is None and letter.reason and letter.id for letter in letters)
            assert len({letter.id for letter in letters}) == len(bodies)

    @scenario
    async def test_the_depth_tells_what_waits(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            assert (await broker.depth(backend.queue)).due == 0
            later = evolve(tasks(1)[0], schedule_time=backend.clock.now() + timedelta(hours=1))
            await broker.publish(backend.queue, [*tasks(3, start=1), later])
            async with aclosing(broker.consume(backend.queue, 1)) as deliveries:
                (delivery,) = await take(deliveries, 1)
                await delivery.dead_letter("HTTP 410", FAILED_ONCE)
            async with asyncio.timeout(PATIENCE):
                while (depth := await broker.depth(backend.queue)).due != 2 or depth.dead != 1:
                    await backend.clock.sleep(0)
            assert depth.delayed in (1, None)
