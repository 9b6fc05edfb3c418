"""Worker ids that no file remembers."""

from domain.session import Worker
from ports.identity import WorkerIdentity
from ports.time import IdGenerator


class MemoryIdentity(WorkerIdentity):
    """A fresh id each time, but those released are handed out again, first released first."""

    def __init__(self, ids: IdGenerator) -> None:
        self._ids = ids
        self._free: dict[str, list[str]] = {}
        self._taken: list[Worker] = []

    def acquire(self, name: str) -> Worker:
        free = self._free.get(name, [])
        worker = Worker(free.pop(0) if free else self._ids.new_id(), name)
        self._taken.append(worker)
        return worker

    def release(self) -> None:
        for worker in self._taken:
            self._free.setdefault(worker.name, []).append(worker.id)
        self._taken.clear()
