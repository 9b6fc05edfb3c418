"""Retry-After in each of its forms, and in none."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.retry_after import LONGEST, retry_after

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        (" 7 ", 7),
        ("0000000000005", 5),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30),
        ("Thursday, 01-Jan-26 12:00:30 GMT", 30),
        ("Thu Jan  1 12:00:30 2026", 30),
        ("Thu, 01 Jan 2026 11:00:00 GMT", -3600),
        ("Thu, 01 Jan 2026 13:00:30 +0100", 30),
    ],
)
def test_seconds_and_every_form_of_an_http_date_are_read(value: str, seconds: int) -> None:
    assert retry_after(value, NOW) == NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize("value", ["", "soon", "-5", "1.5", "1e3", "٣", "Thu, 32 Jan 2026 12:00:00 GMT", "12:00"])
def test_what_is_neither_is_nothing(value: str) -> None:
    assert retry_after(value, NOW) is None


@pytest.mark.parametrize("value", ["9" * 5000, "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_what_is_further_off_than_a_year_is_a_year(value: str) -> None:
    assert retry_after(value, NOW) == NOW + LONGEST


@given(st.text(max_size=60))
def test_no_header_raises(value: str) -> None:
    at = retry_after(value, NOW)
    assert at is None or (at.tzinfo is not None and at <= NOW + LONGEST)
