"""Claims tasks, runs them in slots, and settles them in batches."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from app.events import Listener, SettlementRefused, TaskFinished, TaskStarted
from app.patience import Patience
from app.use_cases.run_task import RunTask
from app.workers.membership import Membership
from domain.claiming import claim_ahead
from domain.errors import LeaseLost
from domain.lifecycle import Completed, Failed
from domain.session import Session
from domain.work import Claim, Settlement, Task
from ports.coordination import WorkQueue
from ports.time import Clock

SMOOTHING = 0.2
SETTLING = 5.0
"""Seconds that the last settlements get on top of the grace."""


class TaskRunner:
    """Up to `slots` tasks at a time. What has finished is settled while the next are claimed, in one go each.

    Claims and settlements belong to the session they were made in: when that is lost, what waits to start is dropped
    (others have it by now) and what is running finishes unrecorded.
    """

    def __init__(
        self,
        queue: WorkQueue[Task],
        run_task: RunTask,
        membership: Membership,
        *,
        clock: Clock,
        patience: Patience,
        listener: Listener,
        slots: int,
        batch: int,
        linger: float = 0.0,
    ) -> None:
        """`linger` is for how many seconds what has finished may wait for more to finish."""
        self._queue = queue
        self._run_task = run_task
        self._membership = membership
        self._clock = clock
        self._patience = patience
        self._listener = listener
        self._slots = slots
        self._batch = batch
        self._linger = linger
        self._waiting: deque[tuple[Session, Claim[Task]]] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._finished: list[tuple[Session, Settlement[Task]]] = []
        self._mean: float | None = None
        self._changed = asyncio.Event()
        self._broken: BaseException | None = None
        self._stopped = False

    @property
    def busy(self) -> bool:
        """Whether this worker holds anything."""
        return bool(self._waiting or self._running or self._finished)

    @property
    def unsettled(self) -> bool:
        """Whether something has finished that the next step will settle."""
        return bool(self._finished)

    async def step(self, *, claim: bool = True) -> bool:
        """Settle what has finished, claim what there is room for, start what can start; True if anything moved.

        Raises:
            MutiraoError: a store that cannot be used. Nothing that is held is forgotten.
        """
        self._changed.clear()
        if self._broken is not None:
            raise self._broken  # a listener's mistake, say: better an end than a task that nobody works on
        room = self._room() if claim and not self._stopped and self._membership.trusted else 0
        session = self._membership.session
        finished, self._finished = self._finished, []
        settled, claims = await asyncio.gather(
            self._settle(finished), self._claim(session, room), return_exceptions=True
        )
        for result in (settled, claims):
            if isinstance(result, LeaseLost):
                await self._membership.replace(session)
            elif isinstance(result, BaseException):
                raise result
        if not isinstance(claims, BaseException):
            self._waiting.extend((session, claim) for claim in claims)
        started = self._start()
        return bool(finished or claims or started)

    async def wait(self, seconds: float) -> None:
        """Return when a task has finished since the last step began, or `stop` was called, or after `seconds`.

        With something to settle, that is when all that is held has finished, or the lingering is over.
        """
        waits = {
            asyncio.ensure_future(self._changed.wait()),
            asyncio.ensure_future(self._clock.sleep(seconds)),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if self._finished and self._linger and not self._stopped:
            await self._until(self._linger, lambda: set(self._running))

    def stop(self) -> None:
        """Claim and start nothing more, and end the wait. Idempotent."""
        self._stopped = True
        self._changed.set()

    async def drain(self, grace: float) -> None:
        """Give back what has not started, wait `grace` seconds at most for what has, and settle it.

        What still runs then is the session's to release, when it closes. A store that does not answer is given as
        long again, and no longer.
        """
        self._waiting.clear()
        await self._until(grace, lambda: set(self._running))
        for task in self._running:
            task.cancel()
        finished, self._finished = self._finished, []
        settling = asyncio.create_task(self._settle(finished))
        await self._until(grace + SETTLING, lambda: set() if settling.done() else {settling})
        settling.cancel()
        with suppress(LeaseLost, asyncio.CancelledError):
            await settling

    async def _until(self, seconds: float, unfinished: Callable[[], set[asyncio.Task[None]]]) -> None:
        """Wait until nothing is `unfinished`, `seconds` at most."""
        sleep = asyncio.ensure_future(self._clock.sleep(seconds))
        while (tasks := unfinished()) and not sleep.done():
            await asyncio.wait({sleep, *tasks}, return_when=asyncio.FIRST_COMPLETED)
        sleep.cancel()

    def _room(self) -> int:
        ahead = claim_ahead(slots=self._slots, batch=self._batch, mean_duration=self._mean)
        return max(0, ahead - len(self._waiting) - len(self._running))

    def _start(self) -> int:
        started = 0
        while self._waiting and len(self._running) < self._slots:
            if self._stopped or not self._membership.trusted:
                break
            session, claim = self._waiting.popleft()
            if session != self._membership.session:
                continue  # buried meanwhile: somebody else has it
            running = asyncio.create_task(self._run(session, claim), name=f"mutirao-task {claim.item.key}")
            self._running.add(running)
            running.add_done_callback(self._ended)
            started += 1
        return started

    def _ended(self, running: asyncio.Task[None]) -> None:
        self._running.discard(running)
        if not running.cancelled() and (failure := running.exception()) is not None:
            self._broken = failure
        self._start()
        self._changed.set()

    async def _run(self, session: Session, claim: Claim[Task]) -> None:
        self._listener(TaskStarted(claim.item, claim.attempt))
        began = self._clock.monotonic()
        settlement = await self._run_task(claim)
        seconds = self._clock.monotonic() - began
        self._mean = seconds if self._mean is None else self._mean + SMOOTHING * (seconds - self._mean)
        self._finished.append((session, settlement))
        self._listener(TaskFinished(claim.item, settlement.event, seconds))

    async def _claim(self, session: Session, room: int) -> list[Claim[Task]]:
        if not room:
            return []
        return list(await self._patience(lambda: self._queue.claim(session, room)))

    async def _settle(self, finished: list[tuple[Session, Settlement[Task]]]) -> None:
        session = self._membership.session
        ours = [settlement for held_in, settlement in finished if held_in == session]
        lost = [settlement.claim.item.key for held_in, settlement in finished if held_in != session]
        try:
            receipts = await self._patience(lambda: self._queue.settle(session, ours)) if ours else []
        except LeaseLost:
            lost += [settlement.claim.item.key for settlement in ours]
            raise
        finally:
            for key in lost:
                self._listener(SettlementRefused(key))
        for settlement, receipt in zip(ours, receipts, strict=True):
            if receipt.recorded:
                self._membership.count(
                    tasks=isinstance(settlement.event, Completed), failures=isinstance(settlement.event, Failed)
                )
            else:
                self._listener(SettlementRefused(receipt.key))
