"""A database that goes away under running workers: they wait for it, and go on."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from adapters.sql.store import SqlCoordinationStore
from adapters.system.time import SystemClock, SystemIds
from domain.lifecycle import State
from domain.work import Task
from ports.testing.scenario import scenario
from tests.contract.postgres import PostgresServer
from tests.contract.processes import Crew

TASKS = 600
WORKERS = 3


@pytest.fixture
def server(postgres_binaries: Path) -> Iterator[PostgresServer]:
    """A server of the test's own, to be ill-treated."""
    with PostgresServer(postgres_binaries) as server:
        yield server


async def crash(server: PostgresServer, _until_noticed: Callable[[], Awaitable[None]]) -> None:
    await asyncio.to_thread(server.restart)


async def pause(server: PostgresServer, until_noticed: Callable[[], Awaitable[None]]) -> None:
    await asyncio.to_thread(server.stop)
    await until_noticed()
    await asyncio.to_thread(server.start)


async def kill(server: PostgresServer, until_noticed: Callable[[], Awaitable[None]]) -> None:
    await asyncio.to_thread(server.kill)
    await until_noticed()
    await asyncio.to_thread(server.start)


@pytest.mark.parametrize("outage", [crash, pause, kill])
@scenario
async def test_workers_outlive_their_database(
    server: PostgresServer, tmp_path: Path, outage: Callable[..., Awaitable[None]]
) -> None:
    clock, url = SystemClock(), server.create_database()
    tasks = [Task(key=f"url {n}", url=f"https://x.example/{n}") for n in range(TASKS)]
    async with SqlCoordinationStore(url, clock=clock, ids=SystemIds()) as store:
        await store.tasks.add(tasks)
    crew = Crew(url, tmp_path, WORKERS, HEARTBEAT_INTERVAL="200ms", LOG_LEVEL="info")
    with crew:
        while not all(" joined as " in log for log in crew.logs()):
            await clock.sleep(0.01)
        for nth in (1, 2):
            while len(crew.runs()) < nth * TASKS / 4:
                await clock.sleep(0.01)
            before = [log.count("does not answer") for log in crew.logs()]

            async def until_noticed(before: list[int] = before) -> None:
                # by every loop of each worker: tasks, sources and heartbeats
                while any(log.count("does not answer") < n + 6 for n, log in zip(before, crew.logs(), strict=True)):
                    assert not crew.ended(), crew.logs()
                    await clock.sleep(0.01)

            await outage(server, until_noticed)
        crew.wait(60)

    async with SqlCoordinationStore(url, clock=clock, ids=SystemIds()) as store:
        counts = await store.tasks.counts()
    assert {state: counts[state] for state in State if counts[state]} == {
        State.COMPLETED: TASKS * 9 // 10,
        State.FAILED: TASKS // 10,
    }
    assert set(crew.runs()) == {task.url for task in tasks}
