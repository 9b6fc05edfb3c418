"""What the leader does for all: it adopts people's rows, tells them of duplicates, and buries who has no fence."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Generic

from attrs import frozen

from adapters.google_sheets.book import Book, Rows, View
from adapters.google_sheets.burial import Burial
from adapters.google_sheets.lane import Lane, Replies
from adapters.google_sheets.requests import Request, replace_cell, write_cells
from adapters.google_sheets.rows import DUPLICATE, Row, row_of
from adapters.google_sheets.sessions import Sessions
from adapters.google_sheets.words import Word, parse
from adapters.google_sheets.work_queue import SheetsWorkQueue
from domain.lifecycle import State
from domain.session import Watch
from domain.work import ItemT

ADOPT = 100
"""Rows that one batch adopts at most."""

WHOLE_EVERY = 120.0
"""Seconds between looks at a whole queue that is longer than a window."""


@frozen
class _Adoption(Generic[ItemT]):
    row: Row[ItemT]
    status: str


class Steward:
    def __init__(self, book: Book, sessions: Sessions, queues: Sequence[SheetsWorkQueue[Any]], burial: Burial) -> None:
        self._book = book
        self._sessions = sessions
        self._queues = queues
        self._burial = burial
        self._watch = Watch()
        self._whole_at = dict.fromkeys((queue.kind.queue.title for queue in queues), float("-inf"))

    async def tend(self, lane: Lane, ttl: float) -> None:
        """Do what there is to do. Costs no call when the last looks show nothing, and the queues fit in them."""
        orphans: set[str] = set()
        for queue in self._queues:
            rows = await self._rows(lane, queue)
            await self._settle_twins(lane, queue, rows)
            await self._adopt(lane, queue, rows)
            orphans |= {row.word.session for row in rows if row.word and row.word.session and not row.empty}
        fences = lane.view.fences if lane.view else {}
        now = self._sessions.monotonic()
        lost = {session for session in orphans if session not in fences}
        for session in sorted(lost):
            if self._watch.expired(session, 0, now=now, ttl=ttl):
                await self._burial.bury(lane, session, None)
        self._watch.forget_all_but(lost)

    async def _rows(self, lane: Lane, queue: SheetsWorkQueue[ItemT]) -> Sequence[Row[ItemT]]:
        layout, now = queue.kind.queue, self._sessions.monotonic()
        seen = lane.seen(layout)
        if seen is not None and self._sessions.fresh(seen.at, now):
            window = seen.window
            short = not window.full and min(window.rows, default=1) <= 1
            if short or now - self._whole_at[layout.title] < WHOLE_EVERY:
                return [row_of(queue.kind, place, cells) for place, cells in window.rows.items()]
        self._whole_at[layout.title] = now
        found = await self._book.read(layout, ("id", "url", "status", "key"))
        return [row_of(queue.kind, place, cells) for place, cells in found.items()]

    async def _settle_twins(self, lane: Lane, queue: SheetsWorkQueue[ItemT], rows: Sequence[Row[ItemT]]) -> None:
        """Of a key with several words, those that nobody works on are bare rows again, but for the oldest."""
        words: dict[str, dict[str, Word]] = defaultdict(dict)
        for row in rows:
            if row.word is not None and not row.empty:
                words[row.tag][row.status] = row.word
        tab = self._book[queue.kind.queue]
        requests: list[Request] = []
        for twins in words.values():
            if len(twins) > 1:
                _, *younger = sorted(twins.items(), key=lambda t: (t[1].state is State.PENDING, t[1].epoch))
                requests += [
                    replace_cell(tab.sheet, tab.header["status"], status, "")
                    for status, word in younger
                    if word.state is State.PENDING
                ]
        if requests:
            await lane.take(lambda: requests, lambda _replies, _view: None)

    async def _adopt(self, lane: Lane, queue: SheetsWorkQueue[ItemT], rows: Sequence[Row[ItemT]]) -> None:
        bare = [row for row in rows if row.bare and not row.duplicate]
        if not bare:
            return
        await queue.known.refresh()
        live = {row.key for row in rows if row.word is not None and not row.empty}
        adoptions = []
        for row in bare[:ADOPT]:
            if row.key in live or queue.known.recorded(row.key):
                status = f"{DUPLICATE} {row.tag}.{self._sessions.fresh_epoch()}"
            else:
                live.add(row.key)
                status = str(Word("PENDING", row.tag, self._sessions.fresh_epoch()))
            adoptions.append(_Adoption(row, status))
        await self._write(lane, queue, adoptions, rows)

    async def _write(
        self,
        lane: Lane,
        queue: SheetsWorkQueue[ItemT],
        adoptions: Sequence[_Adoption[ItemT]],
        before: Sequence[Row[ItemT]],
    ) -> None:
        """Write words by position, see in the same answer where they went, and take back those that went astray."""
        tab = self._book[queue.kind.queue]
        requests = [
            write_cells(tab.sheet, adoption.row.place, tab.header["status"], [adoption.status])
            for adoption in adoptions
        ]
        end = max(row.place for row in before) + 1 + len(adoptions)

        def learn(_replies: Replies, view: View) -> View:
            return view

        view = await lane.take(lambda: requests, learn, lambda: {queue.kind.queue: Rows(1, end)})
        window = view.windows.get(queue.kind.queue.title)
        if window is None:  # the answer was lost, or the header has changed: see what became of it
            found = await self._book.read(queue.kind.queue, ("id", "url", "status", "key"))
        else:
            found = {place: dict(cells) for place, cells in window.rows.items()}
        after = {
            cells["status"]: row_of(queue.kind, place, cells) for place, cells in found.items() if "status" in cells
        }
        astray = [a for a in adoptions if a.status in after and after[a.status].url != a.row.url]
        if astray:
            words = {word.tag for status in after if (word := parse(status)) is not None}
            gone = [row for row in before if row.word is not None and row.tag not in words]
            requests = [self._undo(queue, adoption, after[adoption.status], gone) for adoption in astray]
            await lane.take(lambda: requests, learn)
        queue.known.add({a.row.key for a in adoptions if a not in astray and parse(a.status)})
        queue.changed()

    def _undo(
        self, queue: SheetsWorkQueue[ItemT], adoption: _Adoption[ItemT], hit: Row[ItemT], gone: Sequence[Row[ItemT]]
    ) -> Request:
        """Give the row that was hit the word back that it must have had: that of its key, if no row shows one."""
        tab = self._book[queue.kind.queue]
        word = next((row.status for row in gone if row.tag == hit.tag), "")
        return replace_cell(tab.sheet, tab.header["status"], adoption.status, word)
