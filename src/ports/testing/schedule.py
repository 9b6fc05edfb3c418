"""The promises of `Schedule`, as tests. Bind them to a schedule of your own by overriding `schedule`."""

from datetime import UTC, datetime, timedelta

import pytest

from ports.time import Schedule

START = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


class ScheduleContract:
    """Every promise of `Schedule`. Override `schedule` with one that has a slot at least once a day."""

    @pytest.fixture
    def schedule(self) -> Schedule:
        raise NotImplementedError("override the `schedule` fixture")

    def test_the_next_slot_is_strictly_later_and_in_utc(self, schedule: Schedule) -> None:
        slot = schedule.next_after(START)
        assert slot > START
        assert slot.utcoffset() == timedelta(0)

    def test_slots_follow_one_another_and_none_comes_twice(self, schedule: Schedule) -> None:
        slots = [START]
        for _ in range(400):
            slots.append(schedule.next_after(slots[-1]))
        assert slots == sorted(set(slots))

    def test_a_moment_between_two_slots_leads_to_the_second(self, schedule: Schedule) -> None:
        first = schedule.next_after(START)
        second = schedule.next_after(first)
        assert schedule.next_after(first + (second - first) / 2) == second

    def test_the_zone_of_the_moment_makes_no_difference(self, schedule: Schedule) -> None:
        from datetime import timezone

        elsewhere = START.astimezone(timezone(timedelta(hours=-3)))
        assert schedule.next_after(elsewhere) == schedule.next_after(START)
