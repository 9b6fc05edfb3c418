"""Worker ids on this machine: numbered slots, each a file that holds an id and a lock that a live process holds."""

import hashlib
import logging
import os
import re
import socket
from pathlib import Path
from typing import Any

from domain.session import Worker
from ports.identity import WorkerIdentity
from ports.time import IdGenerator

log = logging.getLogger(__name__)

MOST_SLOTS = 1000


class SystemIdentity(WorkerIdentity):
    """The first slot of a name that no live process has locked. The lock ends with the process, even by SIGKILL.

    Slots are kept under `state` (None: `state_directory()`), for each `host` (None: this one) apart, since a home
    directory may be shared by several and locks across machines cannot be trusted. Where no slot can be had, ids are
    fresh each time, and a warning says so.
    """

    def __init__(self, ids: IdGenerator, *, state: Path | None = None, host: str | None = None) -> None:
        self._ids = ids
        self._state = state
        self._host = host or socket.gethostname()
        self._locks: list[Any] = []

    def acquire(self, name: str) -> Worker:
        try:
            return Worker(self._acquire_slot(name), name)
        # RuntimeError: nobody knows where home is; NotImplementedError: the file system has no locks
        except (OSError, RuntimeError, NotImplementedError) as error:
            log.warning(
                "this worker's id cannot be kept (%s): after a crash it is a stranger, and what it held is free only "
                "when its lease ends; set MUTIRAO_STATE_DIR to a directory that can be written to",
                error,
            )
            return Worker(self._ids.new_id(), name)

    def release(self) -> None:
        while self._locks:
            self._locks.pop().release()

    def _acquire_slot(self, name: str) -> str:
        from filelock import FileLock, Timeout

        directory = (self._state or state_directory()) / "workers" / _file_name(self._host)
        directory.mkdir(parents=True, exist_ok=True)
        for number in range(MOST_SLOTS):
            slot = f"{_file_name(name)}.{number}"
            lock = FileLock(directory / f"{slot}.lock", thread_local=False)
            try:
                lock.acquire(blocking=False)
            except Timeout:
                continue
            self._locks.append(lock)
            return self._read_or_write(directory / f"{slot}.id")
        raise OSError(f"all {MOST_SLOTS} slots of {name} are taken")

    def _read_or_write(self, path: Path) -> str:
        identifier = path.read_text("utf-8", errors="replace").strip() if path.exists() else ""
        if not re.fullmatch(r"[a-z][a-z0-9]{9,63}", identifier):  # new, or cut off when the machine went down
            identifier = self._ids.new_id()
            path.write_text(identifier + "\n", "utf-8")
        return identifier


def state_directory() -> Path:
    """Where this machine keeps what must survive a restart: MUTIRAO_STATE_DIR, else the platform's own place."""
    chosen = os.environ.get("MUTIRAO_STATE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base) / "mutirao" if base else Path.home() / ".local" / "state" / "mutirao"


def _file_name(name: str) -> str:
    """A file name that people recognize and that no other name has."""
    readable = re.sub(r"[^a-zA-Z0-9-]", "_", name)[:40]
    return f"{readable}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
