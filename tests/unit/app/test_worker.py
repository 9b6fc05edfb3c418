"""The worker's loops over the in-memory store: it works everything off, outlives trouble, and stops in good order."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from adapters.memory.board import Board
from adapters.memory.coordination import MemoryCoordinationStore
from adapters.memory.extractor import MemoryExtractor, ScriptedSource
from adapters.memory.identity import MemoryIdentity
from adapters.memory.time import FixedRandom, SequentialIds
from adapters.system.time import SystemClock
from app import Settings, create_app
from app.composition import App
from app.events import (
    SessionLost,
    SettlementRefused,
    SourceFinished,
    StoreTrouble,
    TaskFinished,
    TaskStarted,
    WorkerEvent,
)
from app.handlers import as_handler
from domain.lifecycle import State
from domain.scan import Entry
from domain.work import Source, Task
from ports.errors import SourceRateLimited, StoreCorrupt, StoreUnavailable
from ports.testing.scenario import scenario

URL = "https://x.example/list"


def tasks(count: int) -> list[Task]:
    return [Task(f"youtube v{n}", f"https://x.example/v{n}", f"v{n}") for n in range(count)]


class World:
    """One board, and as many apps over it as a test wants."""

    def __init__(self, **settings: object) -> None:
        self.board, self.ids, self.clock = Board(), SequentialIds(), SystemClock()
        self.settings = Settings(coordination_url="memory://", **settings)
        entries = [Entry(task.key, task.url, task.id) for task in tasks(30)]
        self.sources = {URL: ScriptedSource("Lista", entries, page_size=10)}
        self.events: list[WorkerEvent] = []

    def app(self) -> App:
        store = MemoryCoordinationStore(clock=self.clock, ids=self.ids, board=self.board)
        return create_app(
            self.settings,
            coordination_store=store,
            extractor=MemoryExtractor(self.sources),
            identity=MemoryIdentity(self.ids),
            random=FixedRandom(),
            clock=self.clock,
        )

    async def drain(self, handler: Callable[..., object], app: App | None = None, slots: int = 1) -> None:
        async with app or self.app() as opened:
            worker = opened.worker(as_handler(handler), slots=slots, drain=True, listener=self.events.append)
            async with asyncio.timeout(20):
                await worker.run()

    def of(self, kind: type[WorkerEvent]) -> list[WorkerEvent]:
        return [event for event in self.events if isinstance(event, kind)]

    async def counts(self) -> dict[State, int]:
        counts = await self.app().store.tasks.counts()
        return {state: counts[state] for state in State if counts[state]}


@scenario
async def test_a_source_is_expanded_and_its_tasks_are_worked_off() -> None:
    world, seen = World(), []
    async with world.app() as app:
        await app.add_sources([URL])
    await world.drain(seen.append)
    assert sorted(seen) == sorted(task.url for task in tasks(30))
    assert await world.counts() == {State.COMPLETED: 30}


@scenario
async def test_no_more_than_so_many_run_at_a_time() -> None:
    world, running, most, lock = World(), 0, 0, threading.Lock()

    def handler(url: str) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        threading.Event().wait(0.005)
        with lock:
            running -= 1

    await world.app().store.tasks.add(tasks(30))
    await world.drain(handler, slots=3)
    assert most == 3


@scenario
async def test_a_failure_is_tried_again_as_often_as_allowed() -> None:
    world = World(max_attempts=3, retry_backoff=0.01)
    await world.app().store.tasks.add(tasks(1))

    def handler(url: str) -> None:
        raise ValueError("still broken")

    await world.drain(handler)
    (dead,) = (await world.app().store.tasks.list(State.FAILED)).records
    assert (dead.attempts, dead.error) == (3, "still broken")
    assert len(world.of(TaskStarted)) == 3


@scenario
async def test_several_workers_share_the_work_and_expand_a_source_once() -> None:
    world = World()
    async with world.app() as app:
        await app.add_sources([URL])
    await asyncio.gather(*(world.drain(lambda url: None) for _ in range(3)))
    assert await world.counts() == {State.COMPLETED: 30}
    assert len(world.of(TaskFinished)) == 30


async def run_until(world: World, stop_after: Callable[[], Awaitable[None]], handler: Callable[..., object]) -> None:
    async with world.app() as app:
        worker = app.worker(as_handler(handler), grace=5, listener=world.events.append)
        running = asyncio.create_task(worker.run())
        await stop_after()
        worker.stop()
        async with asyncio.timeout(20):
            await running


@scenario
async def test_stopping_finishes_what_runs_and_gives_the_rest_back() -> None:
    world = World()
    await world.app().store.tasks.add(tasks(5))
    started, release = asyncio.Event(), asyncio.Event()

    async def handler(url: str) -> None:
        started.set()
        await release.wait()

    async def stop_after() -> None:
        await started.wait()
        asyncio.get_running_loop().call_soon(release.set)

    await run_until(world, stop_after, handler)
    assert await world.counts() == {State.COMPLETED: 1, State.PENDING: 4}
    assert await world.app().store.workers.active() == []


@scenario
async def test_what_does_not_finish_within_the_grace_is_given_back_untried() -> None:
    world = World()
    await world.app().store.tasks.add(tasks(1))
    started = asyncio.Event()

    async def handler(url: str) -> None:
        started.set()
        await asyncio.Event().wait()

    async with world.app() as app:
        worker = app.worker(as_handler(handler), grace=0.01, listener=world.events.append)
        running = asyncio.create_task(worker.run())
        await started.wait()
        worker.stop()
        async with asyncio.timeout(20):
            await running
    (record,) = (await world.app().store.tasks.list(State.PENDING)).records
    assert record.attempts == 0


@scenario
async def test_a_worker_taken_for_dead_joins_anew_and_its_work_is_done_again() -> None:
    world = World(lease_ttl=30.0)
    await world.app().store.tasks.add(tasks(3))
    runs: list[str] = []

    async def handler(url: str) -> None:
        runs.append(url)
        if len(runs) == 1:
            # others bury this worker while it works
            registry = world.app().store.workers
            for session in list(world.board.live.values()):
                registry._end(session.session, crashed=True)

    await world.drain(handler)
    assert await world.counts() == {State.COMPLETED: 3}
    assert len(runs) == 4
    assert world.of(SessionLost)
    assert world.of(SettlementRefused)


@scenario
async def test_a_store_that_is_away_for_a_while_is_ridden_out() -> None:
    world = World()
    app = world.app()
    await app.store.tasks.add(tasks(3))
    failures = iter([StoreUnavailable("away", retry_after=0.01)] * 3)
    claim = app.store.tasks.claim

    async def flaky(session, limit):
        for failure in failures:
            raise failure
        return await claim(session, limit)

    app.store.tasks.claim = flaky
    await world.drain(lambda url: None, app)
    assert await world.counts() == {State.COMPLETED: 3}
    assert len(world.of(StoreTrouble)) == 3


@pytest.mark.parametrize("call", ["leases.acquire", "sources.claim", "sources.settle", "tasks.add", "tasks.counts"])
@scenario
async def test_whatever_call_a_store_does_not_answer_is_repeated(call: str) -> None:
    world = World()
    app = world.app()
    await app.add_sources([URL])
    port, method = call.split(".")
    port = getattr(app.store, port)
    answer, failures = getattr(port, method), iter([StoreUnavailable("away")])

    async def flaky(*arguments):
        for failure in failures:
            raise failure
        return await answer(*arguments)

    setattr(port, method, flaky)
    await world.drain(lambda url: None, app)
    assert await world.counts() == {State.COMPLETED: 30}
    assert len(world.of(StoreTrouble)) == 1


@scenario
async def test_a_worker_can_be_stopped_while_its_store_is_away() -> None:
    world = World()
    app = world.app()
    await app.store.tasks.add(tasks(3))
    away = asyncio.Event()

    async def fails(session, *args):
        away.set()
        raise StoreUnavailable("away", retry_after=0.01)

    app.store.tasks.settle = fails
    app.store.leases.release = fails
    async with app:
        worker = app.worker(as_handler(lambda url: None), grace=0.01, listener=world.events.append)
        running = asyncio.create_task(worker.run())
        await away.wait()
        worker.stop()
        async with asyncio.timeout(20):
            await running
    assert await world.counts() == {State.PENDING: 3}


@scenario
async def test_a_worker_that_is_stopping_starts_nothing_while_its_store_is_away() -> None:
    world = World()
    app = world.app()
    await app.store.tasks.add(tasks(20))
    runs: list[str] = []
    away, stopped = asyncio.Event(), asyncio.Event()
    settle = app.store.tasks.settle

    async def fails(session, settlements):
        if len(runs) < 5:
            return await settle(session, settlements)
        away.set()
        raise StoreUnavailable("away", retry_after=0.01)

    async def handler(url: str) -> None:
        runs.append(url)
        if len(runs) == 6:
            await stopped.wait()

    app.store.tasks.settle = fails
    async with app as opened:
        worker = opened.worker(as_handler(handler), grace=0.1, listener=world.events.append)
        running = asyncio.create_task(worker.run())
        await away.wait()
        worker.stop()
        stopped.set()
        await running
    assert len(runs) == 6


@pytest.mark.parametrize("call", ["workers.beat", "workers.close", "leases.release", "tasks.settle"])
@scenario
async def test_a_store_that_is_frozen_keeps_no_worker_from_ending(call: str) -> None:
    world = World()
    app = world.app()
    await app.store.tasks.add(tasks(1))
    port, method = call.split(".")

    async def says_nothing(*_arguments):
        await asyncio.Event().wait()

    with pytest.MonkeyPatch.context() as patch:
        for module in ("membership", "expander"):
            patch.setattr(f"app.workers.{module}.GOODBYE", 0.05)
        patch.setattr("app.workers.task_runner.SETTLING", 0.05)
        patch.setattr(getattr(app.store, port), method, says_nothing)
        async with app as opened:
            worked = asyncio.Event()

            async def handler(url: str) -> None:
                worked.set()

            worker = opened.worker(as_handler(handler), grace=0.05, listener=world.events.append)
            running = asyncio.create_task(worker.run())
            await worked.wait()
            worker.stop()
            async with asyncio.timeout(20):
                await running
    assert call == "tasks.settle" or next(event.error for event in world.of(StoreTrouble)).endswith("no answer")


@scenario
async def test_a_listener_that_breaks_ends_the_worker_and_gives_back_what_it_held() -> None:
    world = World()
    await world.app().store.tasks.add(tasks(3))

    def breaks(event: WorkerEvent) -> None:
        if isinstance(event, TaskFinished):
            raise ZeroDivisionError

    async with world.app() as app, asyncio.timeout(20):
        with pytest.raises(ZeroDivisionError):
            await app.worker(as_handler(lambda url: None), listener=breaks).run()
    assert sum((await world.counts()).values()) == 3
    assert State.CLAIMED not in await world.counts()


@scenario
async def test_a_store_that_is_not_ours_ends_the_worker() -> None:
    world = World()
    app = world.app()

    async def corrupt(session, limit):
        raise StoreCorrupt("somebody else's table")

    app.store.tasks.claim = corrupt
    with pytest.raises(StoreCorrupt, match="somebody else"):
        await world.drain(lambda url: None, app)
    assert await world.app().store.workers.active() == []


@scenario
async def test_a_rate_limit_pauses_extraction_and_keeps_the_source() -> None:
    world = World()
    limited = ScriptedSource(failure=SourceRateLimited("HTTP 429", retry_after=0.2))
    world.sources[URL], whole = limited, world.sources[URL]
    async with world.app() as app:
        await app.add_sources([URL])

    def listener(event: WorkerEvent) -> None:
        world.events.append(event)
        if type(event).__name__ == "ExtractionPaused":
            world.sources[URL] = whole

    async with world.app() as app, asyncio.timeout(20):
        await app.worker(as_handler(lambda url: None), drain=True, listener=listener).run()
    (source,) = (await world.app().store.sources.list(State.COMPLETED)).records
    assert source.attempts == 1
    assert await world.counts() == {State.COMPLETED: 30}


async def until(world: World, enough: Callable[[list[WorkerEvent]], bool]) -> Source:
    """Run a worker on a source that is added meanwhile, until its events are `enough`; the source then."""
    reached = asyncio.Event()

    def listener(event: WorkerEvent) -> None:
        world.events.append(event)
        if enough(world.events):
            reached.set()

    async with world.app() as app, asyncio.timeout(20):
        worker = app.worker(as_handler(lambda url: None), listener=listener)
        running = asyncio.create_task(worker.run())
        await app.add_sources([URL])
        await reached.wait()
        worker.stop()
        await running
    (record,) = (await world.app().store.sources.list(State.COMPLETED)).records
    return record.item


@scenario
async def test_a_source_added_while_workers_run_is_expanded() -> None:
    world = World()
    source = await until(world, lambda events: sum(isinstance(event, TaskFinished) for event in events) == 30)
    assert source.entries == 30


@scenario
async def test_finished_sources_are_scanned_again_when_it_is_time() -> None:
    world = World(rescan_every=0.05)
    await until(world, lambda events: sum(isinstance(event, SourceFinished) for event in events) >= 2)
    assert (await world.app().store.tasks.counts()).total == 30
