"""The promises of `DeadLetters`."""

from contextlib import aclosing

import pytest

from domain.push_queue import EVERYTHING, Selection
from ports.broker import Broker
from ports.testing.broker_backend import FAILED_ONCE, BrokerBackend, names, nothing_comes, take, tasks
from ports.testing.scenario import scenario


async def kill(broker: Broker, queue: str, count: int) -> None:
    """Let `count` tasks fail for good: task-0 for reason HTTP 410, task-1 for HTTP 411, …"""
    await broker.publish(queue, tasks(count))
    async with aclosing(broker.consume(queue, 1)) as deliveries:
        for number in range(count):
            (delivery,) = await take(deliveries, 1)
            assert await delivery.dead_letter(f"HTTP 41{number}", FAILED_ONCE)


async def redriven(broker: Broker, queue: str, which: Selection = EVERYTHING) -> list[str]:
    async with aclosing(broker.redrive(queue, which)) as letters:
        return [letter.id async for letter in letters]


async def dead(broker: Broker, queue: str, which: Selection = EVERYTHING) -> list[str]:
    return [letter.id for letter in await broker.list_dead(queue, which)]


class DeadLettersPromises:
    @scenario
    async def test_the_dead_are_kept_as_they_were_with_reason_and_attempts(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            began = backend.clock.now()
            await kill(broker, backend.queue, 3)
            letters = await broker.list_dead(backend.queue)
            assert [letter.id for letter in letters] == ["task-0", "task-1", "task-2"]
            assert [letter.reason for letter in letters] == ["HTTP 410", "HTTP 411", "HTTP 412"]
            for letter, task in zip(letters, tasks(3), strict=True):
                assert letter.task is not None
                assert (letter.task.url, letter.task.payload, letter.task.attempts) == (
                    task.url,
                    task.payload,
                    FAILED_ONCE,
                )
                assert letter.died_at is None or letter.died_at >= began.replace(microsecond=0)

    @scenario
    async def test_listing_leaves_the_dead_where_they_are(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await kill(broker, backend.queue, 3)
            assert len(await broker.list_dead(backend.queue, limit=2)) == 2
            assert await dead(broker, backend.queue) == ["task-0", "task-1", "task-2"]
            assert await dead(broker, backend.other) == []

    @scenario
    async def test_the_dead_are_chosen_by_id_by_reason_or_both(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await kill(broker, backend.queue, 3)
            some = frozenset({"task-1", "task-2", "unknown"})
            assert await dead(broker, backend.queue, Selection(some)) == ["task-1", "task-2"]
            assert await dead(broker, backend.queue, Selection(reason="http 411")) == ["task-1"]
            assert await dead(broker, backend.queue, Selection(some, "410")) == []
            assert await dead(broker, backend.queue, Selection(frozenset())) == []

    @scenario
    async def test_a_redriven_task_begins_afresh(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await kill(broker, backend.queue, 3)
            assert await redriven(broker, backend.queue, Selection(frozenset({"task-1", "unknown"}))) == ["task-1"]
            assert await dead(broker, backend.queue) == ["task-0", "task-2"]
            async with aclosing(broker.consume(backend.queue, 5)) as deliveries:
                (again,) = await take(deliveries, 1)
                assert again.task == tasks(3)[1]

    @scenario
    async def test_all_are_redriven_in_the_order_of_their_deaths(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await kill(broker, backend.queue, 3)
            assert await redriven(broker, backend.queue) == ["task-0", "task-1", "task-2"]
            assert await redriven(broker, backend.queue) == []
            async with aclosing(broker.consume(backend.queue, 5)) as deliveries:
                assert names(await take(deliveries, 3)) == ["task-0", "task-1", "task-2"]

    @scenario
    async def test_whoever_stops_redriving_leaves_the_rest_dead(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await kill(broker, backend.queue, 3)
            async with aclosing(broker.redrive(backend.queue)) as letters:
                assert (await anext(letters)).id == "task-0"
            assert await dead(broker, backend.queue) == ["task-1", "task-2"]
            async with aclosing(broker.consume(backend.queue, 5)) as deliveries:
                assert names(await take(deliveries, 1)) == ["task-0"]
                assert await nothing_comes(backend, deliveries)

    @scenario
    async def test_what_dies_again_while_others_are_redriven_does_not_go_round(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await kill(broker, backend.queue, 2)
            async with (
                aclosing(broker.redrive(backend.queue)) as letters,
                aclosing(broker.consume(backend.queue, 5)) as deliveries,
            ):
                moved = []
                async for letter in letters:
                    moved.append(letter.id)
                    (again,) = await take(deliveries, 1)
                    await again.dead_letter("again", FAILED_ONCE)
            assert moved == ["task-0", "task-1"]
            assert await dead(broker, backend.queue, Selection(reason="again")) == ["task-0", "task-1"]

    @scenario
    async def test_purging_forgets_the_chosen(self, backend: BrokerBackend) -> None:
        async with backend.connect() as broker:
            await kill(broker, backend.queue, 3)
            assert await broker.purge(backend.queue, Selection(frozenset({"task-0", "unknown"}))) == 1
            assert await broker.purge(backend.queue, Selection(reason="412")) == 1
            assert await dead(broker, backend.queue) == ["task-1"]
            assert await broker.purge(backend.queue) == 1
            assert await broker.purge(backend.queue) == 0
            assert await dead(broker, backend.queue) == []

    @scenario
    async def test_a_message_that_holds_no_task_cannot_be_redriven_but_purged(self, backend: BrokerBackend) -> None:
        if backend.inject is None:
            pytest.skip("nothing but tasks can get into this broker")
        async with backend.connect() as broker:
            await backend.inject(backend.queue, b"garbage")
            async with aclosing(broker.consume(backend.queue, 5)) as deliveries:
                await broker.publish(backend.queue, tasks(1))
                await take(deliveries, 1)
            assert await redriven(broker, backend.queue) == []
            assert await broker.purge(backend.queue) == 1
