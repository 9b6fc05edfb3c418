"""A seeded model of everything at once: workers that crash and freeze, Google unwell, and a person who never rests.

Time is virtual, and a person acts between a read and the write that is built on it. What each does is drawn from the
seed, so that a run that breaks a promise can be looked at again.
"""

import asyncio
import json
from collections import Counter, defaultdict
from random import Random
from typing import Any

from attrs import define, field

from adapters.google_sheets.book import fences_of
from adapters.google_sheets.rows import Row, TaskKind, row_of
from adapters.google_sheets.store import SheetsCoordinationStore
from adapters.sheets_emulator.faults import Fault
from adapters.sheets_emulator.grid.a1 import column_letters
from domain.dedupe import task_key
from domain.errors import LeaseLost
from domain.lifecycle import Completed, Failed, Retried, Settled
from domain.session import Session, Worker, WorkerStats
from domain.work import Claim, Settlement, Task
from ports.errors import PortError
from ports.time import RandomSource
from tests.contract.google_sheets.spreadsheet import Spreadsheet
from tests.passing_time import passing_time

TTL = 60.0
NOTES = "Notas"
STORMS = (Fault.QUOTA, Fault.UNAVAILABLE, Fault.UNAVAILABLE_AFTER, Fault.DROPPED_AFTER, Fault.STALE)


@define
class Seeded(RandomSource):
    random: Random

    def unit(self) -> float:
        return self.random.random()


@define
class Chaos:
    """`run` returns what was broken: nothing, it is hoped."""

    seed: int
    workers: int = 4
    restless: float = 900.0
    calm: float = 1500.0
    person_acts: float = 0.25
    random: Random = field(init=False)
    sheet: Spreadsheet = field(init=False)
    broken: list[str] = field(factory=list)
    expected: set[str] = field(factory=set)
    redone: Counter[str] = field(factory=Counter)
    touched: set[str] = field(factory=set)
    running: dict[str, set[str]] = field(factory=lambda: defaultdict(set))
    runs: int = 0
    typed: int = 0
    over: bool = False

    def __attrs_post_init__(self) -> None:
        self.random = Random(self.seed)
        self.sheet = Spreadsheet(random=Seeded(self.random))

    def run(self) -> list[str]:
        passing_time(self._all(), self.sheet.clock)
        self._check_the_end()
        return self.broken

    @property
    def stormy(self) -> bool:
        return self.sheet.clock.monotonic() < self.restless

    async def _all(self) -> None:
        async with self.sheet.store() as store:
            await store.tasks.add([self._task(number) for number in range(24)])
        self._add_notes()
        self.sheet.before_send = self._between
        lives = [asyncio.create_task(self._live(f"w{number}")) for number in range(self.workers)]
        while self.stormy or (self.sheet.clock.monotonic() < self.calm and self._left()):
            await self.sheet.clock.sleep(30)
        self.over = True
        await asyncio.wait(lives)
        for life in lives:
            life.result()

    def _task(self, number: int) -> Task:
        if number % 6 == 5:  # an item of a feed: its key is not in its URL, which two of them share
            url = f"https://feeds.example/item{number // 12}"
            task = Task(f"feed {number:04d}", url, id=f"f{number}", name=f"n:{url}")
        else:
            identifier = f"{'aB' if number % 2 else 'Ab'}{number // 2:09d}"  # pairs that differ by case only
            url = f"https://www.youtube.com/watch?v={identifier}"
            task = Task(f"youtube {identifier}", url, id=identifier, name=f"n:{url}")
        self.expected.add(task.key)
        return task

    # --- workers

    async def _live(self, name: str) -> None:
        while not self.over:
            life = asyncio.create_task(self._one_life(name))
            await asyncio.wait({life})
            if not life.cancelled() and (error := life.exception()) is not None:
                self.broken.append(f"{name} ended with {error!r}")
                return
            await self.sheet.clock.sleep(self.random.uniform(1, 20))

    async def _one_life(self, name: str) -> None:
        """Until it is over, or the process dies; a process that dies says nothing to anybody."""
        store = self.sheet.store(min_interval=1.0, freshness=self.random.choice([0.0, 5.0, 15.0]))
        sessions: list[str] = []
        try:
            await self._until_open(store)
            while not self.over:
                try:
                    session = await store.workers.open(Worker(f"id-{name}", name))
                    sessions.append(session.id)
                    if await self._work(store, session):
                        return
                except LeaseLost:
                    self._forget(sessions)
                except PortError:
                    await self.sheet.clock.sleep(5)
        finally:
            self._forget(sessions)
            for task in asyncio.all_tasks():
                if task.get_name().partition(" ")[2] in sessions:
                    task.cancel()

    async def _until_open(self, store: SheetsCoordinationStore) -> None:
        while True:
            try:
                await store.__aenter__()
            except PortError:
                await self.sheet.clock.sleep(5)
            else:
                return

    async def _work(self, store: SheetsCoordinationStore, session: Session) -> bool:
        """One session. True when its process has died, or all is over."""
        clock, random = self.sheet.clock, self.random
        proven = clock.monotonic()
        while not self.over:
            if self.stormy and random.random() < 0.02:
                return True
            if self.stormy and random.random() < 0.02:
                await clock.sleep(random.uniform(TTL / 2, 3 * TTL))
            await store.workers.beat(session, WorkerStats(tasks=self.runs))
            proven = clock.monotonic()
            await store.workers.bury(TTL)
            await store.leases.acquire("Source", session, TTL)
            for claim in await store.tasks.claim(session, random.randint(1, 4)):
                if clock.monotonic() - proven < TTL / 2:
                    await self._execute(store, session, claim)
                    proven = max(proven, clock.monotonic() - TTL / 4)
                else:
                    await self._settle(store, session, claim, None)
            await clock.sleep(random.uniform(0.1, 8))
        await store.workers.close(session)
        return True

    async def _execute(self, store: SheetsCoordinationStore, session: Session, claim: Claim[Task]) -> None:
        key = claim.item.key
        live = fences_of({"namedRanges": [{"namedRangeId": name} for name in self.sheet.person.book.named_ranges]})
        others = {other for other in self.running[key] if other in live and other != session.id}
        if others and session.id in live and key not in self.touched:
            self._break(f"{key} runs in {session.id} and {others}")
        self.running[key].add(session.id)
        self.runs += 1
        await self.sheet.clock.sleep(self.random.uniform(0.1, 6))
        self.running[key].discard(session.id)
        outcome = self.random.random()
        event: Settled = Completed()
        if outcome < 0.15:
            event = Failed("não deu: =1+1 ✗")
        elif outcome < 0.25:
            event = Retried("mais tarde", self.sheet.clock.now())
        await self._settle(store, session, claim, event)

    async def _settle(
        self, store: SheetsCoordinationStore, session: Session, claim: Claim[Task], event: Settled | None
    ) -> None:
        while event is not None:
            try:
                await store.tasks.settle(session, [Settlement(claim, event)])
            except PortError:
                await self.sheet.clock.sleep(5)
            else:
                return

    def _forget(self, sessions: list[str]) -> None:
        for holders in self.running.values():
            holders.difference_update(sessions)

    # --- Google, and the person

    def _between(self, body: bytes) -> None:
        """Just before a call takes effect."""
        self._check_notes()
        if not self.stormy:
            self.sheet.desk.faults.laid.clear()
            return
        if self.random.random() < 0.04:
            self.sheet.desk.faults.lay(self.random.choice(STORMS), times=self.random.choice([1, 1, 2, 8]))
        if b"requests" in body and self.random.random() < self.person_acts:
            self._act()

    def _act(self) -> None:
        acts = [self._sort, self._insert, self._type, self._copy, self._delete, self._reset, self._redrive]
        acts += [self._paste, self._edit, self._unfence, self._add_column]
        self.random.choice(acts)()

    def _table(self) -> tuple[list[str], list[dict[str, str]]]:
        header, *rows = self.sheet.person.rows("Tasks")
        return header, [{**dict.fromkeys(header, ""), **dict(zip(header, row, strict=False))} for row in rows]

    def _pick(self) -> tuple[int, dict[str, str]] | None:
        """A row with a URL, and its number as people see it."""
        rows = [(number, row) for number, row in enumerate(self._table()[1], 2) if row["URL"]]
        return self.random.choice(rows) if rows else None

    def _put(self, number: int, **cells: str) -> None:
        header, _ = self._table()
        for name, text in cells.items():
            self.sheet.person.type("Tasks", f"{column_letters(header.index(name))}{number}", text)

    def _touch(self, row: dict[str, str], *, again: bool) -> None:
        key = _row(row).key
        self.touched.add(key)
        self.redone[key] += again

    def _sort(self) -> None:
        header, _ = self._table()
        column = header.index(self.random.choice(["ID", "URL", "Status", "Nome"])) + 1
        self.sheet.person.sort("Tasks", column, descending=self.random.random() < 0.5)

    def _insert(self) -> None:
        self.sheet.person.insert_rows("Tasks", self.random.randint(2, len(self._table()[1]) + 2))

    def _new_url(self) -> str:
        self.typed += 1
        url = f"https://www.youtube.com/watch?v=nEw{self.typed:08d}"
        self.expected.add(task_key(url))
        return url

    def _type(self) -> None:
        if self.typed < 8:
            number = self.random.randint(2, len(self._table()[1]) + 2)
            self.sheet.person.insert_rows("Tasks", number)
            url = self._new_url()
            self._put(number, URL=url, Nome=f"n:{url}", Notas=f"n:{url}")
            status = self.random.choice(["", "pending", " PENDING "])
            if status:
                self._put(number, Status=status)

    def _edit(self) -> None:
        """Copy a row and type another URL into it."""
        if self.typed < 8 and (picked := self._pick()):
            number, _ = picked
            self.sheet.person.duplicate_row("Tasks", number)
            url = self._new_url()
            self._put(number + 1, URL=url, Nome=f"n:{url}", Notas=f"n:{url}")

    def _copy(self) -> None:
        if picked := self._pick():
            self.sheet.person.duplicate_row("Tasks", picked[0])

    def _paste(self) -> None:
        """The URL of a row once more, as a row of its own."""
        if picked := self._pick():
            url = picked[1]["URL"]
            if url.startswith("https://www.youtube.com"):
                number = len(self._table()[1]) + 2
                self._put(number, URL=url, Nome=f"n:{url}", Notas=f"n:{url}")

    def _delete(self) -> None:
        if self.random.random() < 0.2 and (picked := self._pick()):
            number, row = picked
            self._touch(row, again=not row["Status"].startswith("PENDING"))
            self.expected.discard(_row(row).key)
            self.sheet.person.delete_rows("Tasks", number)

    def _reset(self) -> None:
        picked = self._pick()
        if picked and picked[1]["Status"].startswith("CLAIMED"):
            self._touch(picked[1], again=True)
            self._put(picked[0], Status="PENDING")

    def _redrive(self) -> None:
        header, *lines = self.sheet.person.rows("Tasks DLQ")
        rows = [dict(zip(header, line, strict=False)) for line in lines]
        if places := [number for number, row in enumerate(rows, 2) if row.get("URL")]:
            number = self.random.choice(places)
            row = rows[number - 2]
            self._touch(row, again=True)
            place = len(self.sheet.person.rows("Tasks")) + 1
            self.sheet.person.cut_row("Tasks DLQ", number, into="Tasks")
            self._put(place, Notas=f"n:{row['URL']}")

    def _unfence(self) -> None:
        names = [name for name in self.sheet.person.book.named_ranges if name.startswith("mutirao_")]
        if names and self.random.random() < 0.3:
            # what is held without a fence is anybody's after a while
            self.touched |= {key for key, holders in self.running.items() if holders}
            self.sheet.person.do({"deleteNamedRange": {"namedRangeId": self.random.choice(names)}})

    def _add_column(self) -> None:
        header, _ = self._table()
        if len(header) < 16:
            self.sheet.person.type("Tasks", f"{column_letters(len(header))}1", f"Coluna {len(header)}")

    # --- what must hold

    def _break(self, what: str) -> None:
        self.broken.append(f"at {self.sheet.clock.monotonic():.0f} s: {what}")

    def _add_notes(self) -> None:
        header, rows = self._table()
        column = column_letters(len(header))
        self.sheet.person.type("Tasks", f"{column}1", NOTES)
        for number, row in enumerate(rows, 2):
            self.sheet.person.type("Tasks", f"{column}{number}", f"n:{row['URL']}")

    def _check_notes(self) -> None:
        for row in self._table()[1]:
            if row["URL"] and row[NOTES] != f"n:{row['URL']}" and not self.broken:
                self._break(f"the note {row[NOTES]!r} stands beside {row['URL']}")

    def _left(self) -> list[dict[str, str]]:
        rows = self._table()[1]
        return [r for r in rows if not _row(r).empty and not r["Status"].startswith("DUPLICATE")]

    def _check_the_end(self) -> None:
        recorded = Counter(_row(row).key for tab in ("Tasks History", "Tasks DLQ") for row in self.sheet.rows(tab))
        recorded.pop("", None)
        for key in sorted(self.expected - recorded.keys()):
            self._break(f"{key} was lost")
        for key, count in recorded.items():
            if count > 1 + self.redone[key]:
                self._break(f"{key} is recorded {count} times, and was redone {self.redone[key]} times")
        for row in self._left():
            self._break(f"left in the queue: {json.dumps(row, ensure_ascii=False)}")


def _row(cells: dict[str, str]) -> Row[Task]:
    named: dict[str, Any] = {
        "url": cells.get("URL", ""),
        "status": cells.get("Status", ""),
        "key": cells.get("Chave", ""),
    }
    return row_of(TaskKind(), 0, named)
