"""When one more request may be sent: by the rate limit, by what the target can take, by what a task asks for."""

import asyncio
from collections import Counter

from app.push_events import PushListener, QueueSlowedDown
from domain.outcome import DispatchResult
from domain.push_task import PushTask
from domain.rate_limit import RateLimit, TokenBucket
from domain.retry_after import retry_after
from domain.slow_down import Pace
from ports.time import Clock


class Throttle:
    """Whoever sends asks `admit` first, one at a time, and says `finished` afterwards.

    A task's own `max_requests` is kept while it is under way: no more requests at once than the least that any of them
    asks for. It cannot raise the worker's `slots`.
    """

    def __init__(
        self, *, queue: str, slots: int, clock: Clock, listener: PushListener, rate: RateLimit | None = None
    ) -> None:
        self._queue = queue
        self._clock = clock
        self._listener = listener
        self._pace = Pace(slots)
        self._rate = rate
        self._bucket = TokenBucket.full(rate, clock.monotonic()) if rate else None
        self._in_flight = 0
        self._limits: Counter[int] = Counter()
        self._ended = asyncio.Event()

    @property
    def in_flight(self) -> int:
        return self._in_flight

    async def admit(self, task: PushTask) -> None:
        """Return when `task` may be sent; it counts as under way until it is `finished`."""
        await self._until_there_is_room(task)
        if self._rate is not None and self._bucket is not None:
            self._bucket, pause = self._bucket.take(self._rate, self._clock.monotonic())
            if pause:
                await self._clock.sleep(pause)
                await self._until_there_is_room(task)
        self._in_flight += 1
        if task.max_requests is not None:
            self._limits[task.max_requests] += 1

    def finished(self, task: PushTask, result: DispatchResult | None, sent_at: float) -> None:
        """`task`, sent at `sent_at` (monotonic seconds), is under way no more; no `result` where it was cut off."""
        self._in_flight -= 1
        if task.max_requests is not None:
            self._limits -= Counter([task.max_requests])  # forgets those that come to none
        if result is not None:
            if result.pushes_back:
                self._slow_down(result, sent_at)
            else:
                self._pace = self._pace.answered()
        self._ended.set()

    async def _until_there_is_room(self, task: PushTask) -> None:
        while (pause := self._pause(task)) != 0:
            if pause is None:
                self._ended.clear()
                await self._ended.wait()
            else:
                await self._clock.sleep(pause)

    def _pause(self, task: PushTask) -> float | None:
        limit = task.max_requests
        if self._limits:
            limit = min(limit or self._in_flight + 1, *self._limits)
        if limit is not None and self._in_flight >= limit:
            return None
        return self._pace.wait(self._in_flight, self._clock.monotonic())

    def _slow_down(self, result: DispatchResult, sent_at: float) -> None:
        now, today = self._clock.monotonic(), self._clock.now()
        until = retry_after(result.retry_after, today)
        asked = (until - today).total_seconds() if until else 0.0
        before = self._pace
        self._pace = before.pushed_back(sent_at=sent_at, now=now, asked=asked)
        if self._pace is not before:
            self._listener(QueueSlowedDown(self._queue, int(self._pace.allowed), max(0.0, self._pace.resumes_at - now)))
