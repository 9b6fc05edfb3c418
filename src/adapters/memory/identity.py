"""Worker ids that no file remembers."""

from attrs import define, field

from domain.session import Worker
from ports.identity import WorkerIdentity
from ports.time import IdGenerator


@define
class Machine:
    """What the processes of one machine share: every worker that ever was, and those of them that are live."""

    workers: list[Worker] = field(factory=list)
    live: set[Worker] = field(factory=set)


class MemoryIdentity(WorkerIdentity):
    """One process on `machine`: hands out the first worker of a name that is not live."""

    def __init__(self, ids: IdGenerator, machine: Machine | None = None) -> None:
        self._ids = ids
        self._machine = machine or Machine()
        self._own: set[Worker] = set()

    def acquire(self, name: str) -> Worker:
        machine = self._machine
        idle = (worker for worker in machine.workers if worker.name == name and worker not in machine.live)
        worker = next(idle, None)
        if worker is None:
            worker = Worker(self._ids.new_id(), name)
            machine.workers.append(worker)
        machine.live.add(worker)
        self._own.add(worker)
        return worker

    def release(self) -> None:
        self._machine.live -= self._own
        self._own.clear()
