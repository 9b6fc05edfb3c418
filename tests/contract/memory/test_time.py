"""The fakes of time, chance and names keep the contracts of `ports.time`."""

from collections.abc import Callable

import pytest

from adapters.memory.time import FixedRandom, ManualClock, SequentialIds
from ports.testing.time import ClockContract, IdGeneratorContract, RandomSourceContract
from ports.time import Clock, IdGenerator, RandomSource


class TestManualClock(ClockContract):
    @pytest.fixture
    def clock(self) -> Clock:
        return ManualClock()

    def let_pass(self, clock: ManualClock, seconds: float) -> None:
        clock.advance(seconds)


class TestFixedRandom(RandomSourceContract):
    uniform = False

    @pytest.fixture
    def random(self) -> RandomSource:
        return FixedRandom(0.25)


class TestSequentialIds(IdGeneratorContract):
    @pytest.fixture
    def start(self) -> Callable[[], IdGenerator]:
        shared = SequentialIds()
        return lambda: shared
