"""A queue of sources or tasks in a table: its History and DLQ are states of the same rows."""

import json
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any, assert_never

from sqlalchemy import Connection, func, literal, select, tuple_, update

from adapters.sql.items import EPOCH, ItemMapping, micros, moment, storable
from adapters.sql.prepared import Prepared
from adapters.sql.schema import in_state, sessions
from adapters.sql.statements import add_statement, claim_columns, claim_statement, complete_statement
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
from domain.work import Added, Claim, Counts, ItemT, Page, Receipt, Settlement
from ports.coordination import WorkQueue
from ports.time import Clock

RATE_WINDOW = timedelta(seconds=60)
DIALECTS = ("sqlite", "postgresql")
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
        self._claim_due = Prepared(partial(claim_statement, mapping))
        self._add = {name: Prepared(partial(add_statement, mapping, name)) for name in DIALECTS}
        self._complete = {name: Prepared(partial(complete_statement, mapping, name)) for name in DIALECTS}

    async def add(self, items: Sequence[ItemT]) -> Added:
        rows = {item.key: self._mapping.to_row(item) for item in reversed(items)}
        wanted = [rows[key] for key in dict.fromkeys(item.key for item in items)]
        given = {"rows": json.dumps(wanted, ensure_ascii=False), "now": micros(self._clock.now())}

        def work(connection: Connection) -> set[str]:
            return {row[0] for row in self._add[connection.dialect.name].run(connection, given)}

        new = await self._transactions.run(work) if wanted else set()
        return Added(frozenset(new), frozenset(rows) - new)

    async def claim(self, session: Session, limit: int) -> Sequence[Claim[ItemT]]:
        request = next(self._requests)
        earlier: list[int] = [number for holder, number in self._unanswered if holder == session.id]
        parameters = {
            "session_id": session.id,
            "request_number": request,
            "worker_name": storable(session.worker.name),
            "now": micros(self._clock.now()),
        }

        def work(connection: Connection) -> list[tuple[Any, ...]]:
            rows = self._held_since(connection, session, earlier) if earlier else []
            if limit > len(rows):
                rows += self._claim_due.run(connection, {**parameters, "limit_number": limit - len(rows)})
            if not rows:
                require_session(connection, session)
            return rows

        self._unanswered.append((session.id, request))
        rows = await self._transactions.run(work)
        answered = {(session.id, number) for number in (request, *earlier)}
        self._unanswered = [asked for asked in self._unanswered if asked not in answered]
        return [self._as_claim(row) for row in sorted(rows)]

    def _held_since(self, connection: Connection, session: Session, requests: Sequence[int]) -> list[tuple[Any, ...]]:
        """What earlier calls have claimed whose answers were lost."""
        c = self._mapping.table.c
        held = select(*claim_columns(self._mapping)).where(
            c.session == session.id, in_state(self._mapping.table, State.CLAIMED), c.request.in_(requests)
        )
        return [tuple(row) for row in connection.execute(held)]

    def _as_claim(self, row: tuple[Any, ...]) -> Claim[ItemT]:
        _seq, epoch, attempts, first_attempt_at, *item = row
        return Claim(
            self._mapping.from_columns(item), epoch, attempts + 1, EPOCH + timedelta(microseconds=first_attempt_at)
        )

    async def settle(self, session: Session, settlements: Sequence[Settlement[ItemT]]) -> Sequence[Receipt]:
        now = self._clock.now()
        arrival = self._arrivals(len(settlements))
        groups: dict[Settled, list[Settlement[ItemT]]] = {}
        for settlement in settlements:
            groups.setdefault(settlement.event, []).append(settlement)

        def work(connection: Connection) -> set[str]:
            recorded: set[str] = set()
            for place, (event, group) in enumerate(groups.items(), arrival):
                if isinstance(event, Completed) and self._mapping.unchanging:
                    recorded |= self._record_completed(connection, session, group, micros(now), place)
                else:
                    recorded |= self._record(connection, session, event, group, micros(now), place)
            if len(recorded) < len(settlements):
                require_session(connection, session)
            return recorded

        recorded = await self._transactions.run(work) if settlements else set()
        return [
            Receipt(settlement.claim.item.key, recorded=storable(settlement.claim.item.key) in recorded)
            for settlement in settlements
        ]

    def _record_completed(
        self, connection: Connection, session: Session, group: Sequence[Settlement[ItemT]], now: int, arrival: int
    ) -> set[str]:
        """The common case in one statement; the keys of the claims that were still `session`'s."""
        keys = [storable(settlement.claim.item.key) for settlement in group]
        epochs = [settlement.claim.epoch for settlement in group]
        claims: dict[str, Any] = {"claim_keys": keys, "claim_epochs": epochs}
        if connection.dialect.name == "sqlite":
            claims = {"claims": json.dumps(list(zip(keys, epochs, strict=True)), ensure_ascii=False)}
        parameters = {**claims, "session_id": session.id, "now": now, "arrival_place": arrival}
        return {row[0] for row in self._complete[connection.dialect.name].run(connection, parameters)}

    def _record(
        self,
        connection: Connection,
        session: Session,
        event: Settled,
        group: Sequence[Settlement[ItemT]],
        now: int,
        arrival: int,
    ) -> set[str]:
        """Record one event for some claims; the keys of those that were still `session`'s."""
        table = self._mapping.table
        recorded: set[str] = set()
        for settlement in group:
            claim = settlement.claim
            statement = (
                update(table)
                .where(
                    table.c.key == storable(claim.item.key),
                    table.c.epoch == claim.epoch,
                    table.c.session == session.id,
                    in_state(table, State.CLAIMED),
                )
                .values(**_changes(event, table, now), **self._mapping.to_row(claim.item), arrival=arrival)
            )
            if connection.execute(statement).rowcount:
                recorded.add(storable(claim.item.key))
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
                    .where(table.c.key.in_(chunk), in_state(table, before))
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
            oldest = select(func.min(table.c.created_at)).where(in_state(table, State.PENDING))
            recent = select(func.count()).where(
                in_state(table, State.COMPLETED, State.FAILED), table.c.arrival > since, table.c.finished_at > since
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
        statement = select(table).where(in_state(table, state)).order_by(*order).limit(limit + 1)
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
        held = (table.c.session == session, in_state(table, State.CLAIMED))
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
