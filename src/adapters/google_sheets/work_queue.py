"""Sources or tasks: claimed by compare-and-set of words, confirmed before given out, recorded a batch later."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Generic, assert_never

from attrs import define, evolve, field

from adapters.google_sheets.archive import Archive, Parting
from adapters.google_sheets.book import Book, Rows, View, Wanted, Window
from adapters.google_sheets.candidates import candidates, is_own
from adapters.google_sheets.folding import Folding
from adapters.google_sheets.known import KnownKeys
from adapters.google_sheets.lane import HEAD, Lane, Replies
from adapters.google_sheets.listing import Listing
from adapters.google_sheets.requests import Request, append_rows, insert_rows, replace_cell, replaced
from adapters.google_sheets.rows import Cells, QueueKind, Row, by_place, queue_cells, queued, row_of
from adapters.google_sheets.sessions import Sessions
from adapters.google_sheets.words import Word, parse, tag_of
from domain.lifecycle import (
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
)
from domain.session import Session
from domain.work import Added, Claim, Counts, ItemT, Page, Receipt, Record, Settlement, rescanned
from ports.coordination import WorkQueue

AHEAD_FROM = 10
AHEAD_WITHIN = 10.0
"""Who asks for so many, so many seconds after the last time, works so fast that as many again are claimed for it."""

ADD_ROWS = 2_000
"""Rows that one batch adds at most: some 1.5 MB."""


@define
class Hold(Generic[ItemT]):
    """A claim of ours: the word that the row shows, and what is to be recorded."""

    word: Word
    record: Record[ItemT]
    cells: Cells
    since: datetime

    def claim(self) -> Claim[ItemT]:
        word = self.word
        return Claim(self.record.item, word.epoch, word.tries + 1, self.since)


@define
class Hands(Generic[ItemT]):
    """What a session has in this queue. Won: not confirmed yet; ready: not given out yet; out: being worked on."""

    won: dict[str, Hold[ItemT]] = field(factory=dict)
    ready: dict[str, Hold[ItemT]] = field(factory=dict)
    out: dict[str, Hold[ItemT]] = field(factory=dict)
    unheard: dict[tuple[str, int], bool] = field(factory=dict)
    """Settlements that took effect after their caller had been told that Google does not answer."""
    asked_at: float = float("-inf")
    first: int = 1
    missed: set[str] = field(factory=set)

    @property
    def all(self) -> Sequence[Hold[ItemT]]:
        return [hold for holds in (self.won, self.ready, self.out) for hold in holds.values()]


class SheetsWorkQueue(WorkQueue[ItemT]):
    def __init__(self, kind: QueueKind[ItemT], book: Book, sessions: Sessions) -> None:
        self.kind: QueueKind[ItemT] = kind
        self._folding: Folding[ItemT] = Folding(kind, book)
        self.archive: Archive[ItemT] = Archive(kind, book, self._folding, self._seen_rows)
        self.known: KnownKeys[ItemT] = KnownKeys(kind, book, sessions)
        self._book = book
        self._sessions = sessions
        self._listing: Listing[ItemT] = Listing(kind, book, sessions, self.known)
        self._parsed: tuple[Window | None, Sequence[Row[ItemT]]] = (None, [])
        self._hands: dict[str, Hands[ItemT]] = {}

    # --- adding

    async def add(self, items: Sequence[ItemT]) -> Added:
        first: dict[str, ItemT] = {}
        for item in items:
            first.setdefault(item.key, item)
        new: set[str] = set()
        chunks = [list(first.values())[at : at + ADD_ROWS] for at in range(0, len(first), ADD_ROWS)]
        for chunk in chunks:
            await self.known.refresh()
            lane = self._sessions.any_lane()
            new |= await lane.take(partial(self._adding, chunk), partial(self._added, chunk))
        return Added(frozenset(new), frozenset(first.keys() - new))

    def _adding(self, items: Sequence[ItemT]) -> Sequence[Request]:
        fresh = [item for item in items if item.key not in self.known]
        if not fresh:
            return []
        now = self._sessions.now()
        tab = self._book[self.kind.queue]
        words = [Word("PENDING", tag_of(item.key), 0) for item in fresh]
        cells = [queue_cells(self.kind, item, now, word) for item, word in zip(fresh, words, strict=True)]
        return [append_rows(tab.sheet, [by_place(tab.header, row) for row in cells])]

    def _added(self, items: Sequence[ItemT], _replies: Replies, _view: View) -> set[str]:
        new = {item.key for item in items if item.key not in self.known}
        self.known.add(new)
        self.changed()
        return new

    def changed(self) -> None:
        """Something was written to the queue: what was last seen of it will not do any more."""
        for lane in self._sessions.lanes():
            lane.forget(self.kind.queue)

    # --- claiming

    def _hands_of(self, session: str) -> Hands[ItemT]:
        return self._hands.setdefault(session, Hands())

    async def claim(self, session: Session, limit: int) -> Sequence[Claim[ItemT]]:
        lane = self._sessions.lane(session)
        hands = self._hands_of(session.id)
        began = self._sessions.monotonic()
        ahead = limit if limit >= AHEAD_FROM and began - hands.asked_at <= AHEAD_WITHIN else 0
        turned = False
        seen = lane.seen(self.kind.queue)
        fresh = seen is not None and self._sessions.fresh(seen.at, began)
        while len(hands.ready) < limit:
            if fresh and not hands.won and not self._candidates(lane, hands) and self._overlooked(lane) is None:
                window = self._window(lane)
                if window is not None and window.full:
                    hands.first = window.asked.end
                elif hands.first > 1 and not turned:
                    hands.first, turned = 1, True
                else:
                    break
            await lane.take(*self._claiming_turn(session, lane, hands, limit + ahead))
            fresh = True
            if hands.missed:
                await self._find_missed(hands)
        given = [hands.ready.pop(key) for key in list(hands.ready)[:limit]]
        hands.out |= {hold.record.item.key: hold for hold in given}
        hands.asked_at = began if limit and len(given) == limit else float("-inf")
        if ahead and len(hands.ready) + len(hands.won) < ahead:
            # who works fast settles soon: as much again goes with that
            lane.ride(*self._claiming_turn(session, lane, hands, ahead))
        return [hold.claim() for hold in given]

    def _window(self, lane: Lane) -> Window | None:
        seen = lane.seen(self.kind.queue)
        return seen.window if seen else None

    def _seen_rows(self, lane: Lane) -> Sequence[Row[ItemT]]:
        """The rows that were last seen with all of their cells."""
        window = self._window(lane)
        if window is None:
            return []
        known, rows = self._parsed
        if known is not window:
            detailed = [(place, cells) for place, cells in window.rows.items() if place >= window.asked.detailed]
            rows = [row_of(self.kind, place, cells) for place, cells in detailed]
            self._parsed = (window, rows)
        return rows

    def _seen_words(self, lane: Lane) -> Mapping[int, Word]:
        """The words of the rows before those."""
        window = self._window(lane)
        rows = window.rows if window else {}
        before = window.asked.detailed if window else 0
        words = {place: parse(cells.get("status", "")) for place, cells in rows.items() if place < before}
        return {place: word for place, word in words.items() if word is not None}

    def _candidates(self, lane: Lane, hands: Hands[ItemT]) -> Sequence[Row[ItemT]]:
        found = candidates(
            self._seen_rows(lane),
            elsewhere={word.tag for word in self._seen_words(lane).values()},
            now=self._sessions.now(),
            session=lane.session,
            live=_live(lane),
        )
        mine = {hold.word.tag for hold in hands.all}
        return [row for row in found if row.tag not in mine]

    def _overlooked(self, lane: Lane) -> int | None:
        """The place of the first row that might be claimed, was its whole row seen."""
        now = self._sessions.now()
        places = [
            place
            for place, word in self._seen_words(lane).items()
            if word.state is State.PENDING and (word.due is None or word.due <= now)
        ]
        return min(places, default=None)

    def _claiming_turn(
        self, session: Session, lane: Lane, hands: Hands[ItemT], most: int
    ) -> tuple[Callable[[], Sequence[Request]], Callable[[Replies, View], None], Callable[[], Wanted]]:
        """What a batch has to do to have `most` in hand that are not given out."""
        tried: list[Hold[ItemT]] = []
        left: list[Row[ItemT]] = []

        def build() -> Sequence[Request]:
            return self._claiming(lane, hands, most, tried, left)

        def learn(replies: Replies, view: View) -> None:
            self._claimed(session, lane, hands, tried, replies, view)

        def wanted() -> Wanted:
            return {self.kind.queue: self._worth_seeing(lane, hands, most, left)}

        return build, learn, wanted

    def _worth_seeing(self, lane: Lane, hands: Hands[ItemT], most: int, left: Sequence[Row[ItemT]]) -> Rows:
        """The rows in hand, which stand before those that wait, and of these as many as all workers may claim next.

        Of the former it is enough to see whose they are.
        """
        window = self._window(lane)
        if window is None:
            return Rows(hands.first, hands.first + max(HEAD, 2 * most))
        live = _live(lane)
        workers = max(1, len(live))
        behind = max(window.rows, default=0) + 1
        own = [row.place for row in left if is_own(row.tag, lane.session, live)]
        waiting = min(own or [row.place for row in left], default=behind)
        overlooked = self._overlooked(lane)
        if overlooked is not None and not own:
            waiting = min(waiting, overlooked)
        detailed = max(hands.first, waiting - self.archive.folds(lane))
        return Rows(hands.first, detailed + workers * (most // 2 + 5), detailed)

    def _claiming(
        self, lane: Lane, hands: Hands[ItemT], most: int, tried: list[Hold[ItemT]], left: list[Row[ItemT]]
    ) -> Sequence[Request]:
        tab, now = self._book[self.kind.queue], self._sessions.now()
        tried.clear()
        left.clear()
        requests = []
        for row in self._candidates(lane, hands):
            if len(hands.ready) + len(hands.won) + len(tried) >= most:
                left.append(row)
                continue
            word = _word(row).claimed(self.kind.held, lane.session, now)
            record = evolve(queued(self.kind, row, ""), claimed_at=now, not_before=None)
            tried.append(Hold(word, record, row.cells, word.since or now))
            requests.append(replace_cell(tab.sheet, tab.header["status"], row.status, str(word)))
        return requests

    def _claimed(
        self,
        session: Session,
        lane: Lane,
        hands: Hands[ItemT],
        tried: Sequence[Hold[ItemT]],
        replies: Replies,
        view: View,
    ) -> None:
        window = view.windows.get(self.kind.queue.title)
        if window is not None:
            self._confirm(hands, {cells.get("status", "") for cells in window.rows.values()})
            self._folding.consider(lane, self._seen_rows(lane), view)
        for hold, reply in zip(tried, replies, strict=True):
            if replaced(reply):
                hold.record = evolve(hold.record, worker=session.worker.name)
                hands.won[hold.record.item.key] = hold

    def _confirm(self, hands: Hands[ItemT], shown: Collection[str]) -> None:
        """A claim won in an earlier batch is ours once a later look shows our word in its row."""
        for key, hold in list(hands.won.items()):
            if str(hold.word) in shown:
                hands.ready[key] = hands.won.pop(key)
                hands.missed.discard(key)
            else:
                hands.missed.add(key)

    async def _find_missed(self, hands: Hands[ItemT]) -> None:
        """Look at the whole queue for what no window showed: a person has sorted it, or taken a row back."""
        rows = await self._book.read(self.kind.queue, ("status",))
        self._confirm(hands, {cells["status"] for cells in rows.values()})
        for key in hands.missed:
            hands.won.pop(key, None)
        hands.missed.clear()

    # --- settling

    async def settle(self, session: Session, settlements: Sequence[Settlement[ItemT]]) -> Sequence[Receipt]:
        lane = self._sessions.lane(session)
        if not settlements:
            return []
        hands = self._hands_of(session.id)
        receipts: dict[int, bool] = {}
        asked: list[tuple[int, Settlement[ItemT], Hold[ItemT]]] = []

        def build() -> Sequence[Request]:
            asked.clear()
            requests = []
            tab = self._book[self.kind.queue]
            for place, settlement in enumerate(settlements):
                claim = settlement.claim
                late = hands.unheard.pop((claim.item.key, claim.epoch), None)
                hold = hands.out.get(claim.item.key)
                if late is not None:
                    receipts[place] = late
                elif hold is None or hold.word.epoch != claim.epoch:
                    receipts[place] = False
                else:
                    asked.append((place, settlement, hold))
                    requests.append(
                        replace_cell(
                            tab.sheet, tab.header["status"], str(hold.word), str(_settled(hold.word, settlement.event))
                        )
                    )
            return requests

        heard = False

        def learn(replies: Replies, _view: View) -> None:
            for (place, settlement, hold), reply in zip(asked, replies, strict=True):
                key = settlement.claim.item.key
                receipts[place] = bool(replaced(reply))
                if hands.out.get(key) is hold:
                    del hands.out[key]
                if receipts[place]:
                    self._keep(lane, hold, settlement)
                if heard:
                    hands.unheard[key, settlement.claim.epoch] = receipts[place]

        try:
            await lane.take(build, learn)
        finally:
            heard = True
        if self.kind.prompt:
            await self.flush()
        return [Receipt(s.claim.item.key, receipts[place]) for place, s in enumerate(settlements)]

    def _keep(self, lane: Lane, hold: Hold[ItemT], settlement: Settlement[ItemT]) -> None:
        """What was won is recorded with the next batch."""
        record = evolve(
            hold.record, item=settlement.claim.item, attempts=hold.word.tries + 1, finished_at=self._sessions.now()
        )
        match settlement.event:
            case Completed():
                done = evolve(record, state=State.COMPLETED, error="")
            case Failed(error):
                done = evolve(record, state=State.FAILED, error=error)
            case Retried() | Released():
                return
            case _:
                assert_never(settlement.event)
        self.archive.keep(lane, Parting(_settled(hold.word, settlement.event), done, hold.cells))
        self.known.add({done.item.key})

    async def release(self, lane: Lane) -> None:
        """Give back all that a session holds."""
        hands = self._hands.pop(lane.session, None)
        if hands is None or not hands.all:
            return
        tab = self._book[self.kind.queue]
        requests = [
            replace_cell(tab.sheet, tab.header["status"], str(hold.word), str(_settled(hold.word, Released())))
            for hold in hands.all
        ]
        await lane.take(lambda: requests, lambda _replies, _view: None)
        self.changed()

    # --- what people ask for

    async def intervene(self, keys: Sequence[str], event: Intervention) -> frozenset[str]:
        await self.flush()
        wanted = set(keys)
        layout = self.kind.history if isinstance(event, Rescanned) else self.kind.dlq
        found = await self._listing.finished(layout)
        allowed = State.COMPLETED if isinstance(event, Rescanned) else State.FAILED
        mine = [(url, record) for url, record in found if record.item.key in wanted and record.state is allowed]
        if not mine:
            return frozenset()
        urls = {url for url, _ in mine}
        others = [(url, record) for url, record in found if url in urls and record.item.key not in wanted]
        tab, queue = self._book[layout], self._book[self.kind.queue]
        requests: list[Request] = [
            replace_cell(tab.sheet, tab.header[column], cell, "")
            for url, record in mine
            for column, cell in (("url", url), ("id", self.kind.cells(record.item)["id"]))
            if cell
        ]
        stay = [record for _, record in others]
        if isinstance(event, Discarded):
            stay += [evolve(record, state=State.DISCARDED) for _, record in mine]
        if stay:
            requests.append(self.archive.append(tab, stay))
        if not isinstance(event, Discarded):
            back = [self._back(record, event) for _, record in mine]
            requests += insert_rows(queue.sheet, [by_place(queue.header, cells) for cells in back])
        await self._sessions.any_lane().take(lambda: requests, lambda _replies, _view: None)
        self.changed()
        return frozenset(record.item.key for _, record in mine)

    def _back(self, record: Record[ItemT], event: Redriven | Rescanned) -> Mapping[str, str]:
        item = rescanned(record.item, full=event.full) if isinstance(event, Rescanned) else record.item
        word = Word("PENDING", tag_of(item.key), self._sessions.fresh_epoch())
        return queue_cells(self.kind, item, record.created_at, word)

    # --- looking

    async def flush(self) -> None:
        """Record what waits for it."""
        await self.archive.flush([*self._sessions.lanes(), self._sessions.plain])

    async def counts(self) -> Counts:
        await self.flush()
        return await self._listing.counts()

    async def list(self, state: State, *, after: str | None = None, limit: int = 100) -> Page[ItemT]:
        await self.flush()
        return await self._listing.page(state, after, limit)


def _live(lane: Lane) -> Sequence[str]:
    return list(lane.view.fences) if lane.view else []


def _word(row: Row[ItemT]) -> Word:
    return row.word or Word("PENDING", row.tag, 0)


def _settled(word: Word, event: Settled) -> Word:
    match event:
        case Completed():
            return evolve(word, label="COMPLETED", error="")
        case Failed(error):
            return evolve(word, label="FAILED", error=error or "failed")
        case Retried(error, not_before):
            return word.pending(tries=word.tries + 1, due=not_before, error=error, since=word.since or word.at)
        case Released():
            return word.pending()
        case _:
            assert_never(event)
