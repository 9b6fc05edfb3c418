"""Waiting between attempts to reach the broker: exponential, with full jitter, so that all do not return at once."""

from domain.jitter import Jitter
from ports.time import Clock, RandomSource

FIRST = 0.2
LONGEST = 5.0


class Backoff:
    """Seconds from [0, `FIRST`), then twice as many each time, up to `LONGEST`."""

    def __init__(self, clock: Clock, random: RandomSource) -> None:
        self._clock = clock
        self._random = random
        self._longest = FIRST

    async def wait(self) -> None:
        await self._clock.sleep(Jitter.FULL.apply(self._longest, self._random.unit()))
        self._longest = min(LONGEST, self._longest * 2)

    def reset(self) -> None:
        self._longest = FIRST
