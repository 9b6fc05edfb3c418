"""Which crontab expressions are good, and when a slot of local time comes."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cron import checked, instant_of

local = datetime.fromisoformat

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = st.sampled_from(
    ["Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kolkata"]
)
SLOTS = st.datetimes(local("2010-01-01T00:00"), local("2030-01-01T00:00")).map(
    lambda at: at.replace(second=0, microsecond=0)
)


@pytest.mark.parametrize(
    ("expression", "spelt_out"),
    [
        ("* * * * *", "* * * * *"),
        ("*/20 */12 */10 */6 */3", "0,20,40 0,12 1,11,21,31 1,7 0,3,6"),
        ("*/60 */24 */31 */12 */7", "0 0 1 1 0"),
        ("0,30 8-18/5 1,15 jan-mar mon-fri", "0,30 8,13,18 1,15 1,2,3 1,2,3,4,5"),
        ("59 23 31 12 7", "59 23 31 12 0"),
        ("0 0 * * 7-7", "0 0 * * 0"),
        ("0 0 * * 5-7,5", "0 0 * * 0,5,6"),
        ("5/20 * * * *", "5,25,45 * * * *"),
        ("*/1 *,5 * * *", "* * * * *"),
        ("0 0 29 2 *", "0 0 29 2 *"),
        ("0 0 31 1-3 *", "0 0 31 1,2,3 *"),
        ("0 0 31 2 1", "0 0 31 2 1"),
        ("0 0 30,28 2 *", "0 0 28,30 2 *"),
        ("  0\t0 *  JAN  Mon ", "0 0 * 1 1"),
        ("@Daily", "0 0 * * *"),
    ],
)
def test_what_crontab_knows_is_spelt_out(expression: str, spelt_out: str) -> None:
    assert checked(expression) == spelt_out


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("*/61 * * * *", "step of the minute"),
        ("*/0 * * * *", "step of the minute"),
        ("* */25 * * *", "step of the hour"),
        ("60 * * * *", "minute '60' must be 0 to 59"),
        ("* 24 * * *", "hour '24'"),
        ("* * 0 * *", "day of month '0'"),
        ("* * * 13 *", "month '13'"),
        ("* * * * 8", "day of week '8'"),
        ("* * * foo *", "month 'foo'"),
        ("50-10 * * * *", "runs backwards"),
        ("*-5 * * * *", "star"),
        ("1- * * * *", "no minute"),
        ("٣ * * * *", "no minute"),
        (", * * * *", "no minute"),
        ("* * l * *", "no day of month"),
        ("0 0 31 2 *", "never comes"),
        ("0 0 30 2 *", "never comes"),
        ("0 0 31 4,6,9,11 *", "never comes"),
        ("* * * *", "4 fields"),
        ("* * * * * *", "6 fields"),
        ("", "0 fields"),
        ("@reboot", "1 fields"),
    ],
)
def test_what_never_comes_or_means_something_else_is_refused(expression: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        checked(expression)


@given(st.text("0123456789*/-,@ abcdefghijlmnoprstuvy\t", max_size=30))
def test_an_expression_is_good_or_refused_and_never_breaks_anything(expression: str) -> None:
    try:
        good = checked(expression)
    except ValueError:
        return
    assert checked(good) == good


def test_a_slot_that_clocks_going_back_show_twice_comes_the_first_time() -> None:
    assert instant_of(local("2026-10-25T02:30"), BERLIN) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize("minute", [0, 1, 30, 59])
def test_a_slot_that_clocks_skip_comes_when_the_gap_ends(minute: int) -> None:
    assert instant_of(local(f"2026-03-29T02:{minute:02}"), BERLIN) == datetime(2026, 3, 29, 1, tzinfo=UTC)


def test_a_day_that_never_was_is_passed_at_its_end() -> None:
    # Samoa went from 29 to 31 December 2011
    apia = ZoneInfo("Pacific/Apia")
    assert instant_of(local("2011-12-30T12:00"), apia) == datetime(2011, 12, 30, 10, tzinfo=UTC)


@given(SLOTS, ZONES)
def test_a_slot_comes_at_its_local_time_or_when_a_gap_ends(slot: datetime, zone: str) -> None:
    at = instant_of(slot, ZoneInfo(zone))
    local = at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    just_before = (at - timedelta(seconds=1)).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert local == slot or just_before < slot < local


@given(SLOTS, SLOTS, ZONES)
def test_slots_come_in_their_local_order(one: datetime, other: datetime, zone: str) -> None:
    first, last = sorted([one, other])
    assert instant_of(first, ZoneInfo(zone)) <= instant_of(last, ZoneInfo(zone))
