"""The promises of `Schedule`, as tests. Bind them to a schedule of your own::

class TestMySchedule(ScheduleContract):
    @pytest.fixture
    def backend(self):
        return ScheduleBackend(MySchedule("*/5 * * * *"), daily=lambda time, zone: MySchedule(time, zone))
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from attrs import frozen

from ports.time import Schedule

START = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
BERLIN, LORD_HOWE = ZoneInfo("Europe/Berlin"), ZoneInfo("Australia/Lord_Howe")


@frozen
class ScheduleBackend:
    """A `schedule` with a slot at least once a day, and how to make one with a slot a `daily` time ("02:30") of a zone.

    Where there is no local time, `daily` is None and its tests are skipped.
    """

    schedule: Schedule
    daily: Callable[[str, ZoneInfo], Schedule] | None = None


class ScheduleContract:
    """Every promise of `Schedule`. Override `backend`."""

    @pytest.fixture
    def backend(self) -> ScheduleBackend:
        raise NotImplementedError("override the `backend` fixture: return a ScheduleBackend")

    def test_the_next_slot_is_strictly_later_and_in_utc(self, backend: ScheduleBackend) -> None:
        slot = backend.schedule.next_after(START)
        assert slot > START
        assert slot.utcoffset() == timedelta(0)

    def test_slots_follow_one_another_and_none_comes_twice(self, backend: ScheduleBackend) -> None:
        slots = following(backend.schedule, START, 400)
        assert slots == sorted(set(slots))

    def test_a_moment_between_two_slots_leads_to_the_second(self, backend: ScheduleBackend) -> None:
        first, second = following(backend.schedule, START, 2)
        for moment in (first + timedelta(microseconds=1), first + (second - first) / 2, second - timedelta.resolution):
            assert backend.schedule.next_after(moment) == second

    def test_the_zone_of_the_moment_makes_no_difference(self, backend: ScheduleBackend) -> None:
        elsewhere = START.astimezone(timezone(timedelta(hours=-3)))
        assert backend.schedule.next_after(elsewhere) == backend.schedule.next_after(START)

    def test_a_slot_keeps_its_local_time_when_the_clocks_change(self, backend: ScheduleBackend) -> None:
        noon = daily(backend, "12:00", BERLIN)
        slots = following(noon, datetime(2026, 1, 1, tzinfo=UTC), 365)
        assert {slot.astimezone(BERLIN).strftime("%H:%M") for slot in slots} == {"12:00"}
        assert {slot.hour for slot in slots} == {10, 11}

    def test_a_slot_comes_once_though_clocks_going_back_show_it_twice(self, backend: ScheduleBackend) -> None:
        # Berlin sees 02:00 to 03:00 twice on 25 October
        slots = following(daily(backend, "02:30", BERLIN), datetime(2026, 10, 24, 12, tzinfo=UTC), 2)
        assert slots == [datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 26, 1, 30, tzinfo=UTC)]

    def test_no_slot_comes_in_the_hour_that_is_repeated(self, backend: ScheduleBackend) -> None:
        schedule = daily(backend, "02:30", BERLIN)
        for minute in range(60):
            again = datetime(2026, 10, 25, 1, minute, tzinfo=UTC)
            assert schedule.next_after(again) == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)

    def test_a_slot_that_is_skipped_comes_when_the_gap_ends(self, backend: ScheduleBackend) -> None:
        # Berlin has no 02:00 to 03:00 on 29 March
        slots = following(daily(backend, "02:30", BERLIN), datetime(2026, 3, 28, 12, tzinfo=UTC), 2)
        assert slots == [datetime(2026, 3, 29, 1, tzinfo=UTC), datetime(2026, 3, 30, 0, 30, tzinfo=UTC)]

    def test_clocks_may_change_by_half_an_hour(self, backend: ScheduleBackend) -> None:
        slots = following(daily(backend, "01:45", LORD_HOWE), datetime(2026, 4, 4, 0, tzinfo=UTC), 2)
        assert slots == [datetime(2026, 4, 4, 14, 45, tzinfo=UTC), datetime(2026, 4, 5, 15, 15, tzinfo=UTC)]

    def test_every_day_of_a_decade_has_its_slot(self, backend: ScheduleBackend) -> None:
        slots = following(daily(backend, "02:30", BERLIN), datetime(2019, 12, 31, 12, tzinfo=UTC), 3653)
        days = [slot.astimezone(BERLIN).date() for slot in slots]
        assert len(set(days)) == 3653
        assert days[-1].isoformat() == "2029-12-31"


def following(schedule: Schedule, moment: datetime, count: int) -> list[datetime]:
    """The next `count` slots after `moment`."""
    slots: list[datetime] = []
    for _ in range(count):
        slots.append(schedule.next_after(slots[-1] if slots else moment))
    return slots


def daily(backend: ScheduleBackend, time: str, zone: ZoneInfo) -> Schedule:
    if backend.daily is None:
        pytest.skip("this schedule knows no local time")
    return backend.daily(time, zone)
