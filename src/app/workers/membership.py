"""A worker's standing among the others: one session at a time, kept alive by heartbeats."""

import asyncio
from types import TracebackType
from typing import Self

from attrs import evolve

from app.events import Listener, SessionLost, SessionOpened, SessionsBuried, StoreTrouble
from app.patience import Patience
from domain.errors import LeaseLost
from domain.session import Session, Worker, WorkerStats
from ports.coordination import WorkerRegistry
from ports.errors import PortError
from ports.time import Clock

GOODBYE = 5.0
"""Seconds that a store gets for each last word: one that is frozen says neither yes nor no."""


class Membership:
    """Opens a session, beats for it, buries the dead, and opens a new one when others have buried this one.

    An async context manager: leaving it closes the session, which releases all that it held. Heartbeats run on the
    loop, so they go on while handlers block their own threads.
    """

    def __init__(
        self,
        workers: WorkerRegistry,
        worker: Worker,
        *,
        clock: Clock,
        patience: Patience,
        listener: Listener,
        ttl: float,
        interval: float,
    ) -> None:
        self._workers = workers
        self._worker = worker
        self._clock = clock
        self._patience = patience
        self._listener = listener
        self._ttl = ttl
        self._interval = interval
        self._session: Session | None = None
        self._stats = WorkerStats()
        self._last_success = clock.monotonic()
        self._keeper: asyncio.Task[None] | None = None
        self._replacing = asyncio.Lock()

    @property
    def session(self) -> Session:
        """The session of this moment. It changes when others took this worker for dead."""
        if self._keeper is not None and self._keeper.done():
            self._keeper.result()  # a heart that stopped is an error, not a silence
        if self._session is None:
            raise LeaseLost("this worker is not in the store: open it first")
        return self._session

    @property
    def trusted(self) -> bool:
        """Whether others can still believe this worker alive: False fences it off from starting anything new."""
        return self._clock.monotonic() - self._last_success < self._ttl / 2

    @property
    def stats(self) -> WorkerStats:
        return self._stats

    def count(self, *, tasks: int = 0, sources: int = 0, failures: int = 0) -> None:
        """Add to what this worker has done; told to the store with the next heartbeat."""
        now = self._stats
        self._stats = evolve(
            now, tasks=now.tasks + tasks, sources=now.sources + sources, failures=now.failures + failures
        )

    async def __aenter__(self) -> Self:
        await self._open()
        self._keeper = asyncio.create_task(self._keep(), name="mutirao-heartbeat")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait([self._keeper])
        if self._session is not None:
            session, self._session = self._session, None
            try:
                async with asyncio.timeout(GOODBYE):
                    await self._workers.beat(session, self._stats)
                    await self._workers.close(session)
            except (LeaseLost, PortError, TimeoutError) as trouble:
                # the others bury it after the TTL; a store that is away must not keep a process from ending
                self._listener(StoreTrouble(f"could not say goodbye: {str(trouble) or 'no answer'}", 0))

    async def beat(self) -> None:
        """Send one heartbeat now, and bury whoever has gone silent.

        Raises:
            PortError: the store did not answer.
        """
        session = self.session
        try:
            await self._workers.beat(session, self._stats)
        except LeaseLost:
            await self.replace(session)
            return
        self._last_success = self._clock.monotonic()
        buried = await self._workers.bury(self._ttl)
        if buried:
            self._listener(SessionsBuried(tuple(buried)))

    async def replace(self, lost: Session) -> None:
        """Open a new session in place of `lost`, unless that has been done already."""
        async with self._replacing:  # several loops may notice at once
            if self._session == lost:
                self._listener(SessionLost(lost))
                await self._open()

    async def _open(self) -> None:
        self._session = await self._patience(lambda: self._workers.open(self._worker))
        self._last_success = self._clock.monotonic()
        self._listener(SessionOpened(self._session))

    async def _keep(self) -> None:
        while True:
            await self._clock.sleep(self._interval)
            try:
                await self.beat()
            except PortError as error:
                self._listener(StoreTrouble(str(error), self._interval))
