"""Who works and who leads, in tables. A session lives as long as its row."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Update, delete, select, update

from adapters.sql.items import micros, moment, storable
from adapters.sql.schema import leases, sessions
from adapters.sql.transactions import Transactions
from adapters.sql.work_queue import SqlWorkQueue, require_session
from domain.errors import LeaseLost
from domain.session import Lease, Session, Watch, Worker, WorkerStats, WorkerView
from domain.work import Source, Task
from ports.coordination import LeaseStore, WorkerRegistry
from ports.time import Clock, IdGenerator


class SqlWorkerRegistry(WorkerRegistry):
    """See `ports.coordination.WorkerRegistry`."""

    def __init__(
        self,
        transactions: Transactions,
        clock: Clock,
        ids: IdGenerator,
        sources: SqlWorkQueue[Source],
        tasks: SqlWorkQueue[Task],
    ) -> None:
        self._transactions = transactions
        self._clock = clock
        self._ids = ids
        self._sources = sources
        self._tasks = tasks
        self._watch = Watch()

    async def open(self, worker: Worker) -> Session:
        session = Session(self._ids.new_id(), worker)
        row = {
            "id": session.id,
            "worker_id": worker.id,
            "worker_name": storable(worker.name),
            "last_beat": micros(self._clock.now()),
        }

        def work(connection: Connection) -> None:
            predecessors = select(sessions.c.id).where(sessions.c.worker_id == worker.id)
            for predecessor in connection.execute(predecessors).scalars().all():
                self._end(connection, predecessor, crashed=True)
            connection.execute(sessions.insert().values(**row))

        await self._transactions.run(work)
        return session

    async def beat(self, session: Session, stats: WorkerStats) -> None:
        statement = (
            update(sessions)
            .where(sessions.c.id == session.id)
            .values(
                beats=sessions.c.beats + 1,
                last_beat=micros(self._clock.now()),
                tasks=stats.tasks,
                sources=stats.sources,
                failures=stats.failures,
            )
        )
        if not await self._transactions.run(lambda connection: connection.execute(statement).rowcount):
            raise LeaseLost(f"session {session.id} of {session.worker.name} has ended: open a new one")

    async def active(self) -> Sequence[WorkerView]:
        statement = select(sessions).order_by(sessions.c.seq)
        rows = await self._transactions.run(lambda connection: connection.execute(statement).all())
        return [
            WorkerView(
                Session(row.id, Worker(row.worker_id, row.worker_name)),
                moment(row.last_beat) or self._clock.now(),
                WorkerStats(tasks=row.tasks, sources=row.sources, failures=row.failures),
            )
            for row in rows
        ]

    async def bury(self, ttl: float) -> Sequence[Session]:
        seen = select(sessions).order_by(sessions.c.seq)
        rows = await self._transactions.run(lambda connection: connection.execute(seen).all())
        now = self._clock.monotonic()
        silent = [row for row in rows if self._watch.expired(row.id, row.beats, now=now, ttl=ttl)]
        self._watch.forget_all_but({row.id for row in rows})

        def work(connection: Connection) -> set[str]:
            # whoever has moved since it was seen is spared
            return {row.id for row in silent if self._end(connection, row.id, crashed=True, if_still_at=row.beats)}

        buried = await self._transactions.run(work) if silent else set()
        return [Session(row.id, Worker(row.worker_id, row.worker_name)) for row in silent if row.id in buried]

    async def close(self, session: Session) -> None:
        await self._transactions.run(lambda connection: self._end(connection, session.id, crashed=False))

    def _end(self, connection: Connection, session: str, *, crashed: bool, if_still_at: int | None = None) -> bool:
        statement = delete(sessions).where(sessions.c.id == session)
        if if_still_at is not None:
            statement = statement.where(sessions.c.beats == if_still_at)
        if not connection.execute(statement).rowcount:
            return False
        connection.execute(update(leases).where(leases.c.session == session).values(session=None))
        self._sources.give_back(connection, session, crashed=crashed)
        self._tasks.give_back(connection, session, crashed=crashed)
        return True


class SqlLeaseStore(LeaseStore):
    """See `ports.coordination.LeaseStore`. A name's row stays when nobody holds it, so that its token only grows."""

    def __init__(self, transactions: Transactions, clock: Clock) -> None:
        self._transactions = transactions
        self._clock = clock
        self._watch = Watch()

    async def acquire(self, name: str, session: Session, ttl: float) -> Lease | None:
        seen = select(leases).where(leases.c.name == name)
        row: Any = await self._transactions.run(lambda connection: connection.execute(seen).first())
        now = self._clock.monotonic()
        taken = row is not None and row.session is not None and row.session != session.id
        if taken and not self._watch.expired(f"{name} {row.token}", row.renewals, now=now, ttl=ttl):
            await self._transactions.run(lambda connection: require_session(connection, session))
            return None
        own = row is not None and row.session == session.id

        def work(connection: Connection) -> Lease | None:
            require_session(connection, session)
            if row is None:
                token = 1
                statement = leases.insert().values(name=name, session=session.id, token=token, renewals=0)
                if connection.execute(select(leases.c.name).where(leases.c.name == name)).first() is not None:
                    return None  # somebody was quicker
                connection.execute(statement)
                return Lease(name, session, token)
            token = row.token if own else row.token + 1
            changed = connection.execute(
                update(leases)
                .where(
                    leases.c.name == name,
                    leases.c.token == row.token,
                    leases.c.renewals == row.renewals,
                    leases.c.session.is_not_distinct_from(row.session),
                )
                .values(session=session.id, token=token, renewals=row.renewals + 1)
            ).rowcount
            return Lease(name, session, token) if changed else None

        return await self._transactions.run(work)

    async def renew(self, lease: Lease) -> None:
        statement = _held(lease).values(renewals=leases.c.renewals + 1)
        if not await self._transactions.run(lambda connection: connection.execute(statement).rowcount):
            raise LeaseLost(f"the lease on {lease.name!r} was taken over or given up")

    async def release(self, lease: Lease) -> None:
        await self._transactions.run(lambda connection: connection.execute(_held(lease).values(session=None)).rowcount)

    async def holder(self, name: str) -> Lease | None:
        statement = (
            select(leases.c.token, sessions)
            .join(sessions, sessions.c.id == leases.c.session)
            .where(leases.c.name == name)
        )
        rows = await self._transactions.run(lambda connection: connection.execute(statement).all())
        if not rows:
            return None
        (row,) = rows
        return Lease(name, Session(row.id, Worker(row.worker_id, row.worker_name)), row.token)


def _held(lease: Lease) -> Update:
    return update(leases).where(
        leases.c.name == lease.name, leases.c.session == lease.session.id, leases.c.token == lease.token
    )
