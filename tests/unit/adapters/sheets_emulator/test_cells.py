"""What becomes of what is typed, and of what is sent."""

import pytest

from adapters.sheets_emulator.cells import as_entered, as_raw, formatted


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("42", 42),
        ("-1e3", -1000),
        ("1,234.5", 1234.5),
        ("50%", 0.5),
        ("true", True),
        ("2020-01-01", 43831),
        ("2020-13-01", "2020-13-01"),
        ("=4/2", 2),
        ("=3/2", 1.5),
        ("=1/0", "#DIV/0!"),
        ("'42", "42"),
        ("dQw4w9WgXcQ", "dQw4w9WgXcQ"),
        ("", None),
        (7, 7),
    ],
)
def test_typed_text_is_read(typed: object, value: object) -> None:
    assert as_entered(typed).value == value


@pytest.mark.parametrize("text", ["=IMPORTXML(1)", "-1e10", "42", "TRUE", " x "])
def test_raw_text_stays_text(text: str) -> None:
    assert as_raw(text).value == text
    assert formatted(as_raw(text)) == text


def test_values_are_shown_as_the_grid_shows_them() -> None:
    assert [formatted(as_entered(text)) for text in ("2020-01-01", "50%", "1.50", "true")] == [
        "2020-01-01",
        "50%",
        "1.5",
        "TRUE",
    ]
