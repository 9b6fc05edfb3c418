"""The coordination store in a Google spreadsheet."""

from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self

from adapters.google_sheets.assumptions import tried
from adapters.google_sheets.book import Book
from adapters.google_sheets.burial import Burial
from adapters.google_sheets.calls import Calls
from adapters.google_sheets.client import SheetsClient
from adapters.google_sheets.credentials import GoogleAccount
from adapters.google_sheets.diagnosis import Diagnosis
from adapters.google_sheets.leases import SheetsLeaseStore
from adapters.google_sheets.pace import BACKOFF, Pace
from adapters.google_sheets.rows import SourceKind, TaskKind
from adapters.google_sheets.scratch import Scratch
from adapters.google_sheets.sessions import Sessions
from adapters.google_sheets.steward import Steward
from adapters.google_sheets.work_queue import SheetsWorkQueue
from adapters.google_sheets.workers import SheetsWorkerRegistry
from domain.finding import Finding
from domain.lifecycle import MAX_CRASHES
from domain.pacing import PacingPolicy
from domain.retry import RetryPolicy
from domain.work import Source, Task
from ports.coordination import CoordinationStore, LeaseStore, WorkerRegistry, WorkQueue
from ports.diagnosis import Assuming, Diagnosable
from ports.time import Clock, IdGenerator, RandomSource

IDLE_PAUSE = 30.0


class SheetsCoordinationStore(CoordinationStore, Diagnosable, Assuming):
    """A `CoordinationStore` over one spreadsheet. Each worker process has one of its own.

    Looks are at most `freshness` seconds old: what others have done since may not show yet. What this store has done
    itself always does.
    """

    idle_pause = IDLE_PAUSE

    def __init__(
        self,
        spreadsheet: str,
        account: GoogleAccount,
        *,
        clock: Clock,
        ids: IdGenerator,
        random: RandomSource,
        max_crashes: int = MAX_CRASHES,
        min_interval: float = 1.0,
        freshness: float = IDLE_PAUSE / 2,
        backoff: RetryPolicy = BACKOFF,
        api_url: str = "",
        transport: Callable[[], Any] | None = None,
        calls: Calls | None = None,
    ) -> None:
        """`spreadsheet` is its id; calls go out at least `min_interval` seconds apart, more with many workers.

        After a failure the next call waits as `backoff` says. `api_url` answers in place of Google; `transport` makes
        what carries requests, `calls` runs them (in a thread).
        """
        policy = PacingPolicy(base=min_interval, spread=min_interval / 2)
        pace = Pace(policy, clock=clock, random=random, backoff=backoff)
        self.batch_pause = min_interval
        self._connect = partial(
            SheetsClient,
            spreadsheet,
            account,
            clock=clock,
            pace=pace,
            api_url=api_url,
            transport=transport,
            calls=calls,
        )
        self._account, self._pace, self._ids = account, pace, ids
        self._client = self._connect()
        self._book = book = Book(self._client)
        sessions = Sessions(book, pace, clock=clock, random=random, freshness=freshness)
        sources = SheetsWorkQueue[Source](SourceKind(), book, sessions)
        tasks = SheetsWorkQueue[Task](TaskKind(), book, sessions)
        burial = Burial(book, sessions, (sources, tasks), max_crashes)
        steward = Steward(book, sessions, (sources, tasks), burial)
        leases = SheetsLeaseStore(book, sessions, steward)
        self.sources: WorkQueue[Source] = sources
        self.tasks: WorkQueue[Task] = tasks
        self.leases: LeaseStore = leases
        self.workers: WorkerRegistry = SheetsWorkerRegistry(book, sessions, leases, burial, ids)

    async def __aenter__(self) -> Self:
        await self._book.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    async def diagnose(self) -> Sequence[Finding]:
        try:
            return await Diagnosis(self._client, self._account, self._ids.new_id()).findings()
        finally:
            await self._client.close()

    async def try_assumptions(self) -> Sequence[Finding]:
        other = self._connect()
        try:
            async with Scratch(self._client, other, self._pace, self._ids.new_id()) as scratch:
                return await tried(scratch)
        finally:
            await self._client.close()
            await other.close()
