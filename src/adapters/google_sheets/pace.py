"""When the next call may go out, and what becomes of one that was refused or not answered."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import TypeVar

from adapters.google_sheets.failures import OverQuota, Unsure
from domain.jitter import Jitter
from domain.pacing import PacingPolicy
from domain.retry import RetryPolicy
from ports.errors import StoreQuotaExceeded
from ports.time import Clock, RandomSource

T = TypeVar("T")

TRIES = 4
"""How often a call is made before whoever waits for it is told that Google does not answer."""

READ_BURST = 10
"""Reads that may go out together after a pause: a person waits for them."""


TICK = 0.001
"""Seconds; to wait for less would be to wait for a clock's last digit."""


class Meter(StrEnum):
    """Google counts reads and writes apart."""

    READ = "read"
    WRITE = "write"


BACKOFF = RetryPolicy(min_backoff=1.0, max_backoff=60.0, jitter=Jitter.EQUAL)


class Pace:
    """Keeps calls of each meter apart by the policy's interval, and all of a meter back after a 429 or a failure."""

    def __init__(
        self, policy: PacingPolicy, *, clock: Clock, random: RandomSource, backoff: RetryPolicy = BACKOFF
    ) -> None:
        self.workers = 1
        self._policy = policy
        self._backoff = backoff
        self._clock = clock
        self._random = random
        self._free = dict.fromkeys(Meter, clock.monotonic())
        self._failures = dict.fromkeys(Meter, 0)
        self._turn = {meter: asyncio.Lock() for meter in Meter}

    async def wait(self, meter: Meter) -> None:
        """Return when a call may go out; the next one waits from then on."""
        async with self._turn[meter]:
            interval = self._policy.interval(self.workers, self._random.unit())
            burst = READ_BURST * interval if meter is Meter.READ else 0.0
            while (left := self._free[meter] - burst - self._clock.monotonic()) > 0:
                await self._clock.sleep(max(left, TICK))
            self._free[meter] = max(self._free[meter], self._clock.monotonic()) + interval

    def hold(self, meter: Meter, seconds: float) -> None:
        """Send nothing of `meter` for `seconds` (plus up to a tenth, so that workers do not come back at once)."""
        until = self._clock.monotonic() + Jitter.ADDED.apply(seconds, self._random.unit())
        if meter is Meter.READ:
            until += READ_BURST * self._policy.interval(self.workers, 0.0)
        self._free[meter] = max(self._free[meter], until)

    def failed(self, meter: Meter, asked: float | None = None) -> None:
        """A call failed: wait, longer each time, and as long as Google `asked` at least."""
        self._failures[meter] += 1
        backoff = self._backoff.jitter.apply(self._backoff.backoff(self._failures[meter]), self._random.unit())
        self.hold(meter, max(backoff, asked or 0))

    def succeeded(self, meter: Meter) -> None:
        self._failures[meter] = 0

    async def patiently(self, meter: Meter, call: Callable[[], Awaitable[T]]) -> T:
        """The result of `call()`, which may be repeated: Google is given some time to answer.

        Raises:
            StoreUnavailable, StoreQuotaExceeded: it did not, that often.
        """
        for attempt in range(1, TRIES + 1):
            await self.wait(meter)
            try:
                result = await call()
            except OverQuota as refusal:
                self.failed(meter, refusal.wait)
                if attempt == TRIES:
                    raise too_often(refusal) from refusal
            except Unsure as silence:
                self.failed(meter, silence.retry_after)
                if attempt == TRIES:
                    raise
            else:
                self.succeeded(meter)
                return result
        raise AssertionError("the last attempt has returned or raised")


def too_often(refusal: OverQuota) -> StoreQuotaExceeded:
    return StoreQuotaExceeded(f"Google is asked too often: {refusal}", retry_after=refusal.wait)
