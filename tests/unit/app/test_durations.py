"""Lengths of time, as people write them."""

import pytest

from app.durations import parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30", 30), ("30s", 30), ("1.5m", 90), ("5min", 300), ("2h", 7200), (" 2 H ", 7200), ("1 d", 86400)],
)
def test_a_number_has_a_unit_or_means_seconds(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


def test_less_than_a_second_is_a_length_of_time() -> None:
    assert parse_duration("500ms") == parse_duration("0.5") == 0.5


@pytest.mark.parametrize("text", ["", "soon", "-5", "5 parsecs", "1h30m", "nan", "inf", "5,5", "s"])
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="such as 30, 30s, 5m or 2h"):
        parse_duration(text)


def test_a_length_of_time_has_an_end() -> None:
    with pytest.raises(ValueError, match="100 years"):
        parse_duration("99999999999d")
