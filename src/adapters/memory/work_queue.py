"""The in-memory queue of sources or tasks."""

import heapq
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import assert_never

from attrs import evolve

from adapters.memory.board import Board, Row, Shelf
from domain.errors import InvalidTransition
from domain.lifecycle import (
    Buried,
    Claimed,
    Completed,
    Discarded,
    Event,
    Failed,
    Intervention,
    Released,
    Rescanned,
    Retried,
    State,
    after_burial,
    transition,
)
from domain.session import Session
from domain.work import Added, Claim, Counts, ItemT, Page, Receipt, Record, Settlement, rescanned
from ports.coordination import WorkQueue
from ports.time import Clock

RATE_WINDOW = timedelta(seconds=60)


class MemoryWorkQueue(WorkQueue[ItemT]):
    def __init__(self, board: Board, shelf: Shelf[ItemT], clock: Clock, max_crashes: int) -> None:
        self._board = board
        self._shelf: Shelf[ItemT] = shelf
        self._clock = clock
        self._max_crashes = max_crashes

    async def add(self, items: Sequence[ItemT]) -> Added:
        new, duplicates = set(), set()
        for item in items:
            if item.key in self._shelf.rows:
                duplicates.add(item.key)
                continue
            record = Record(item, State.PENDING, created_at=self._clock.now())
            place = self._board.next()
            self._shelf.rows[item.key] = Row(record, place, arrival=place)
            heapq.heappush(self._shelf.pending, (place, item.key))
            new.add(item.key)
        return Added(frozenset(new), frozenset(duplicates - new))

    async def claim(self, session: Session, limit: int) -> Sequence[Claim[ItemT]]:
        self._board.require(session)
        claims: list[Claim[ItemT]] = []
        early = []
        now = self._clock.now()
        while len(claims) < limit and self._shelf.pending:
            place, key = heapq.heappop(self._shelf.pending)
            row = self._shelf.rows[key]
            if row.record.not_before is not None and row.record.not_before > now:
                early.append((place, key))
                continue
            row.session = session.id
            row.epoch += 1
            row.first_attempt_at = row.first_attempt_at or now
            self._move(row, Claimed(), evolve(row.record, worker=session.worker.name, claimed_at=now, not_before=None))
            claims.append(Claim(row.record.item, row.epoch, row.record.attempts + 1, row.first_attempt_at))
        for entry in early:
            heapq.heappush(self._shelf.pending, entry)
        return claims

    async def settle(self, session: Session, settlements: Sequence[Settlement[ItemT]]) -> Sequence[Receipt]:
        self._board.require(session)
        return [self._settle(session, settlement) for settlement in settlements]

    def _settle(self, session: Session, settlement: Settlement[ItemT]) -> Receipt:
        claim, event = settlement.claim, settlement.event
        row = self._shelf.rows.get(claim.item.key)
        if row is None or (row.session, row.epoch) != (session.id, claim.epoch):
            return Receipt(claim.item.key, recorded=False)
        record = evolve(row.record, item=claim.item)
        tried = evolve(record, attempts=record.attempts + 1)
        now = self._clock.now()
        match event:
            case Completed():
                self._move(row, event, evolve(tried, finished_at=now, error=""))
            case Failed(error):
                self._move(row, event, evolve(tried, finished_at=now, error=error))
            case Retried(error, not_before):
                self._move(row, event, evolve(tried, not_before=not_before, error=error))
            case Released():
                self._move(row, event, record)
            case _:
                assert_never(event)
        return Receipt(claim.item.key, recorded=True)

    async def intervene(self, keys: Sequence[str], event: Intervention) -> frozenset[str]:
        return frozenset(key for key in keys if key in self._shelf.rows and self._intervene(key, event))

    def _intervene(self, key: str, event: Intervention) -> bool:
        row = self._shelf.rows[key]
        record = row.record
        try:
            transition(record.state, event)
        except InvalidTransition:
            return False
        if not isinstance(event, Discarded):
            row.first_attempt_at = None
            record = evolve(record, attempts=0, crashes=0, error="", finished_at=None)
        if isinstance(event, Rescanned):
            record = evolve(record, item=rescanned(record.item, full=event.full))
        self._move(row, event, record)
        return True

    def give_back(self, session: str, *, crashed: bool) -> None:
        """Let go of what a session that ended was holding."""
        for row in [row for row in self._shelf.rows.values() if row.session == session]:
            if not crashed:
                self._move(row, Released(), row.record)
                continue
            record = evolve(row.record, crashes=row.record.crashes + 1)
            match after_burial(record.crashes, self._max_crashes):
                case Failed(error) as event:
                    self._move(row, event, evolve(record, finished_at=self._clock.now(), error=error))
                case Buried() as event:
                    self._move(row, event, record)

    def _move(self, row: Row[ItemT], event: Event, record: Record[ItemT]) -> None:
        row.record = evolve(record, state=transition(row.record.state, event))
        row.arrival = self._board.next()
        if row.record.state is not State.CLAIMED:
            row.session = None
        if row.record.state is State.PENDING:
            heapq.heappush(self._shelf.pending, (row.place, row.record.item.key))

    async def counts(self) -> Counts:
        records = [row.record for row in self._shelf.rows.values()]
        since = self._clock.now() - RATE_WINDOW
        waiting = [r.created_at for r in records if r.state is State.PENDING and r.created_at]
        return Counts(
            by_state=Counter(record.state for record in records),
            oldest_pending=min(waiting, default=None),
            finished_last_minute=sum(r.finished_at is not None and r.finished_at > since for r in records),
        )

    async def list(self, state: State, *, after: str | None = None, limit: int = 100) -> Page[ItemT]:
        queued = state in (State.PENDING, State.CLAIMED)
        places = sorted(
            (row.place if queued else row.arrival, key)
            for key, row in self._shelf.rows.items()
            if row.record.state is state
        )
        rest = [(place, key) for place, key in places if after is None or place > int(after)]
        records = [self._shelf.rows[key].record for _, key in rest[:limit]]
        return Page(records, after=str(rest[limit - 1][0]) if len(rest) > limit else None)
