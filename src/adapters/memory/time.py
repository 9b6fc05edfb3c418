"""Time, chance and names that a test holds in its hand."""

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from itertools import count

from ports.time import Clock, IdGenerator, RandomSource


class ManualClock(Clock):
    """Time that passes only in `advance`, which wakes sleepers in the order in which they are due."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)) -> None:
        """Begin at `start` (aware)."""
        self._start = start.astimezone(UTC)
        self._elapsed = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        return self._elapsed

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)  # noqa: TID251 - only lets others run
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._in(seconds), next(self._order), future))
        await future

    def advance(self, seconds: float) -> None:
        """Let `seconds` (0 or more) pass. Sleepers whose time has come go on when their loop next runs.

        May be called from any thread.
        """
        if seconds < 0:
            raise ValueError(f"time does not go back by {-seconds:g} s")
        self._elapsed = self._in(seconds)
        while self._sleepers and self._sleepers[0][0] <= self._elapsed:
            _, _, future = heapq.heappop(self._sleepers)
            if not future.done():
                future.get_loop().call_soon_threadsafe(_wake, future)

    def skip(self) -> bool:
        """Let as much time pass as whoever wakes first still sleeps; False when nobody does."""
        if not self._sleepers:
            return False
        self.advance(max(0.0, self._sleepers[0][0] - self._elapsed))
        return True

    def _in(self, seconds: float) -> float:
        # to the nanosecond, so that 0.1 + 0.2 meets a sleeper who is due at 0.3
        return round(self._elapsed + seconds, 9)


def _wake(sleeper: asyncio.Future[None]) -> None:
    if not sleeper.done():
        sleeper.set_result(None)


class FixedRandom(RandomSource):
    """Draws the same `value` (in [0, 1)) each time."""

    def __init__(self, value: float = 0.5) -> None:
        if not 0 <= value < 1:
            raise ValueError(f"a draw is in [0, 1), not {value}")
        self._value = value

    def unit(self) -> float:
        return self._value


class SequentialIds(IdGenerator):
    """a000000001, a000000002, … Whoever must not get the same shares one generator."""

    def __init__(self) -> None:
        self._count = count(1)

    def new_id(self) -> str:
        return f"a{next(self._count):09d}"
