"""The machine's clock, chance and names keep the contracts of `ports.time`."""

from collections.abc import Callable

import pytest

from adapters.system.time import SystemClock, SystemIds, SystemRandom
from ports.testing.time import ClockContract, IdGeneratorContract, RandomSourceContract
from ports.time import Clock, IdGenerator, RandomSource


class TestSystemClock(ClockContract):
    @pytest.fixture
    def clock(self) -> Clock:
        return SystemClock()


class TestSystemRandom(RandomSourceContract):
    @pytest.fixture
    def random(self) -> RandomSource:
        return SystemRandom()


class TestSystemIds(IdGeneratorContract):
    @pytest.fixture
    def start(self) -> Callable[[], IdGenerator]:
        return SystemIds
