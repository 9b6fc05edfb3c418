"""Runs the demo: feeds, three workers on one SQLite file, one of them killed midway; then counts what came out."""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define, evolve
from rich.console import Console
from rich.live import Live

from app.composition import App, create_app
from app.demo.feed import Feeds
from app.demo.view import render
from app.settings import Settings
from app.use_cases.intervene import every
from app.use_cases.overview import Overview
from domain.lifecycle import State

WORKERS = ("ana", "bia", "caio")
KILLED = "bia"
TICK = 0.2
FEEDS = {
    "violao": [f"violao-{n}" for n in range(60)],
    "historia": [f"historia-{n}" for n in range(45)],
    # ten of these were in another feed already: a task is a task once
    "melhores": [f"violao-{n}" for n in range(10)] + [f"melhores-{n}" for n in range(30)],
}
LATE = "melhores"


@define
class Outcome:
    """What went in, what came out, and what the handlers wrote down."""

    sources_in: int
    tasks_in: int
    final: Overview
    recorded: list[str]
    runs: int
    killed: bool

    @property
    def holds(self) -> bool:
        """The equation: in = done + dead, nothing left, each key recorded once, one worker really killed."""
        sources, tasks = self.final.sources, self.final.tasks
        return (
            self.killed
            and self.sources_in == sources[State.COMPLETED] + sources[State.FAILED]
            and self.tasks_in == tasks[State.COMPLETED] + tasks[State.FAILED]
            and self.final.left == 0
            and len(self.recorded) == len(set(self.recorded)) == self.tasks_in
            and self.runs >= self.tasks_in
        )


async def run_demo(console: Console, *, directory: Path | None = None) -> Outcome:
    """The demo, shown on `console`; its files go to `directory` (None: a temporary one)."""
    with tempfile.TemporaryDirectory(prefix="mutirao-demo-") as temporary, Feeds(FEEDS) as feeds:
        base = directory or Path(temporary)
        environment = {
            **os.environ,
            "COORDINATION_URL": f"sqlite:///{base / 'work.db'}",
            "MUTIRAO_STATE_DIR": str(base / "state"),
            "MUTIRAO_DEMO_JOURNAL": str(base / "journal"),
            "YTDLP_EXTRACTORS": "generic",
            "LEASE_TTL": "4s",
            "HEARTBEAT_INTERVAL": "500ms",
            "LOG_LEVEL": "warning",
        }
        settings = evolve(Settings.from_env(environment))
        async with create_app(settings) as app:
            early = [feeds.url(name) for name in FEEDS if name != LATE] + [feeds.url("nowhere")]
            await app.add_sources(early)
            with _workers(environment, base) as workers:
                killed = await _watch(app, console, workers, late=feeds.url(LATE))
            final = await app.overview()
            recorded = [
                record.item.key
                for state in (State.COMPLETED, State.FAILED)
                async for record in every(app.store.tasks, state)
            ]
        journal = (base / "journal").read_text("utf-8").splitlines()
        return Outcome(
            sources_in=len(early) + 1,
            tasks_in=len({episode for episodes in FEEDS.values() for episode in episodes}),
            final=final,
            recorded=recorded,
            runs=sum(Counter(journal).values()),
            killed=killed,
        )


@contextmanager
def _workers(environment: dict[str, str], base: Path) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """Three worker processes that stop by themselves when nothing is left; killed if they outlive the demo."""
    command = [sys.executable, "-m", "app", "worker", "--handler", "app.demo.handler:process", "--drain"]
    logs = [(base / f"{name}.log").open("wb") for name in WORKERS]
    workers = {
        name: subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command, env={**environment, "WORKER_NAME": name}, stdout=log, stderr=log, cwd=base
        )
        for name, log in zip(WORKERS, logs, strict=True)
    }
    try:
        yield workers
    finally:
        for worker in workers.values():
            worker.kill()
            worker.wait()
        for log in logs:
            log.close()


async def _watch(app: App, console: Console, workers: dict[str, subprocess.Popen[bytes]], late: str) -> bool:
    """Show how it goes until the workers end; add a source late; kill one worker while it holds tasks."""
    killed = added = False
    with Live(console=console, refresh_per_second=8, transient=False, auto_refresh=console.is_terminal) as live:
        while any(worker.poll() is None for worker in workers.values()):
            snapshot = await app.overview()
            done = snapshot.tasks[State.COMPLETED] + snapshot.tasks[State.FAILED]
            if not added and done > 10:
                await app.add_sources([late])
                added = True
                console.print("a source is added while the workers run")
            if not killed and done > 40 and snapshot.tasks[State.CLAIMED] > 0:
                workers[KILLED].kill()
                killed = True
                console.print(f"{KILLED} is killed with SIGKILL; what it held waits for its lease to run out")
            live.update(render(snapshot), refresh=console.is_terminal)
            await app.clock.sleep(TICK)
        live.update(render(await app.overview()), refresh=True)
    return killed
