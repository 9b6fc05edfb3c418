"""Worker processes for the tests: the genuine command line, a journal of what ran, and SIGKILL at any moment."""

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

JOURNAL = "JOURNAL"


def work(url: str) -> None:
    """The handler: writes down that it ran; fails for URLs that end in 9."""
    threading.Event().wait(0.002)
    with Path(os.environ[JOURNAL]).open("a", encoding="utf-8") as journal:
        journal.write(url + "\n")
    if url.endswith("9"):
        raise ValueError(f"cannot work on {url}")


class Crew:
    """`count` workers on one store, until it is drained. Each has its own name and comes back under it."""

    def __init__(self, url: str, directory: Path, count: int, **settings: str) -> None:
        self.journal = directory / "journal"
        self.journal.touch()
        self._directory = directory
        self._names = [f"w{number}" for number in range(count)]
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "COORDINATION_URL": url,
            "MUTIRAO_STATE_DIR": str(directory / "state"),
            "LOG_LEVEL": "warning",
            JOURNAL: str(self.journal),
            **settings,
        }

    def start(self, name: str) -> None:
        command = [
            sys.executable,
            "-m",
            "app",
            "worker",
            "--drain",
            "--handler",
            "tests.contract.processes:work",
            "-c",
            "2",
        ]
        with (self._directory / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                command, env={**self._environment, "WORKER_NAME": name}, stdout=log, stderr=log
            )

    def __enter__(self) -> Self:
        for name in self._names:
            self.start(name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes.values():
            process.kill()
            process.wait()

    def kill_one(self, chance: random.Random) -> str | None:
        """SIGKILL a running worker; its name."""
        running = [name for name, process in self._processes.items() if process.poll() is None]
        if not running:
            return None
        name = chance.choice(running)
        victim = self._processes.pop(name)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        return name

    def ended(self) -> list[str]:
        """The names of those that run no more."""
        return [name for name, process in self._processes.items() if process.poll() is not None]

    def wait(self, seconds: float) -> None:
        """Until every worker has ended by itself."""
        for name, process in self._processes.items():
            assert process.wait(seconds) == 0, (self._directory / f"{name}.log").read_text()

    def logs(self) -> list[str]:
        """What each worker has said so far."""
        return [(self._directory / f"{name}.log").read_text("utf-8") for name in self._names]

    def runs(self) -> list[str]:
        return self.journal.read_text("utf-8").splitlines()
