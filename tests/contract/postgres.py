"""A PostgreSQL server of the tests' own: a temporary cluster on a private socket, gone with the tests."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self


def find_postgres() -> Path | None:
    """The directory of the newest installed server's programs."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else None


class PostgresServer:
    """Runs while entered. PostgreSQL refuses to run as root: the tests' root becomes `postgres` for it."""

    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        # not among pytest's own: those are closed to every user but the one who runs the tests
        self._directory = Path(tempfile.mkdtemp(prefix="mutirao-postgres-"))
        self._user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        self._data = self._directory / "data"
        self._numbers = count(1)

    def __enter__(self) -> Self:
        if os.getuid() == 0:
            shutil.chown(self._directory, self._user)
        self._run(
            "initdb", "-D", self._data, "--auth=trust", "--no-sync", "-U", "postgres", "--encoding=UTF8", "--locale=C"
        )
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(subprocess.CalledProcessError):  # a test may have left it stopped
            self._control("stop", "-m", "immediate")
        shutil.rmtree(self._directory)

    def create_database(self) -> str:
        """The URL of a new, empty database."""
        name = f"test_{next(self._numbers)}"
        self._run("createdb", "-h", self._directory, "-U", "postgres", name)
        return f"postgresql://postgres@/{name}?host={self._directory}"

    def restart(self) -> None:
        """As after a crash."""
        self._control("restart", "-m", "immediate")

    def stop(self) -> None:
        """In good order, but waiting for no client."""
        self._control("stop", "-m", "fast")

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._directory}' -c max_connections=100"
        self._control("start", "-o", options, "-l", self._directory / "log")

    def kill(self) -> None:
        """SIGKILL the postmaster; returns when the backends, which it leaves behind, have gone too."""
        postmaster = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        os.kill(postmaster, signal.SIGKILL)
        while any(Path("/proc", pid).exists() for pid in children):
            threading.Event().wait(0.01)

    def _control(self, command: str, *options: object) -> None:
        self._run("pg_ctl", command, "-w", "-D", self._data, *options)

    def _run(self, program: str, *arguments: object) -> None:
        command = [str(self._binaries / program), *map(str, arguments)]
        if os.getuid() == 0:
            command = ["setpriv", f"--reuid={self._user}", f"--regid={self._user}", "--clear-groups", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self._directory)
