"""The promises of `ports.time`, as tests. Bind them to a clock, a source of chance or of names of your own::

class TestMyClock(ClockContract):
    @pytest.fixture
    def clock(self):
        return MyClock()

class TestMyIds(IdGeneratorContract):
    @pytest.fixture
    def start(self):
        return MyIds
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import ClassVar

import pytest

from ports.testing.scenario import scenario
from ports.time import Clock, IdGenerator, RandomSource

MOMENT = 0.01


class ClockContract:
    """Override `clock`, and `let_pass` where time passes only when it is told to."""

    @pytest.fixture
    def clock(self) -> Clock:
        raise NotImplementedError("override the `clock` fixture: return the Clock to be tested")

    def let_pass(self, clock: Clock, seconds: float) -> None:
        """Let `seconds` pass for whoever sleeps. A real clock does so by itself."""

    def test_now_is_aware_and_in_utc(self, clock: Clock) -> None:
        assert clock.now().utcoffset() == timedelta(0)

    @scenario
    async def test_monotonic_never_goes_back(self, clock: Clock) -> None:
        readings = []
        for _ in range(100):
            readings.append(clock.monotonic())
            self.let_pass(clock, MOMENT)
        assert readings == sorted(readings)

    @scenario
    async def test_sleep_returns_after_so_many_seconds_or_more(self, clock: Clock) -> None:
        due = clock.monotonic() + MOMENT
        await self._sleep(clock, MOMENT)
        assert clock.monotonic() >= due

    @scenario
    async def test_the_time_of_day_passes_with_a_sleep(self, clock: Clock) -> None:
        before = clock.now()
        await self._sleep(clock, MOMENT)
        assert clock.now() > before

    @scenario
    async def test_sleepers_wake_in_the_order_in_which_they_are_due(self, clock: Clock) -> None:
        woken: list[int] = []

        async def sleeper(moments: int) -> None:
            await clock.sleep(moments * MOMENT)
            woken.append(moments)

        sleepers = [asyncio.create_task(sleeper(moments)) for moments in (5, 1, 3)]
        await clock.sleep(0)
        self.let_pass(clock, 5 * MOMENT)
        await asyncio.gather(*sleepers)
        assert woken == [1, 3, 5]

    @scenario
    async def test_a_sleeper_that_is_cancelled_disturbs_no_other(self, clock: Clock) -> None:
        cancelled, other = (asyncio.create_task(clock.sleep(MOMENT)) for _ in range(2))
        await clock.sleep(0)
        cancelled.cancel()
        self.let_pass(clock, MOMENT)
        await other
        with pytest.raises(asyncio.CancelledError):
            await cancelled

    @pytest.mark.parametrize("seconds", [0, -1])
    @scenario
    async def test_sleeping_for_nothing_only_lets_others_run(self, clock: Clock, seconds: float) -> None:
        ran = asyncio.Event()
        asyncio.get_running_loop().call_soon(ran.set)
        await clock.sleep(seconds)
        assert ran.is_set()

    async def _sleep(self, clock: Clock, seconds: float) -> None:
        sleeper = asyncio.create_task(clock.sleep(seconds))
        await clock.sleep(0)
        self.let_pass(clock, seconds)
        await sleeper


class RandomSourceContract:
    """Override `random`. A fake that repeats itself says `uniform = False`."""

    uniform: ClassVar[bool] = True

    @pytest.fixture
    def random(self) -> RandomSource:
        raise NotImplementedError("override the `random` fixture: return the RandomSource to be tested")

    def test_each_draw_is_at_least_0_and_below_1(self, random: RandomSource) -> None:
        assert all(0 <= random.unit() < 1 for _ in range(10_000))

    def test_draws_are_spread_evenly(self, random: RandomSource) -> None:
        if not self.uniform:
            pytest.skip("this source does not claim to be uniform")
        tenths = Counter(int(random.unit() * 10) for _ in range(10_000))
        # each tenth has 1,000 ± 30 draws: a right source fails this once in some billion runs
        assert all(800 < tenths[tenth] < 1_200 for tenth in range(10))


class IdGeneratorContract:
    """Override `start`: each call gives the generator that one more process would have."""

    @pytest.fixture
    def start(self) -> Callable[[], IdGenerator]:
        raise NotImplementedError("override the `start` fixture: return what makes an IdGenerator")

    def test_a_name_is_a_letter_and_nine_or_more_lower_case_letters_and_digits(
        self, start: Callable[[], IdGenerator]
    ) -> None:
        ids = start()
        assert all(re.fullmatch(r"[a-z][a-z0-9]{9,}", ids.new_id()) for _ in range(1_000))

    def test_no_name_is_given_twice(self, start: Callable[[], IdGenerator]) -> None:
        ids = start()
        names = [ids.new_id() for _ in range(10_000)]
        assert len(set(names)) == len(names)

    def test_two_processes_are_given_different_names(self, start: Callable[[], IdGenerator]) -> None:
        one, other = start(), start()
        assert {one.new_id() for _ in range(1_000)}.isdisjoint(other.new_id() for _ in range(1_000))
