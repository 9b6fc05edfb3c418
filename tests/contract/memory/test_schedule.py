"""A schedule of equal intervals keeps the contract of schedules."""

from datetime import timedelta

import pytest

from adapters.memory.schedule import IntervalSchedule
from ports.testing.schedule import ScheduleBackend, ScheduleContract


class TestIntervalSchedule(ScheduleContract):
    @pytest.fixture
    def backend(self) -> ScheduleBackend:
        return ScheduleBackend(IntervalSchedule(timedelta(minutes=7)))
