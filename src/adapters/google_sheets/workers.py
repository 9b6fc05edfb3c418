"""Who works: a row in Workers for people, a fence for everybody else."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress

from adapters.google_sheets.book import Book, fences_of
from adapters.google_sheets.burial import Burial
from adapters.google_sheets.layout import WORKERS
from adapters.google_sheets.leases import SheetsLeaseStore
from adapters.google_sheets.requests import Request, append_rows, replace_cell, write_cells
from adapters.google_sheets.rows import by_place
from adapters.google_sheets.sessions import Sessions
from adapters.google_sheets.words import moment
from domain.errors import LeaseLost
from domain.session import Session, Watch, Worker, WorkerStats, WorkerView
from ports.coordination import WorkerRegistry
from ports.time import IdGenerator

ACTIVE, INACTIVE = "ACTIVE", "INACTIVE"
_SHOWN = ("id", "name", "session", "beat", "tasks", "sources", "failures")


class SheetsWorkerRegistry(WorkerRegistry):
    def __init__(
        self, book: Book, sessions: Sessions, leases: SheetsLeaseStore, burial: Burial, ids: IdGenerator
    ) -> None:
        self._book = book
        self._sessions = sessions
        self._ids = ids
        self._leases = leases
        self._burial = burial
        self._watch = Watch()
        self._stats: dict[str, WorkerStats] = {}

    async def open(self, worker: Worker) -> Session:
        live = await self._fences()
        rows = await self._book.read(WORKERS, ("id", "session"))
        earlier = [
            cells["session"] for cells in rows.values() if cells.get("id") == worker.id and cells.get("session") in live
        ]
        session = Session(session_id(worker.name, self._ids.new_id()), worker)
        lane = self._sessions.open_lane(session.id)
        known = next((c["session"] for c in rows.values() if c.get("id") == worker.id and c.get("session")), "")
        try:
            won = await lane.take(lambda: self._enrol(session, known), lambda replies, _view: replies)
        except BaseException:
            self._sessions.drop(session.id)
            raise
        if known and not any(reply.get("findReplace") for reply in won):
            await lane.take(lambda: self._enrol(session, ""), lambda _replies, _view: None)
        self._stats[session.id] = WorkerStats()
        for dead in earlier:
            await self._burial.bury(lane, dead, live[dead])
        await self._show(session, WorkerStats(), ACTIVE)
        return session

    def _enrol(self, session: Session, known: str) -> Sequence[Request]:
        """The worker's own row of an earlier life, found by its session, or else a new one."""
        tab = self._book[WORKERS]
        if known:
            return [replace_cell(tab.sheet, tab.header["session"], known, session.id)]
        row = {"id": session.worker.id, "name": session.worker.name, "session": session.id, "status": ACTIVE}
        row["beat"] = self._sessions.now().isoformat()
        return [append_rows(tab.sheet, [by_place(tab.header, row)])]

    async def beat(self, session: Session, stats: WorkerStats) -> None:
        lane = self._sessions.lane(session)
        if self._stats.get(session.id) == stats and self._sessions.fresh(lane.moved_at, self._sessions.monotonic()):
            return  # every batch is a heartbeat, and one was sent a moment ago
        await self._show(session, stats, ACTIVE)
        self._stats[session.id] = stats

    async def _show(self, session: Session, stats: WorkerStats, status: str) -> None:
        """Write what people see of `session`, where its row stood a moment ago.

        Should a person have moved it since, a neighbour's figures are wrong until that one's next heartbeat.
        """
        rows = await self._book.read(WORKERS, ("session",))
        place = next((place for place, cells in rows.items() if cells["session"] == session.id), None)
        lane = self._sessions.lane(session)
        tab = self._book[WORKERS]
        shown = {
            "name": session.worker.name,
            "beat": self._sessions.now().isoformat(),
            "status": status,
            "tasks": str(stats.tasks),
            "sources": str(stats.sources),
            "failures": str(stats.failures),
        }
        if place is None:
            row = {"id": session.worker.id, "session": session.id, **shown}
            requests = [append_rows(tab.sheet, [by_place(tab.header, row)])]
        else:
            requests = [write_cells(tab.sheet, place, tab.header[name], [text]) for name, text in shown.items()]
        await lane.take(lambda: requests, lambda _replies, _view: None)

    async def active(self) -> Sequence[WorkerView]:
        fences = await self._fences()
        rows = await self._book.read(WORKERS, _SHOWN)
        seen = {cells["session"]: cells for cells in rows.values() if cells.get("session") in fences}
        lost = {session: {"session": session} for session in fences if session not in seen}
        return [self._view(cells) for cells in (seen | lost).values()]

    def _view(self, cells: Mapping[str, str]) -> WorkerView:
        session = cells["session"]
        worker = Worker(cells.get("id", session), cells.get("name", session))
        stats = WorkerStats(*(_count(cells.get(name, "")) for name in ("tasks", "sources", "failures")))
        return WorkerView(Session(session, worker), moment(cells.get("beat", "")) or self._sessions.now(), stats)

    async def bury(self, ttl: float) -> Sequence[Session]:
        now = self._sessions.monotonic()
        fences = await self._fences()
        expired = [
            session for session, count in fences.items() if self._watch.expired(session, count, now=now, ttl=ttl)
        ]
        self._watch.forget_all_but(set(fences))
        if not expired:
            return []
        known = {view.session.id: view.session for view in await self.active()}
        buried = []
        for dead in expired:
            # not by its own hand: a batch of the session that is buried would be its heartbeat; and by the youngest,
            # as an earlier session of this process may have been buried itself
            others = [lane for lane in self._sessions.lanes() if lane.session != dead]
            with suppress(LeaseLost):
                if await self._burial.bury([self._sessions.plain, *others][-1], dead, fences[dead]):
                    buried.append(known.get(dead, Session(dead, Worker(dead, dead))))
        return buried

    async def close(self, session: Session) -> None:
        try:
            lane = self._sessions.lane(session)
            await self._burial.release(lane)
            await self._leases.release_all(lane)
            await self._show(session, self._stats.pop(session.id, WorkerStats()), INACTIVE)
            await lane.end()
        except LeaseLost:
            pass  # buried: others have seen to it
        self._sessions.drop(session.id)

    async def _fences(self) -> Mapping[str, int]:
        view = self._sessions.view()
        if view is not None:
            return view.fences
        return fences_of(await self._book.client.describe("namedRanges(namedRangeId)"))


def session_id(name: str, unique: str) -> str:
    """An id that shows whose session it is, and may be part of a named range's name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:20]
    return f"{slug}_{unique[-8:]}" if slug[:1].isalpha() else f"w_{unique[-8:]}"


def _count(text: str) -> int:
    return int(text) if text.strip().isdigit() else 0
