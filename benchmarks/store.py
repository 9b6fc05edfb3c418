"""Claim and settle: tasks a second through the store, against other queues on the same database.

Every side works through the same number of tasks that wait already, one worker, nothing executed: what is timed is
taking a task and recording that it is done. On SQLite both sides write to a WAL and flush every commit
(synchronous=FULL, the default of both); huey takes with `dequeue` and records with `put_result`, and is shown without
the recording too. On PostgreSQL, with its defaults (every commit is flushed), procrastinate's job manager takes with
`fetch_job` and records with `finish_job`, as its worker does. Ours goes as its worker does: the next claim goes out
beside the settlement before it.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from adapters.sql.store import SqlCoordinationStore
from adapters.system.time import SystemClock, SystemIds
from domain.lifecycle import Completed
from domain.session import Worker
from domain.work import Settlement, Task
from tests.contract.postgres import PostgresServer, find_postgres

TASKS = 2000
ROUNDS = 3


async def ours(url: str, batch: int) -> float:
    """Tasks a second."""
    async with SqlCoordinationStore(url, clock=SystemClock(), ids=SystemIds()) as store:
        await store.tasks.add([Task(f"url {n}", f"https://x.example/{n}") for n in range(TASKS)])
        session = await store.workers.open(Worker("benchmark-1", "benchmark"))
        began = time.perf_counter()
        claims = await store.tasks.claim(session, batch)
        done = 0
        while claims:
            done += len(claims)
            settlements = [Settlement(claim, Completed()) for claim in claims]
            _, claims = await asyncio.gather(
                store.tasks.settle(session, settlements), store.tasks.claim(session, batch)
            )
        took = time.perf_counter() - began
        assert done == TASKS
        return TASKS / took


def huey(path: Path, *, record: bool) -> float:
    from huey import SqliteHuey

    queue = SqliteHuey(filename=str(path), results=True, store_none=True)

    @queue.task()
    def work(url: str) -> None:
        """Does nothing."""

    for number in range(TASKS):
        work(f"https://x.example/{number}")
    began = time.perf_counter()
    done = 0
    while (task := queue.dequeue()) is not None:
        if record:
            queue.put_result(task.id, None)
        done += 1
    took = time.perf_counter() - began
    assert done == TASKS
    return TASKS / took


async def procrastinate(dsn: str) -> float:
    import procrastinate as library
    from procrastinate.jobs import Status
    from procrastinate.manager import JobManager

    connector = library.PsycopgConnector(conninfo=dsn)
    app = library.App(connector=connector)

    @app.task(name="work")
    def work(url: str) -> None:
        """Does nothing."""

    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        await work.batch_defer_async(*({"url": f"https://x.example/{n}"} for n in range(TASKS)))
        manager = JobManager(connector)
        worker = await manager.register_worker()
        began = time.perf_counter()
        done = 0
        while (job := await manager.fetch_job(queues=None, worker_id=worker)) is not None:
            await manager.finish_job(job, status=Status.SUCCEEDED, delete_job=False)
            done += 1
        took = time.perf_counter() - began
        assert done == TASKS
        return TASKS / took


def interleaved(sides: dict[str, Callable[[], float]]) -> dict[str, float]:
    """The median of each, measured in turn so that a machine that slows down slows all of them."""
    figures: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, side in sides.items():
            figures[name].append(side())
    return {name: statistics.median(values) for name, values in figures.items()}


def report(engine: str, other: str, figures: dict[str, float]) -> None:
    theirs = figures[other]
    print(f"{engine:11} {other:16} {theirs:8.0f} tasks/s")
    for name, target in (("batch 1", 1.0), ("batch 25", 5.0)):
        ratio = figures[name] / theirs
        verdict = "met" if ratio >= target else "MISSED"
        print(f"{engine:11} ours, {name:10} {figures[name]:8.0f} tasks/s", end="")
        print(f"   x {ratio:5.2f} (target x {target:.0f}: {verdict})")


def run(work: Awaitable[float]) -> float:
    async def body() -> float:
        return await work

    return asyncio.run(body())


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        numbers = iter(range(10_000))

        def file() -> Path:
            return Path(directory) / f"{next(numbers)}.db"

        sqlite = interleaved(
            {
                "huey": lambda: huey(file(), record=True),
                "huey, unrecorded": lambda: huey(file(), record=False),
                "batch 1": lambda: run(ours(f"sqlite:///{file()}", 1)),
                "batch 25": lambda: run(ours(f"sqlite:///{file()}", 25)),
            }
        )
        report("SQLite", "huey, unrecorded", sqlite)
        report("SQLite", "huey", sqlite)
    binaries = find_postgres()
    if binaries is None:
        sys.exit("PostgreSQL is not installed: nothing to measure there")
    with PostgresServer(binaries) as server:
        postgres = interleaved(
            {
                "procrastinate": lambda: run(procrastinate(server.create_database())),
                "batch 1": lambda: run(ours(server.create_database(), 1)),
                "batch 25": lambda: run(ours(server.create_database(), 25)),
            }
        )
        report("PostgreSQL", "procrastinate", postgres)


if __name__ == "__main__":
    main()
