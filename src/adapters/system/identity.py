"""Worker ids on this machine: numbered slots, each a file that holds an id and a lock that a live process holds."""

import logging
import os
import re
import socket
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from domain.session import Worker
from ports.identity import WorkerIdentity
from ports.time import IdGenerator

log = logging.getLogger(__name__)

MOST_SLOTS = 1000


class SystemIdentity(WorkerIdentity):
    """The first slot of a name that no live process has locked. The lock ends with the process, even by SIGKILL.

    Slots are kept for each host apart, since a home directory may be shared by several, and locks across machines
    cannot be trusted. Without a directory to write to, ids are fresh each time.
    """

    def __init__(self, ids: IdGenerator, directory: Path | None = None) -> None:
        self._ids = ids
        self._directory = directory or state_directory() / "workers" / _as_file_name(socket.gethostname())
        self._locks: list[BaseFileLock] = []

    def acquire(self, name: str) -> Worker:
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            return Worker(self._acquire_slot(name), name)
        except OSError as error:
            log.warning(
                "no worker ids are kept under %s (%s): a restart will wait for its own predecessor's lease; "
                "set MUTIRAO_STATE_DIR to a directory that can be written to",
                self._directory,
                error.strerror or error,
            )
            return Worker(self._ids.new_id(), name)

    def _acquire_slot(self, name: str) -> str:
        for number in range(MOST_SLOTS):
            slot = self._directory / f"{_as_file_name(name)}-{number}"
            lock = FileLock(slot.with_suffix(".lock"), thread_local=False)
            try:
                lock.acquire(blocking=False)
            except Timeout:
                continue
            self._locks.append(lock)
            return self._read_or_write(slot.with_suffix(".id"))
        raise OSError(f"all {MOST_SLOTS} slots of {name} are taken")

    def _read_or_write(self, path: Path) -> str:
        identifier = path.read_text("utf-8").strip() if path.exists() else ""
        if not re.fullmatch(r"[a-z][a-z0-9]{9,63}", identifier):
            identifier = self._ids.new_id()
            path.write_text(identifier + "\n", "utf-8")
        return identifier

    def release(self) -> None:
        while self._locks:
            self._locks.pop().release()


def state_directory() -> Path:
    """Where this machine keeps what must survive a restart: MUTIRAO_STATE_DIR, else the platform's own place."""
    chosen = os.environ.get("MUTIRAO_STATE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base) / "mutirao" if base else Path.home() / ".local" / "state" / "mutirao"


def _as_file_name(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name) or "_"
