"""The promises of `ports.broker`, as tests. Bind them to a broker of your own::

class TestMyBroker(BrokerContract):
    @pytest.fixture
    def backend(self):
        clock = ManualClock()
        broker = MyBroker(clock=clock)
        return BrokerBackend(lambda: broker, clock)
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from datetime import timedelta

import pytest
from attrs import frozen

from domain.push import HttpRequest, PushTask
from ports.broker import Broker, Delivery
from ports.testing.scenario import MovableClock, scenario

QUEUE = "push"


@frozen
class BrokerBackend:
    """Fresh queues. Each `connect()` is a participant's broker over them, not yet entered; all live by `clock`."""

    connect: Callable[[], Broker]
    clock: MovableClock


def tasks(count: int, start: int = 0) -> list[PushTask]:
    return [
        PushTask(f"task-{n}", HttpRequest(f"https://x.example/{n}", "POST", {"X-N": str(n)}, f'{{"n": {n}}}'.encode()))
        for n in range(start, start + count)
    ]


async def take(deliveries: AsyncGenerator[Delivery, None], count: int) -> list[Delivery]:
    async with asyncio.timeout(20):
        return [await anext(deliveries) for _ in range(count)]


async def nothing_comes(deliveries: AsyncGenerator[Delivery, None]) -> bool:
    """Whether no delivery is ready. Ends the generator."""
    waiting = asyncio.ensure_future(anext(deliveries))
    done, _ = await asyncio.wait({waiting}, timeout=0.2)
    if not done:
        waiting.cancel()
        await asyncio.wait({waiting})
    return not done


class BrokerContract:
    """Every promise of `Publisher`, `Consumer` and `DeadLetters`. Override `backend`."""

    @pytest.fixture
    def backend(self) -> BrokerBackend:
        raise NotImplementedError("override the `backend` fixture: return a BrokerBackend over fresh queues")

    @scenario
    async def test_what_is_published_is_delivered_to_the_letter_in_order(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(QUEUE, 10)) as deliveries:
            await broker.publish(QUEUE, tasks(5))
            taken = await take(deliveries, 5)
            assert [(d.task.id, d.task.request) for d in taken] == [(t.id, t.request) for t in tasks(5)]
            assert all(d.task.attempts == 0 for d in taken)

    @scenario
    async def test_a_consumer_that_came_first_is_served(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(QUEUE, 10)) as deliveries:
            waiting = asyncio.ensure_future(take(deliveries, 1))
            await broker.publish(QUEUE, tasks(1))
            assert [d.task.id for d in await waiting] == ["task-0"]

    @scenario
    async def test_no_more_than_the_prefetch_are_in_hand(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await broker.publish(QUEUE, tasks(3))
            async with aclosing(broker.consume(QUEUE, 2)) as deliveries:
                first, _second = await take(deliveries, 2)
                waiting = asyncio.ensure_future(take(deliveries, 1))
                await asyncio.wait({waiting}, timeout=0.1)
                assert not waiting.done()
                await first.ack()
                assert [d.task.id for d in await waiting] == ["task-2"]

    @scenario
    async def test_what_is_acknowledged_is_gone(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await broker.publish(QUEUE, tasks(1))
            async with aclosing(broker.consume(QUEUE, 5)) as deliveries:
                (delivery,) = await take(deliveries, 1)
                await delivery.ack()
                await delivery.release()
                await delivery.dead_letter("too late")
            async with aclosing(broker.consume(QUEUE, 5)) as deliveries:
                assert await nothing_comes(deliveries)
            assert await broker.list_dead(QUEUE) == []

    @scenario
    async def test_what_is_not_ended_is_delivered_again(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await broker.publish(QUEUE, tasks(2))
            async with aclosing(broker.consume(QUEUE, 5)) as deliveries:
                await take(deliveries, 2)
            async with aclosing(broker.consume(QUEUE, 5)) as deliveries:
                again = await take(deliveries, 2)
                assert {(d.task.id, d.task.attempts) for d in again} == {("task-0", 0), ("task-1", 0)}

    @scenario
    async def test_two_consumers_share_and_never_hold_the_same(self, backend: BrokerBackend) -> None:
        async with (
            backend.connect() as broker,
            aclosing(broker.consume(QUEUE, 3)) as one,
            aclosing(broker.consume(QUEUE, 3)) as two,
        ):
            await broker.publish(QUEUE, tasks(6))
            taken = await asyncio.gather(take(one, 3), take(two, 3))
            ids = [delivery.task.id for batch in taken for delivery in batch]
            assert sorted(ids) == sorted(task.id for task in tasks(6))

    @scenario
    async def test_a_retried_task_comes_at_its_time_with_one_more_failure(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(QUEUE, 5)) as deliveries:
            began = backend.clock.now()
            await broker.publish(QUEUE, tasks(1))
            (delivery,) = await take(deliveries, 1)
            await delivery.retry(began + timedelta(seconds=30), "HTTP 503")
            waiting = asyncio.ensure_future(take(deliveries, 1))
            await asyncio.wait({waiting}, timeout=0.1)
            backend.clock.advance(29)
            await asyncio.wait({waiting}, timeout=0.1)
            assert not waiting.done()
            backend.clock.advance(1)
            (again,) = await waiting
            assert (again.task.id, again.task.attempts, again.task.first_attempt_at) == ("task-0", 1, began)

    @scenario
    async def test_a_task_for_later_does_not_hold_up_those_behind_it(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(QUEUE, 5)) as deliveries:
            due = backend.clock.now() + timedelta(seconds=60)
            later, now = tasks(2)
            await broker.publish(QUEUE, [PushTask(later.id, later.request, not_before=due), now])
            assert [d.task.id for d in await take(deliveries, 1)] == [now.id]
            backend.clock.advance(60)
            assert [d.task.id for d in await take(deliveries, 1)] == [later.id]

    @scenario
    async def test_a_released_task_comes_again_as_it_was(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(QUEUE, 5)) as deliveries:
            await broker.publish(QUEUE, tasks(1))
            (delivery,) = await take(deliveries, 1)
            await delivery.release()
            (again,) = await take(deliveries, 1)
            assert (again.task.id, again.task.attempts) == ("task-0", 0)

    @scenario
    async def test_the_dead_are_kept_with_their_reason_and_may_be_redriven(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume(QUEUE, 5)) as deliveries:
            await broker.publish(QUEUE, tasks(3))
            for delivery in await take(deliveries, 3):
                await delivery.dead_letter(f"HTTP 41{delivery.task.id[-1]}")
            dead = await broker.list_dead(QUEUE)
            assert [(letter.id, letter.reason) for letter in dead] == [(f"task-{n}", f"HTTP 41{n}") for n in range(3)]
            assert all(letter.task is not None and letter.task.attempts == 1 for letter in dead)
            assert await broker.redrive(QUEUE, ["task-1", "unknown"]) == {"task-1"}
            (again,) = await take(deliveries, 1)
            assert (again.task.id, again.task.attempts) == ("task-1", 0)
            assert await broker.purge(QUEUE, ["task-0"]) == {"task-0"}
            assert await broker.purge(QUEUE) == {"task-2"}
            assert await broker.list_dead(QUEUE) == []

    @scenario
    async def test_queues_do_not_mix(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker, aclosing(broker.consume("other", 5)) as deliveries:
            await broker.publish(QUEUE, tasks(1))
            assert await nothing_comes(deliveries)
