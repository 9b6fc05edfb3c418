"""The in-memory broker, dispatcher and schedule keep their contracts."""

from datetime import timedelta

import pytest

from adapters.memory.broker import MemoryBroker
from adapters.memory.http import MemoryHttpDispatcher
from adapters.memory.schedule import IntervalSchedule
from adapters.memory.time import ManualClock
from domain.push import DispatchResult, HttpRequest
from ports.testing.broker import BrokerBackend, BrokerContract
from ports.testing.http import DispatcherBackend, HttpDispatcherContract
from ports.testing.schedule import ScheduleContract
from ports.time import Schedule


class TestMemoryBroker(BrokerContract):
    @pytest.fixture
    def backend(self) -> BrokerBackend:
        clock = ManualClock()
        broker = MemoryBroker(clock=clock)
        return BrokerBackend(lambda: broker, clock)


def answer(request: HttpRequest) -> DispatchResult:
    word = request.url.rpartition("/")[2]
    return DispatchResult(elapsed=5.0, status=200) if word == "slow" else DispatchResult(elapsed=0.0, status=int(word))


class TestMemoryHttpDispatcher(HttpDispatcherContract):
    @pytest.fixture
    def backend(self) -> DispatcherBackend:
        return DispatcherBackend(
            lambda: MemoryHttpDispatcher(answer),
            lambda code: f"https://x.example/{code}",
            slow="https://x.example/slow",
        )


class TestIntervalSchedule(ScheduleContract):
    @pytest.fixture
    def schedule(self) -> Schedule:
        return IntervalSchedule(timedelta(minutes=7))
