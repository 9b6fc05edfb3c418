"""Who works and who leads, in memory."""

from collections.abc import Sequence

from adapters.memory.board import Board, Presence, Tenure
from adapters.memory.work_queue import MemoryWorkQueue
from domain.errors import LeaseLost
from domain.session import Lease, Session, Watch, Worker, WorkerStats, WorkerView
from domain.work import Source, Task
from ports.coordination import LeaseStore, WorkerRegistry
from ports.time import Clock, IdGenerator


class MemoryWorkerRegistry(WorkerRegistry):
    def __init__(
        self,
        board: Board,
        clock: Clock,
        ids: IdGenerator,
        sources: MemoryWorkQueue[Source],
        tasks: MemoryWorkQueue[Task],
    ) -> None:
        self._board = board
        self._clock = clock
        self._ids = ids
        self._sources = sources
        self._tasks = tasks
        self._watch = Watch()

    async def open(self, worker: Worker) -> Session:
        for presence in list(self._board.live.values()):
            if presence.session.worker.id == worker.id:
                self._end(presence.session, crashed=True)
        session = Session(self._ids.new_id(), worker)
        self._board.live[session.id] = Presence(session, self._clock.now())
        return session

    async def beat(self, session: Session, stats: WorkerStats) -> None:
        self._board.require(session)
        presence = self._board.live[session.id]
        presence.beats += 1
        presence.stats = stats
        presence.last_beat = self._clock.now()

    async def active(self) -> Sequence[WorkerView]:
        return [WorkerView(p.session, p.last_beat, p.stats) for p in self._board.live.values()]

    async def bury(self, ttl: float) -> Sequence[Session]:
        now = self._clock.monotonic()
        dead = [
            presence.session
            for name, presence in self._board.live.items()
            if self._watch.expired(name, presence.beats, now=now, ttl=ttl)
        ]
        for session in dead:
            self._end(session, crashed=True)
        self._watch.forget_all_but(set(self._board.live))
        return dead

    async def close(self, session: Session) -> None:
        if session.id in self._board.live:
            self._end(session, crashed=False)

    def _end(self, session: Session, *, crashed: bool) -> None:
        del self._board.live[session.id]
        for name in [n for n, tenure in self._board.tenures.items() if tenure.lease.session == session]:
            del self._board.tenures[name]
        self._sources.give_back(session.id, crashed=crashed)
        self._tasks.give_back(session.id, crashed=crashed)


class MemoryLeaseStore(LeaseStore):
    def __init__(self, board: Board, clock: Clock) -> None:
        self._board = board
        self._clock = clock
        self._watch = Watch()

    async def acquire(self, name: str, session: Session, ttl: float) -> Lease | None:
        self._board.require(session)
        tenure = self._board.tenures.get(name)
        if tenure is not None:
            if tenure.lease.session == session:
                tenure.renewals += 1
                return tenure.lease
            seen = f"{name} {tenure.lease.token}"
            if not self._watch.expired(seen, tenure.renewals, now=self._clock.monotonic(), ttl=ttl):
                return None
        lease = Lease(name, session, self._board.next())
        self._board.tenures[name] = Tenure(lease)
        return lease

    async def renew(self, lease: Lease) -> None:
        tenure = self._board.tenures.get(lease.name)
        if tenure is None or tenure.lease != lease:
            raise LeaseLost(f"the lease on {lease.name!r} was taken over or given up")
        tenure.renewals += 1

    async def release(self, lease: Lease) -> None:
        tenure = self._board.tenures.get(lease.name)
        if tenure is not None and tenure.lease == lease:
            del self._board.tenures[lease.name]

    async def holder(self, name: str) -> Lease | None:
        tenure = self._board.tenures.get(name)
        return tenure.lease if tenure else None
