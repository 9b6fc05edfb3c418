"""The machine's own clock, chance and names."""

import asyncio
import base64
import os
import random
import time
from datetime import UTC, datetime

from ports.time import Clock, IdGenerator, RandomSource


class SystemClock(Clock):
    """The machine's time of day and its monotonic clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        due = time.monotonic() + seconds
        await asyncio.sleep(max(0.0, seconds))
        # a loop's timer may fire early by as much as its clock's resolution (16 ms on Windows)
        while (left := due - time.monotonic()) > 0:  # noqa: ASYNC110 - it is time itself that is waited for
            await asyncio.sleep(left)


class SystemRandom(RandomSource):
    """Python's generator, seeded by the system."""

    def unit(self) -> float:
        return random.random()  # noqa: S311 - spreads load, keeps no secret


class SystemIds(IdGenerator):
    """A letter and 16 of base 32: 80 bits of the system's entropy."""

    def new_id(self) -> str:
        return "w" + base64.b32encode(os.urandom(10)).decode().lower()
