"""Crontab schedules keep the contract of schedules, and refuse what never comes."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.cron.schedule import CronSchedule
from ports.errors import ConfigurationError
from ports.testing.schedule import ScheduleBackend, ScheduleContract, following


def daily(time: str, zone: ZoneInfo) -> CronSchedule:
    hour, minute = time.split(":")
    return CronSchedule(f"{minute} {hour} * * *", zone.key)


class TestCronSchedule(ScheduleContract):
    @pytest.fixture(params=[("*/7 * * * *", "UTC"), ("30 2,3 * * *", "Europe/Berlin"), ("@hourly", "Asia/Kolkata")])
    def backend(self, request: pytest.FixtureRequest) -> ScheduleBackend:
        return ScheduleBackend(CronSchedule(*request.param), daily)


def slots(expression: str, count: int, zone: str = "UTC", start: str = "2026-01-01T00:00+00:00") -> list[str]:
    moments = following(CronSchedule(expression, zone), datetime.fromisoformat(start), count)
    return [moment.strftime("%Y-%m-%dT%H:%M") for moment in moments]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("*/20 * * * *", ["2026-01-01T00:20", "2026-01-01T00:40", "2026-01-01T01:00"]),
        ("5/30 * * * *", ["2026-01-01T00:05", "2026-01-01T00:35", "2026-01-01T01:05"]),
        ("0 9-17/4 * * mon-fri", ["2026-01-01T09:00", "2026-01-01T13:00", "2026-01-01T17:00"]),
        ("0 0 * * 7-7", ["2026-01-04T00:00", "2026-01-11T00:00", "2026-01-18T00:00"]),
        ("0 0 * * 7", ["2026-01-04T00:00", "2026-01-11T00:00", "2026-01-18T00:00"]),
        ("0 0 31 * *", ["2026-01-31T00:00", "2026-03-31T00:00", "2026-05-31T00:00"]),
        ("0 0 29 2 *", ["2028-02-29T00:00", "2032-02-29T00:00", "2036-02-29T00:00"]),
        ("0 0 13 * fri", ["2026-01-02T00:00", "2026-01-09T00:00", "2026-01-13T00:00"]),
        ("@monthly", ["2026-02-01T00:00", "2026-03-01T00:00", "2026-04-01T00:00"]),
    ],
)
def test_slots_are_crontabs(expression: str, expected: list[str]) -> None:
    assert slots(expression, 3) == expected


def test_utc_is_the_default_and_knows_no_change_of_clocks() -> None:
    assert slots("30 2 * * *", 2, start="2026-10-24T12:00+00:00") == ["2026-10-25T02:30", "2026-10-26T02:30"]


def test_slots_that_share_a_gap_come_once_together() -> None:
    berlin = slots("0,20,40 2,3 * * *", 4, "Europe/Berlin", "2026-03-29T00:30+00:00")
    assert berlin == ["2026-03-29T01:00", "2026-03-29T01:20", "2026-03-29T01:40", "2026-03-30T00:00"]


@given(
    st.sampled_from(["30 1 * * *", "*/15 * * * *", "0 2,3 * * *", "59 23 * * *", "0 0 * * sun"]),
    st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "America/Santiago"]),
    st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - bounds are naive
)
def test_no_local_time_comes_twice_however_the_clocks_change(expression: str, zone: str, start: datetime) -> None:
    moments = following(CronSchedule(expression, zone), start, 200)
    local = [moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) for moment in moments]
    assert local == sorted(set(local))


@pytest.mark.parametrize("expression", ["*/61 * * * *", "0 0 31 2 *", "* * * *", "* * * * * *", "@reboot", "", "soon"])
def test_what_never_comes_is_refused_when_it_is_written(expression: str) -> None:
    with pytest.raises(ConfigurationError, match="crontab"):
        CronSchedule(expression)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "/etc/localtime"])
def test_an_unknown_zone_is_refused(zone: str) -> None:
    with pytest.raises(ConfigurationError, match="time zone"):
        CronSchedule("* * * * *", zone)
