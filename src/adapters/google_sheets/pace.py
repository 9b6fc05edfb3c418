"""When the next call may go out."""

import asyncio
from enum import StrEnum

from domain.jitter import Jitter
from domain.pacing import PacingPolicy
from domain.retry import RetryPolicy
from ports.time import Clock, RandomSource


class Meter(StrEnum):
    """Google counts reads and writes apart."""

    READ = "read"
    WRITE = "write"


BACKOFF = RetryPolicy(min_backoff=1.0, max_backoff=60.0, jitter=Jitter.EQUAL)


class Pace:
    """Keeps calls of each meter apart by the policy's interval, and all of a meter back after a 429 or a failure."""

    def __init__(self, policy: PacingPolicy, *, clock: Clock, random: RandomSource) -> None:
        self.workers = 1
        self._policy = policy
        self._clock = clock
        self._random = random
        self._free = dict.fromkeys(Meter, clock.monotonic())
        self._failures = 0
        self._turn = {meter: asyncio.Lock() for meter in Meter}

    async def wait(self, meter: Meter) -> None:
        """Return when a call may go out; the next one waits from then on."""
        async with self._turn[meter]:
            while (left := self._free[meter] - self._clock.monotonic()) > 0:
                await self._clock.sleep(left)
            interval = self._policy.interval(self.workers, self._random.unit())
            self._free[meter] = self._clock.monotonic() + interval

    def hold(self, meter: Meter, seconds: float) -> None:
        """Send nothing of `meter` for `seconds` (plus up to a tenth, so that workers do not come back at once)."""
        until = self._clock.monotonic() + Jitter.ADDED.apply(seconds, self._random.unit())
        self._free[meter] = max(self._free[meter], until)

    def failed(self, meter: Meter, asked: float | None = None) -> None:
        """A call failed: wait, longer each time, and as long as Google `asked` at least."""
        self._failures += 1
        backoff = BACKOFF.jitter.apply(BACKOFF.backoff(self._failures), self._random.unit())
        self.hold(meter, max(backoff, asked or 0))

    def succeeded(self) -> None:
        self._failures = 0
