"""The push worker: takes tasks from the broker, sends their requests, and says what became of each."""

import asyncio
import logging
from contextlib import suppress

from app.push_events import BrokerTrouble, PushEvent, PushFinished, PushListener, PushReleased, PushWorkerStarted
from app.use_cases.attempt_push import AttemptPush
from app.workers.push_throttle import Throttle
from domain.lifecycle import Completed, Failed, Retried
from domain.outcome import DispatchResult, Verdict
from domain.rate_limit import RateLimit
from domain.retry import UNLIMITED, RetryPolicy
from ports.broker import Broker, Delivery
from ports.errors import PortError
from ports.time import Clock

log = logging.getLogger("mutirao")

SETTLING = 5.0
"""Seconds that what has an answer gets on top of the grace period, to be recorded."""
IDLE = 0.5
"""Seconds between looks at whether there is nothing left."""
_BROKEN = RetryPolicy(max_attempts=UNLIMITED, min_backoff=0.5, max_backoff=30)


class PushWorker:
    """Sends up to `slots` requests at a time, each in a slot that lives as long as the worker.

    A slot takes the next delivery when it is free, and only one waits for it at a time. What is prefetched beyond
    the slots hides the broker's latency. `drain` ends the worker when nothing is left that is due. Runs once.
    """

    def __init__(
        self,
        broker: Broker,
        attempt: AttemptPush,
        *,
        queue: str,
        slots: int,
        clock: Clock,
        listener: PushListener,
        rate: RateLimit | None = None,
        grace: float = 30.0,
        drain: bool = False,
    ) -> None:
        self._broker = broker
        self._attempt = attempt
        self._queue = queue
        self._slots = slots
        self._clock = clock
        self._listener = listener
        self._grace = grace
        self._drain = drain
        self._throttle = Throttle(queue=queue, slots=slots, clock=clock, listener=self._tell, rate=rate)
        self._deliveries = broker.consume(queue, 2 * slots)
        self._turn = asyncio.Lock()
        self._taking: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._ended = False
        self._taken = 0

    def stop(self) -> None:
        """Stop in good order: take nothing more, let what is under way finish within the grace period. Idempotent."""
        self._stopping.set()
        if self._taking is not None:
            self._taking.cancel()

    async def run(self) -> None:
        """Work until stopped, or drained. An outage of the broker is waited out."""
        self._tell(PushWorkerStarted(self._queue, self._slots))
        slots = {asyncio.create_task(self._work(), name=f"mutirao-push-{n}") for n in range(self._slots)}
        stopping = asyncio.create_task(self._stopping.wait())
        watching = asyncio.create_task(self._watch()) if self._drain else None
        try:
            await asyncio.wait({*slots, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.stop()
            for task in (stopping, watching):
                if task is not None:
                    task.cancel()
            await self._wind_down(slots)

    async def _wind_down(self, slots: set[asyncio.Task[None]]) -> None:
        try:
            async with self._turn:  # whoever waited for a delivery has gone
                await self._deliveries.aclose()
            await self._until_done(slots, self._grace)
            for slot in self._sending:
                slot.cancel()
            await self._until_done(slots, SETTLING)
        finally:
            for slot in slots:
                slot.cancel()
            await asyncio.wait(slots)

    async def _until_done(self, slots: set[asyncio.Task[None]], seconds: float) -> None:
        sleep = asyncio.ensure_future(self._clock.sleep(seconds))
        while (left := {slot for slot in slots if not slot.done()}) and not sleep.done():
            await asyncio.wait({sleep, *left}, return_when=asyncio.FIRST_COMPLETED)
        sleep.cancel()

    async def _work(self) -> None:
        """One slot."""
        this = asyncio.current_task()
        assert this is not None  # noqa: S101 - a slot is always a task
        while True:
            delivery = await self._next(this)
            if delivery is None:
                return
            try:
                await self._deal_with(delivery, this)
            except Exception:
                # no task costs a slot; its message is still the broker's, and comes back with the connection
                log.exception("%s: a mistake of ours in dealing with the task %s", self._queue, delivery.task.id)
                with suppress(Exception):
                    await delivery.release()

    async def _next(self, this: "asyncio.Task[None]") -> Delivery | None:
        """The next delivery, when it may be sent; None when there is none to come."""
        async with self._turn:
            if self._stopping.is_set() or self._ended:
                return None
            self._taking = this
            try:
                delivery = await self._take()
                if delivery is not None:
                    await self._admit(delivery)
            except asyncio.CancelledError:
                if not self._stopping.is_set():
                    raise
                this.uncancel()
                return None
            finally:
                self._taking = None
        return delivery

    async def _take(self) -> Delivery | None:
        failures = 0
        while True:
            try:
                return await anext(self._deliveries)
            except StopAsyncIteration:  # the broker was closed
                self._ended = True
                return None
            except Exception as error:
                failures += 1
                pause = _BROKEN.backoff(failures)
                if not isinstance(error, PortError):
                    log.exception("%s: a mistake of ours in consuming", self._queue)
                self._tell(BrokerTrouble(self._queue, str(error), pause))
                await self._clock.sleep(pause)
                self._deliveries = self._broker.consume(self._queue, 2 * self._slots)

    async def _admit(self, delivery: Delivery) -> None:
        try:
            await self._throttle.admit(delivery.task)
        except asyncio.CancelledError:
            await delivery.release()
            raise

    async def _deal_with(self, delivery: Delivery, this: "asyncio.Task[None]") -> None:
        task = delivery.task
        self._taken += 1
        result: DispatchResult | None = None
        sent_at = self._clock.monotonic()
        self._sending.add(this)
        try:
            result, verdict = await self._attempt(task)
        except asyncio.CancelledError:
            await delivery.release()
            self._tell(PushReleased(self._queue, task))
            raise
        finally:
            self._sending.discard(this)
            self._throttle.finished(task, result, sent_at)
        recorded = await _settle(delivery, verdict)
        self._tell(PushFinished(self._queue, task, result, verdict.event, recorded))

    async def _watch(self) -> None:
        """Stop when nothing has come for a while, nothing is under way, and nothing waits."""
        taken = -1
        while True:
            idle = taken == self._taken and not self._throttle.in_flight
            if idle and await self._nothing_waits():
                self.stop()
                return
            taken = self._taken
            await self._clock.sleep(IDLE)

    async def _nothing_waits(self) -> bool:
        try:
            depth = await self._broker.depth(self._queue)
        except PortError:
            return False
        return not depth.due and not depth.delayed

    def _tell(self, event: PushEvent) -> None:
        try:
            self._listener(event)
        except Exception:
            log.exception("%s: a listener's mistake", self._queue)


async def _settle(delivery: Delivery, verdict: Verdict) -> bool:
    match verdict.event:
        case Completed():
            return await delivery.ack()
        case Retried(_, at):
            return await delivery.retry(at, verdict.attempts)
        case Failed(reason):
            return await delivery.dead_letter(reason, verdict.attempts)
