"""A queue of sources or tasks in a table: its History and DLQ are states of the same rows."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import count
from typing import Any, assert_never

from sqlalchemy import (
    Connection,
    bindparam,
    func,
    literal,
    null,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from adapters.sql.items import ItemMapping, micros, moment, storable
from adapters.sql.schema import sessions
from adapters.sql.transactions import Transactions
from domain.errors import LeaseLost
from domain.lifecycle import (
    Buried,
    Completed,
    Discarded,
    Failed,
    Intervention,
    Redriven,
    Released,
    Rescanned,
    Retried,
    Settled,
    State,
    after_burial,
)
from domain.session import Session
from domain.work import Added, Claim, Counts, ItemT, Page, Receipt, Settlement, Source
from ports.coordination import WorkQueue
from ports.time import Clock

RATE_WINDOW = timedelta(seconds=60)
CHUNK = 500
"""Rows a statement: SQLite binds 32,766 parameters at most."""


def require_session(connection: Connection, session: Session) -> None:
    """Keep `session` from being ended until this transaction is over.

    Raises:
        LeaseLost: it has ended.
    """
    # a key share lock: it lets heartbeats pass and holds off the DELETE that ends a session
    alive = select(sessions.c.id).where(sessions.c.id == session.id).with_for_update(read=True, key_share=True)
    if connection.execute(alive).first() is None:
        raise LeaseLost(f"session {session.id} of {session.worker.name} has ended: open a new one")


class SqlWorkQueue(WorkQueue[ItemT]):
    """See `ports.coordination.WorkQueue`."""

    def __init__(self, transactions: Transactions, mapping: ItemMapping[ItemT], clock: Clock, max_crashes: int) -> None:
        self._transactions = transactions
        self._mapping: ItemMapping[ItemT] = mapping
        self._clock = clock
        self._max_crashes = max_crashes
        self._last_arrival = 0
        self._requests = count(1)
        self._unanswered: list[tuple[str, int]] = []
        table = mapping.table
        c = table.c
        due = (
            select(c.seq)
            .where(c.state == State.PENDING, (c.not_before.is_(None)) | (c.not_before <= bindparam("now")))
            .order_by(c.seq)
            .limit(bindparam("limit"))
            .with_for_update(skip_locked=True)
            .cte("due")  # evaluated once: as a plain subquery, PostgreSQL may run it again and lock beyond the limit
        )
        self._claim_due = (
            update(table)
            .where(c.seq.in_(select(due.c.seq)), c.state == State.PENDING)
            .values(
                state=State.CLAIMED,
                session=bindparam("session_id"),
                request=bindparam("request_number"),
                epoch=c.epoch + 1,
                worker=bindparam("worker_name"),
                claimed_at=bindparam("now"),
                first_attempt_at=func.coalesce(c.first_attempt_at, bindparam("now")),
                not_before=null(),
            )
            .returning(table)
        )

    async def add(self, items: Sequence[ItemT]) -> Added:
        rows = {item.key: self._mapping.to_row(item) for item in reversed(items)}
        wanted = [rows[key] for key in dict.fromkeys(item.key for item in items)]
        now = micros(self._clock.now())
        for row in wanted:
            row.update(state=State.PENDING, created_at=now)
        table = self._mapping.table

        def work(connection: Connection) -> set[str]:
            insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
            new: set[str] = set()
            for start in range(0, len(wanted), CHUNK):
                statement = insert(table).on_conflict_do_nothing(index_elements=[table.c.key]).returning(table.c.key)
                new.update(connection.execute(statement, wanted[start : start + CHUNK]).scalars())
            return new

        new = await self._transactions.run(work) if wanted else set()
        return Added(frozenset(new), frozenset(rows) - new)

    async def claim(self, session: Session, limit: int) -> Sequence[Claim[ItemT]]:
        request = next(self._requests)
        earlier = [number for holder, number in self._unanswered if holder == session.id]
        parameters = {
            "session_id": session.id,
            "request_number": request,
            "worker_name": storable(session.worker.name),
            "now": micros(self._clock.now()),
            "limit": limit,
        }
        table = self._mapping.table

        def work(connection: Connection) -> list[Any]:
            require_session(connection, session)
            rows: list[Any] = []
            if earlier:
                held = table.select().where(
                    table.c.session == session.id, table.c.state == State.CLAIMED, table.c.request.in_(earlier)
                )
                rows += connection.execute(held)
            if limit > len(rows):
                rows += connection.execute(self._claim_due, {**parameters, "limit": limit - len(rows)})
            return rows

        asked = (session.id, request)
        self._unanswered.append(asked)
        rows = await self._transactions.run(work)
        self._unanswered = [
            (holder, number)
            for holder, number in self._unanswered
            if holder != session.id or not (number == request or number in earlier)
        ]
        rows.sort(key=lambda row: row.seq)
        return [self._as_claim(row) for row in rows]

    def _as_claim(self, row: Any) -> Claim[ItemT]:
        first = moment(row.first_attempt_at) or self._clock.now()
        return Claim(self._mapping.from_row(row), row.epoch, row.attempts + 1, first)

    async def settle(self, session: Session, settlements: Sequence[Settlement[ItemT]]) -> Sequence[Receipt]:
        now = self._clock.now()
        arrival = self._arrivals(len(settlements))
        groups: dict[Settled, list[tuple[int, Settlement[ItemT]]]] = {}
        for place, settlement in enumerate(settlements, arrival):
            groups.setdefault(settlement.event, []).append((place, settlement))

        def work(connection: Connection) -> set[str]:
            require_session(connection, session)
            recorded: set[str] = set()
            for event, group in groups.items():
                recorded |= self._settle(connection, session, event, group, micros(now))
            return recorded

        recorded = await self._transactions.run(work) if settlements else set()
        return [
            Receipt(settlement.claim.item.key, recorded=settlement.claim.item.key in recorded)
            for settlement in settlements
        ]

    def _settle(
        self,
        connection: Connection,
        session: Session,
        event: Settled,
        group: Sequence[tuple[int, Settlement[ItemT]]],
        now: int,
    ) -> set[str]:
        """Record one event for many claims; the keys of those that were still `session`'s."""
        table = self._mapping.table
        changes = _changes(event, table, now)
        held = (table.c.session == session.id, table.c.state == State.CLAIMED)
        recorded: set[str] = set()
        if any(isinstance(settlement.claim.item, Source) for _, settlement in group):
            for place, settlement in group:
                claim = settlement.claim
                statement = (
                    update(table)
                    .where(table.c.key == storable(claim.item.key), table.c.epoch == claim.epoch, *held)
                    .values(**changes, **self._mapping.to_row(claim.item), arrival=place)
                )
                if connection.execute(statement).rowcount:
                    recorded.add(claim.item.key)
            return recorded
        first = group[0][0]  # those of a batch arrive together, in queue order
        claims = [(storable(s.claim.item.key), s.claim.epoch) for _, s in group]
        for start in range(0, len(claims), CHUNK):
            statement = (
                update(table)
                .where(tuple_(table.c.key, table.c.epoch).in_(claims[start : start + CHUNK]), *held)
                .values(**changes, arrival=first)
                .returning(table.c.key)
            )
            recorded.update(connection.execute(statement).scalars())
        return recorded

    def _arrivals(self, wanted: int) -> int:
        """The first of `wanted` numbers that order arrivals: the clock's, never one given before."""
        first = max(micros(self._clock.now()), self._last_arrival + 1)
        self._last_arrival = first + wanted
        return first

    async def intervene(self, keys: Sequence[str], event: Intervention) -> frozenset[str]:
        table = self._mapping.table
        arrival = self._arrivals(1)
        changes: dict[str, Any] = {"arrival": arrival}
        match event:
            case Redriven():
                before = State.FAILED
                changes |= _AFRESH
            case Rescanned(full):
                before = State.COMPLETED
                changes |= _AFRESH | ({"full": full} if "full" in table.c else {})
            case Discarded():
                before = State.FAILED
                changes |= {"state": State.DISCARDED}
            case _:
                assert_never(event)
        wanted = [storable(key) for key in keys]

        def work(connection: Connection) -> set[str]:
            changed: set[str] = set()
            for start in range(0, len(wanted), CHUNK):
                chunk = wanted[start : start + CHUNK]
                statement = (
                    update(table)
                    .where(table.c.key.in_(chunk), table.c.state == before)
                    .values(**changes)
                    .returning(table.c.key)
                )
                changed.update(connection.execute(statement).scalars())
            return changed

        return frozenset(await self._transactions.run(work))

    async def counts(self) -> Counts:
        table = self._mapping.table
        since = micros(self._clock.now() - RATE_WINDOW)

        def work(connection: Connection) -> Counts:
            states = connection.execute(select(table.c.state, func.count()).group_by(table.c.state))
            oldest = select(func.min(table.c.created_at)).where(table.c.state == State.PENDING)
            recent = select(func.count()).where(
                table.c.state.in_([State.COMPLETED, State.FAILED]), table.c.arrival > since, table.c.finished_at > since
            )
            return Counts(
                by_state={State(state): number for state, number in states},
                oldest_pending=moment(connection.execute(oldest).scalar()),
                finished_last_minute=connection.execute(recent).scalar_one(),
            )

        return await self._transactions.run(work)

    async def list(self, state: State, *, after: str | None = None, limit: int = 100) -> Page[ItemT]:
        table = self._mapping.table
        queued = state in (State.PENDING, State.CLAIMED)
        order = (table.c.seq,) if queued else (table.c.arrival, table.c.seq)
        statement = select(table).where(table.c.state == state).order_by(*order).limit(limit + 1)
        if after is not None:
            reached = [int(part) for part in after.split(".")]
            statement = statement.where(
                table.c.seq > reached[-1] if queued else tuple_(*order) > tuple_(*(literal(part) for part in reached))
            )
        rows = await self._transactions.run(lambda connection: connection.execute(statement).all())
        cursor = None
        if len(rows) > limit:
            last = rows[limit - 1]
            cursor = str(last.seq) if queued else f"{last.arrival}.{last.seq}"
        return Page([self._mapping.record(row) for row in rows[:limit]], cursor)

    def give_back(self, connection: Connection, session: str, *, crashed: bool) -> None:
        """Let go of what a session that ends was holding."""
        table = self._mapping.table
        held = (table.c.session == session, table.c.state == State.CLAIMED)
        now = self._clock.now()
        if not crashed:
            connection.execute(update(table).where(*held).values(**_changes(Released(), table, micros(now))))
            return
        counts = connection.execute(select(table.c.crashes).where(*held).distinct()).scalars().all()
        for before in counts:
            match after_burial(before + 1, self._max_crashes):
                case Buried() as event:
                    changes = _changes(event, table, micros(now))
                case Failed(error):
                    changes = {**_GONE, "state": State.FAILED, "error": error, "finished_at": micros(now)}
            changes |= {"crashes": before + 1, "arrival": self._arrivals(1)}
            connection.execute(update(table).where(*held, table.c.crashes == before).values(**changes))


_GONE: dict[str, Any] = {"session": None, "request": None}
_AFRESH: dict[str, Any] = {
    **_GONE,
    "state": State.PENDING,
    "attempts": 0,
    "crashes": 0,
    "error": "",
    "first_attempt_at": None,
    "finished_at": None,
    "not_before": None,
}


def _changes(event: Settled | Buried, table: Any, now: int) -> dict[str, Any]:
    """What `event` changes in the row of a held item, apart from `arrival`."""
    tried = {**_GONE, "attempts": table.c.attempts + 1}
    match event:
        case Completed():
            return {**tried, "state": State.COMPLETED, "finished_at": now, "error": ""}
        case Failed(error):
            return {**tried, "state": State.FAILED, "finished_at": now, "error": storable(error)}
        case Retried(error, not_before):
            due = micros(not_before)
            return {**tried, "state": State.PENDING, "not_before": due, "error": storable(error)}
        case Released() | Buried():
            return {**_GONE, "state": State.PENDING}
        case _:
            assert_never(event)
