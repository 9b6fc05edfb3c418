"""The façade: yt-gsheet-orchestrator's example with its import line changed, and what happens around it."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from adapters.memory.board import Board
from adapters.memory.coordination import MemoryCoordinationStore
from adapters.memory.extractor import MemoryExtractor, ScriptedSource
from adapters.system.time import SystemClock, SystemIds
from app import Config, Orchestrator
from app.loop_thread import LoopThread
from domain.dedupe import source_key
from domain.lifecycle import State
from domain.scan import Entry
from domain.work import Record, Source, Task

URL = "https://x.example/list"


@pytest.fixture(autouse=True)
def _away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MUTIRAO_STATE_DIR", str(tmp_path / "state"))


class World:
    def __init__(self, count: int) -> None:
        entries = [Entry(f"youtube v{n}", f"https://x.example/v{n}", f"v{n}") for n in range(count)]
        self.extractor = MemoryExtractor({URL: ScriptedSource("Lista", entries)})
        self.board = Board()
        self.loop = LoopThread("test")
        self.add(URL)

    @property
    def store(self) -> MemoryCoordinationStore:
        return MemoryCoordinationStore(clock=SystemClock(), ids=SystemIds(), board=self.board)

    def add(self, url: str) -> None:
        self.loop.run(self.store.sources.add([Source(source_key(url), url)]))

    def orchestrator(self) -> Orchestrator:
        return Orchestrator(Config(), coordination_store=self.store, extractor=self.extractor)

    def tasks(self, state: State) -> list[Record[Task]]:
        return list(self.loop.run(self.store.tasks.list(state)).records)


@pytest.fixture
def world():
    world = World(5)
    yield world
    world.loop.stop()


def test_the_documented_example_works_through_everything(world: World) -> None:
    seen: list[str] = []

    def process_video(url: str) -> None:
        seen.append(url)
        if url.endswith("3"):
            raise ValueError(f"URL inválida: {url}")

    orchestrator = world.orchestrator()
    while orchestrator.process_next_task(process_video):
        orchestrator.send_heartbeat()
    orchestrator.close()

    assert seen == [f"https://x.example/v{n}" for n in range(5)]
    assert len(world.tasks(State.COMPLETED)) == 4
    (dead,) = world.tasks(State.FAILED)
    assert dead.error == "URL inválida: https://x.example/v3"


def test_a_task_is_recorded_when_the_call_returns(world: World) -> None:
    with world.orchestrator() as orchestrator:
        assert orchestrator.process_next_task(lambda url: None)
        assert len(world.tasks(State.COMPLETED)) == 1


def test_without_work_it_returns_false_and_leadership_is_free(world: World) -> None:
    with world.orchestrator() as orchestrator:
        while orchestrator.process_next_task(lambda url: None):
            pass
        assert orchestrator.process_next_task(lambda url: None) is False
        assert world.loop.run(world.store.leases.holder("Source")) is None


def test_closing_leaves_nothing_held_and_nobody_active(world: World) -> None:
    orchestrator = world.orchestrator()
    orchestrator.process_next_task(lambda url: None)
    orchestrator.close()
    orchestrator.close()
    assert world.loop.run(world.store.workers.active()) == []
    assert world.tasks(State.CLAIMED) == []
    assert len(world.tasks(State.PENDING)) == 4


def test_an_async_callback_runs_too(world: World) -> None:
    seen: list[str] = []

    async def callback(url: str) -> None:
        seen.append(url)
        raise ValueError("async, and failed")

    with world.orchestrator() as orchestrator:
        assert orchestrator.process_next_task(callback)
    assert len(seen) == 1
    assert [record.error for record in world.tasks(State.FAILED)] == ["async, and failed"]


def test_a_callbacks_own_exit_is_its_tasks_failure(world: World) -> None:
    def quits(url: str) -> None:
        sys.exit(3)

    with world.orchestrator() as orchestrator:
        assert orchestrator.process_next_task(quits)
        (dead,) = world.tasks(State.FAILED)
        assert "SystemExit(3)" in dead.error


def test_a_keyboard_interrupt_gives_the_task_back(world: World) -> None:
    def interrupted(url: str) -> None:
        raise KeyboardInterrupt

    orchestrator = world.orchestrator()
    with pytest.raises(KeyboardInterrupt):
        orchestrator.process_next_task(interrupted)
    assert len(world.tasks(State.PENDING)) == 5
    assert world.loop.run(world.store.workers.active()) == []


def test_a_closed_orchestrator_says_so(world: World) -> None:
    orchestrator = world.orchestrator()
    orchestrator.close()
    with pytest.raises(RuntimeError, match="closed"):
        orchestrator.process_next_task(lambda url: None)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_in_the_middle_of_a_callback_releases_the_task(tmp_path: Path, number: signal.Signals) -> None:
    code = """
        import asyncio, threading
        from app import Config, Orchestrator, create_app
        from domain.work import Task
        async def fill():
            async with create_app() as app:
                await app.store.tasks.add([Task("url 1", "https://x.example/1"), Task("url 2", "https://x.example/2")])
        asyncio.run(fill())
        def process(url):
            print("working", flush=True)
            threading.Event().wait()
        Orchestrator(Config()).process_next_task(process)
    """
    environment = {**os.environ, "COORDINATION_URL": f"sqlite:///{tmp_path}/work.db"}
    command = [sys.executable, "-c", textwrap.dedent(code)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "working\n"
        process.send_signal(number)
        assert process.wait(20) == 0, process.stderr.read() if process.stderr else ""
    status = [sys.executable, "-m", "app", "status", "--json"]
    shown = subprocess.run(status, env=environment, check=True, capture_output=True, text=True).stdout
    import json

    snapshot = json.loads(shown)
    assert snapshot["tasks"]["pending"] == 2
    assert snapshot["workers"] == []
