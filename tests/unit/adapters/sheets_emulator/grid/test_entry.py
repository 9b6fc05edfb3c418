"""What becomes of what is typed, and of what is sent."""

import pytest

from adapters.sheets_emulator.grid.cells import rendered
from adapters.sheets_emulator.grid.entry import LONGEST, as_entered, as_raw
from adapters.sheets_emulator.grid.locale import locale_of
from adapters.sheets_emulator.wire.errors import ApiError


@pytest.mark.parametrize(
    ("typed", "value", "shown"),
    [
        ("42", 42, "42"),
        (" 42 ", 42, "42"),
        ("007", 7, "7"),
        ("1.50", 1.5, "1.5"),
        (".5", 0.5, "0.5"),
        ("-1e3", -1000, "-1.00E+03"),
        ("1,234", 1234, "1,234"),
        ("1,234.5", 1234.5, "1,234.50"),
        ("50%", 0.5, "50%"),
        ("12.5%", 0.125, "12.50%"),
        ("$5", 5, "$5"),
        ("-$1234.5", -1234.5, "-$1,234.50"),
        ("true", True, "TRUE"),
        ("2020-01-01", 43831, "2020-01-01"),
        ("1/2/2020", 43832, "1/2/2020"),
        ("Mar 1 2016", 42430, "Mar 1 2016"),
        ("2020-01-01 12:00", 43831.5, "2020-01-01 12:00"),
        ("6:00 PM", 0.75, "6:00 PM"),
        ("'42", "42", "42"),
        ("", None, ""),
        (7, 7, "7"),
    ],
)
def test_typed_text_is_read_as_a_person_means_it(typed: object, value: object, shown: str) -> None:
    cell = as_entered(typed)
    assert cell.value == value
    assert type(cell.value) is type(value)
    assert cell.text == shown


@pytest.mark.parametrize(
    "text",
    [
        "dQw4w9WgXcQ",
        "-1e10x",
        "1,23",
        "2020-13-01",
        "2026-01-31T10:00:00Z",
        "25:00",
        "=",
        "3f2a9c1d04.0",
        "1.2.3",
        " x ",
    ],
)
def test_what_is_neither_number_nor_date_stays_text(text: str) -> None:
    assert as_entered(text).value == text


@pytest.mark.parametrize("text", ["=IMPORTXML(1)", "-1e10", "42", "TRUE", " x ", "'42"])
def test_raw_text_stays_text(text: str) -> None:
    assert as_raw(text).value == as_raw(text).text == text


def test_a_spreadsheet_at_home_elsewhere_reads_and_shows_its_own_signs() -> None:
    brazil = locale_of("pt_BR")
    assert as_entered("1.234,5", brazil).value == 1234.5
    assert as_entered("R$ 5,00", brazil).text == "R$5,00"
    assert as_entered("31/12/2020", brazil).value == 44196
    assert as_entered("1.5.2020", brazil).value == 43952
    assert as_raw(1.5, brazil).text == "1,5"
    assert as_entered("=1/4", brazil).text == "0,25"


def test_a_date_is_a_number_unless_asked_for_as_text() -> None:
    day = as_entered("2020-01-01")
    assert rendered(day, "FORMATTED_VALUE") == "2020-01-01"
    assert rendered(day, "UNFORMATTED_VALUE") == 43831
    assert rendered(day, "UNFORMATTED_VALUE", "FORMATTED_STRING") == "2020-01-01"


@pytest.mark.parametrize("read", [as_raw, as_entered])
def test_a_cell_holds_so_many_characters_and_no_more(read) -> None:
    assert read("x" * LONGEST).value == "x" * LONGEST
    with pytest.raises(ApiError, match="more than the maximum of 50000 characters"):
        read("x" * (LONGEST + 1))


@pytest.mark.parametrize(
    ("number", "shown"), [(1 / 3, "0.3333333333"), (2.0, "2"), (1e15, "1E+15"), (10**12, "1" + "0" * 12)]
)
def test_numbers_are_shown_with_ten_digits_at_most(number: float, shown: str) -> None:
    assert as_raw(number).text == shown
