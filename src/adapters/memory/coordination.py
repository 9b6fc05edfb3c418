"""The coordination store in memory: one process, gone with it, and the plainest reading of the port's promises."""

from types import TracebackType
from typing import Self

from adapters.memory.board import Board
from adapters.memory.work_queue import MemoryWorkQueue
from adapters.memory.workers import MemoryLeaseStore, MemoryWorkerRegistry
from domain.lifecycle import MAX_CRASHES
from domain.work import Source, Task
from ports.coordination import CoordinationStore, LeaseStore, WorkerRegistry, WorkQueue
from ports.time import Clock, IdGenerator


class MemoryCoordinationStore(CoordinationStore):
    """A `CoordinationStore` over a `Board`. Stores that are given the same board see the same work."""

    def __init__(
        self, *, clock: Clock, ids: IdGenerator, max_crashes: int = MAX_CRASHES, board: Board | None = None
    ) -> None:
        board = board or Board()
        sources: MemoryWorkQueue[Source] = MemoryWorkQueue(board, board.sources, clock, max_crashes)
        tasks: MemoryWorkQueue[Task] = MemoryWorkQueue(board, board.tasks, clock, max_crashes)
        self.sources: WorkQueue[Source] = sources
        self.tasks: WorkQueue[Task] = tasks
        self.leases: LeaseStore = MemoryLeaseStore(board, clock)
        self.workers: WorkerRegistry = MemoryWorkerRegistry(board, clock, ids, sources, tasks)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass
