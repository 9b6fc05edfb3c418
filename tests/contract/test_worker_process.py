"""One genuine worker process: signals, handlers that block for long, and coming back from the dead."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from adapters.sql.store import SqlCoordinationStore
from adapters.system.time import SystemClock, SystemIds
from domain.lifecycle import State
from domain.work import Task

JOBS = """
    import sys, threading, time
    def waits(url):
        print(url, flush=True)
        threading.Event().wait(float(url.rpartition("/")[2]))
    def stuck(url):
        print(url, flush=True)
        threading.Event().wait()
    def closes(url):
        sys.stdout.close()
"""


class Place:
    """A directory with a store and a module of handlers."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.url = f"sqlite:///{directory}/work.db"
        (directory / "jobs.py").write_text(textwrap.dedent(JOBS))

    def add(self, *seconds: float) -> None:
        async def fill() -> None:
            async with self.store() as store:
                await store.tasks.add([Task(f"url {n}", f"https://x.example/{n}/{s}") for n, s in enumerate(seconds)])

        asyncio.run(fill())

    def store(self) -> SqlCoordinationStore:
        return SqlCoordinationStore(self.url, clock=SystemClock(), ids=SystemIds())

    def counts(self) -> dict[State, int]:
        async def read() -> dict[State, int]:
            async with self.store() as store:
                counts = await store.tasks.counts()
                assert await store.workers.active() == []
                return {state: counts[state] for state in State if counts[state]}

        return asyncio.run(read())

    def freeze(self, process: subprocess.Popen[str]) -> None:
        """SIGSTOP, but not in the middle of a write: that would hold SQLite's lock until it goes on."""
        while True:
            process.send_signal(signal.SIGSTOP)
            connection = sqlite3.connect(self.directory / "work.db", timeout=0, isolation_level=None)
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                process.send_signal(signal.SIGCONT)
            else:
                return
            finally:
                connection.close()

    @contextmanager
    def worker(self, handler: str, *options: str, **settings: str) -> Iterator[subprocess.Popen[str]]:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", "worker", "--handler", f"jobs:{handler}", *options],
            cwd=self.directory,
            env={
                **os.environ,
                "COORDINATION_URL": self.url,
                "MUTIRAO_STATE_DIR": str(self.directory / "state"),
                **settings,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_what_runs_finish_and_gives_the_rest_back(place: Place, number: signal.Signals) -> None:
    place.add(0.3, 0, 0)
    with place.worker("waits") as worker:
        assert heard(worker).endswith("/0.3")
        worker.send_signal(number)
        assert worker.wait(30) == 0
    assert place.counts() == {State.COMPLETED: 1, State.PENDING: 2}


def test_what_outlasts_the_grace_is_given_back(place: Place) -> None:
    place.add(0, 0)
    with place.worker("stuck", "--grace", "0.1") as worker:
        heard(worker)
        worker.terminate()
        assert worker.wait(30) == 0
    assert place.counts() == {State.PENDING: 2}


def test_a_second_signal_stops_at_once(place: Place) -> None:
    place.add(0)
    with place.worker("stuck", "--grace", "1000") as worker:
        heard(worker)
        worker.send_signal(signal.SIGINT)
        assert worker.stderr is not None
        while "stopping in good order" not in worker.stderr.readline():
            pass
        while worker.poll() is None:  # one that comes too soon is an echo of the first
            worker.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                worker.wait(0.1)
        assert worker.wait(30) == 130


def test_a_signal_that_comes_twice_at_once_is_one(place: Place) -> None:
    place.add(0.3, 0, 0)
    with place.worker("waits") as worker:
        heard(worker)
        worker.send_signal(signal.SIGTERM)  # as `timeout` does it: to the process, and to its group
        worker.send_signal(signal.SIGINT)
        assert worker.wait(30) == 0
    assert place.counts() == {State.COMPLETED: 1, State.PENDING: 2}


@pytest.mark.parametrize("listener", ["head -n 1", "true"])
def test_a_worker_whose_output_nobody_reads_stops_and_blames_no_task(place: Place, listener: str) -> None:
    place.add(*[0] * 30)
    command = f"{sys.executable} -m app worker --grace 1000 | {listener}; exit ${{PIPESTATUS[0]}}"
    environment = {**os.environ, "COORDINATION_URL": place.url, "MUTIRAO_STATE_DIR": str(place.directory / "state")}
    subprocess.run(["bash", "-c", command], check=True, env=environment, capture_output=True, timeout=60)
    counts = place.counts()
    assert set(counts) <= {State.COMPLETED, State.PENDING}
    assert sum(counts.values()) == 30


def test_a_handler_may_close_the_output(place: Place) -> None:
    place.add(0)
    with place.worker("closes", "--drain") as worker:
        _, errors = worker.communicate(timeout=60)
        assert worker.returncode == 0, errors
    assert place.counts() == {State.COMPLETED: 1}


def test_a_handler_may_block_for_longer_than_the_lease(place: Place) -> None:
    place.add(2.5)
    settings = {"LEASE_TTL": "1s", "HEARTBEAT_INTERVAL": "100ms"}
    with (
        place.worker("waits", "--drain", WORKER_NAME="a", **settings) as one,
        place.worker("waits", "--drain", WORKER_NAME="b", **settings) as two,
    ):
        outputs = [process.communicate(timeout=60)[0] for process in (one, two)]
        assert [one.returncode, two.returncode] == [0, 0]
    assert "".join(outputs).split() == ["https://x.example/0/2.5"]
    assert place.counts() == {State.COMPLETED: 1}


def test_a_worker_that_was_frozen_comes_back_to_find_its_work_done(place: Place) -> None:
    place.add(0.2, 0, 0, 0)
    settings = {"LEASE_TTL": "1s", "HEARTBEAT_INTERVAL": "100ms"}
    with place.worker("waits", "--drain", WORKER_NAME="zombie", **settings) as zombie:
        heard(zombie)
        place.freeze(zombie)
        with place.worker("waits", "--drain", WORKER_NAME="heir", **settings) as heir:
            output, errors = heir.communicate(timeout=60)
            assert heir.returncode == 0, errors
            assert "buried zombie" in errors
            assert len(output.split()) == 4
        zombie.send_signal(signal.SIGCONT)
        _, errors = zombie.communicate(timeout=60)
        assert zombie.returncode == 0, errors
        assert "took zombie for dead" in errors
    assert place.counts() == {State.COMPLETED: 4}
