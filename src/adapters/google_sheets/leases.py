"""Elections: the cell under “ID do Líder” says who holds a name, and changes by compare-and-set."""

import re
from collections.abc import Mapping, Sequence

from attrs import frozen

from adapters.google_sheets.book import Book, Rows, Wanted, fences_of
from adapters.google_sheets.lane import Lane
from adapters.google_sheets.layout import ELECTIONS, WORKERS
from adapters.google_sheets.requests import append_rows, replace_cell
from adapters.google_sheets.rows import by_place
from adapters.google_sheets.sessions import Sessions
from adapters.google_sheets.steward import Steward
from domain.errors import LeaseLost
from domain.session import Lease, Session, Watch, Worker
from ports.coordination import LeaseStore

FREE = "livre"
_ROWS: Wanted = {ELECTIONS: Rows(1, 21)}
_HOLDER = re.compile(r"([a-z]\w*) #(\d+)")


@frozen
class Tenure:
    """What a row of the elections' tab says: `cell` is its text, `session` empty when nobody holds it."""

    name: str
    cell: str
    session: str
    token: int


class SheetsLeaseStore(LeaseStore):
    def __init__(self, book: Book, sessions: Sessions, steward: Steward) -> None:
        self._book = book
        self._sessions = sessions
        self._steward = steward
        self._watch = Watch()
        self._held: dict[tuple[str, str], Lease] = {}

    async def acquire(self, name: str, session: Session, ttl: float) -> Lease | None:
        lane = self._sessions.lane(session)
        tenures, fences = await self._look(lane)
        tenure = _current(tenures, name, fences)
        if tenure is None or tenure.session != session.id:
            if tenure is not None and tenure.session in fences:
                watched = f"{name} {tenure.token} {tenure.session}"
                now = self._sessions.monotonic()
                if not self._watch.expired(watched, fences[tenure.session], now=now, ttl=ttl):
                    return None
            token = max((known.token for known in tenures), default=0) + 1
            tenure = await self._take(lane, name, tenure, f"{session.id} #{token}")
            if tenure is None:
                return None
        lease = Lease(name, session, tenure.token)
        self._held[name, session.id] = lease
        await self._steward.tend(lane, ttl)
        return lease

    async def _take(self, lane: Lane, name: str, tenure: Tenure | None, word: str) -> Tenure | None:
        tab = self._book[ELECTIONS]
        if tenure is None:
            row = by_place(tab.header, {"name": name, "holder": word, "acquired_at": self._sessions.now().isoformat()})
            request = append_rows(tab.sheet, [row])
        else:
            request = replace_cell(tab.sheet, tab.header["holder"], tenure.cell, word)
        await lane.take(lambda: [request], lambda _replies, _view: None, lambda: _ROWS)
        tenures, fences = await self._look(lane, ours=True)
        won = _current(tenures, name, fences)
        if won is not None and won.cell == word:
            return won
        if any(known.cell == word for known in tenures):
            # somebody else was first to make a row for this name, and ours is no second election
            await self._replace(lane, word, "")
        return None

    async def renew(self, lease: Lease) -> None:
        lane = self._sessions.lane(lease.session)
        tenures, _ = await self._look(lane)
        if not any(known.name == lease.name and known.cell == _word(lease) for known in tenures):
            self._held.pop((lease.name, lease.session.id), None)
            raise LeaseLost(f"the lease on {lease.name!r} was taken over or given up")

    async def _look(self, lane: Lane, *, ours: bool = False) -> tuple[Sequence[Tenure], Mapping[str, int]]:
        """The elections and the live sessions. `ours` will do with what our last batch has shown."""
        asked = self._sessions.monotonic()
        seen = lane.seen(ELECTIONS)
        while seen is None or not (ours or self._sessions.fresh(seen.at, asked)):
            await lane.look(_ROWS)
            seen, ours = lane.seen(ELECTIONS), True
        fences = lane.view.fences if lane.view else {}
        return [_tenure(cells) for cells in seen.window.rows.values()], fences

    async def release(self, lease: Lease) -> None:
        self._held.pop((lease.name, lease.session.id), None)
        try:
            lane = self._sessions.lane(lease.session)
            await self._replace(lane, _word(lease), f"{FREE} #{lease.token}")
        except LeaseLost:
            return

    async def _replace(self, lane: Lane, old: str, new: str) -> None:
        tab = self._book[ELECTIONS]
        request = replace_cell(tab.sheet, tab.header["holder"], old, new)
        await lane.take(lambda: [request], lambda _replies, _view: None)

    async def release_all(self, lane: Lane) -> None:
        """Give up what a session holds."""
        for lease in [lease for (_, holder), lease in self._held.items() if holder == lane.session]:
            await self.release(lease)

    async def holder(self, name: str) -> Lease | None:
        fences = fences_of(await self._book.client.describe("namedRanges(namedRangeId)"))
        rows = await self._book.read(ELECTIONS, ("name", "holder"))
        tenure = _current([_tenure(cells) for cells in rows.values()], name, fences)
        if tenure is None or tenure.session not in fences:
            return None
        workers = await self._book.read(WORKERS, ("id", "name", "session"))
        row = next((cells for cells in workers.values() if cells.get("session") == tenure.session), {})
        worker = Worker(row.get("id", tenure.session), row.get("name", tenure.session))
        return Lease(name, Session(tenure.session, worker), tenure.token)


def _tenure(cells: Mapping[str, str]) -> Tenure:
    cell = cells.get("holder", "")
    match = _HOLDER.fullmatch(cell)
    session, token = (match[1], int(match[2])) if match else ("", 0)
    return Tenure(cells.get("name", ""), cell, "" if session == FREE else session, token)


def _current(tenures: Sequence[Tenure], name: str, fences: Mapping[str, int]) -> Tenure | None:
    """The row of `name` that counts: the first whose session lives, else the first that there is."""
    rows = [tenure for tenure in tenures if tenure.name == name and tenure.cell]
    return next((tenure for tenure in rows if tenure.session in fences), rows[0] if rows else None)


def _word(lease: Lease) -> str:
    return f"{lease.session.id} #{lease.token}"
