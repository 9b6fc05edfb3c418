"""A1 notation, read and written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sheets_emulator.grid.a1 import (
    Box,
    Rectangle,
    column_letters,
    column_number,
    parse_cells,
    quoted,
    render,
    split_title,
)


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("B2", Box(1, 1, 2, 2)),
        ("A1:C3", Box(0, 0, 3, 3)),
        ("D4:A1", Box(0, 0, 4, 4)),
        ("A:A", Box(0, 0, None, 1)),
        ("A2:C", Box(1, 0, None, 3)),
        ("2:3", Box(1, 0, 3, None)),
        ("A1:1", Box(0, 0, 1, None)),
        ("$B$2", Box(1, 1, 2, 2)),
        ("R2C3", Box(1, 2, 2, 3)),
        ("R1C1:R2C3", Box(0, 0, 2, 3)),
    ],
)
def test_cells_are_read(text: str, box: Box) -> None:
    assert parse_cells(text) == box


@pytest.mark.parametrize("text", ["", "A", "1", "A0", "Sheet1", "ABCD1", "A1:B2:C3", "$"])
def test_what_is_no_range_is_none(text: str) -> None:
    assert parse_cells(text) is None


@given(st.integers(0, 18277))
def test_columns_are_counted_in_letters(number: int) -> None:
    assert column_number(column_letters(number)) == number


@pytest.mark.parametrize(
    ("text", "title", "cells"),
    [
        ("Sheet1!A1", "Sheet1", "A1"),
        ("'It''s mine'!A:B", "It's mine", "A:B"),
        ("A1", None, "A1"),
        ("'Tab'", "Tab", ""),
        ("'", None, "'"),
        ("'Tab", None, "'Tab"),
        ("'Tab'x!A1", "'Tab'x", "A1"),
    ],
)
def test_a_title_may_be_quoted(text: str, title: str | None, cells: str) -> None:
    assert split_title(text) == (title, cells)


@pytest.mark.parametrize(
    ("box", "text"),
    [
        (Box(0, 0, 1, 1), "T!A1"),
        (Box(0, 0, 2, 3), "T!A1:C2"),
        (Box(1000, 0, None, 2), "T!A1001:B"),
        (Box(0, 26, 2, None), "T!AA1:2"),
        (Box(1000, 0, 1001, 2), "T!A1001:B1001"),
    ],
)
def test_ranges_are_written_as_google_writes_them(box: Box, text: str) -> None:
    assert render("T", box) == text


@pytest.mark.parametrize("title", ["Sales", "Sheet_1", "TRUE", "x.y", "Sales2"])
def test_plain_titles_are_not_quoted(title: str) -> None:
    assert quoted(title) == title


@pytest.mark.parametrize("title", ["Probe Tab", "A1", "ABC1234", "R1C1", "2026", "Ünï", "a-b", "It's", "Eleição"])
def test_other_titles_are_quoted(title: str) -> None:
    assert quoted(title) == "'" + title.replace("'", "''") + "'"


boxes = st.builds(Rectangle.at, st.integers(0, 5), st.integers(0, 5), st.integers(1, 4), st.integers(1, 4))


@given(boxes, boxes)
def test_two_boxes_meet_where_they_share_a_cell(one: Rectangle, other: Rectangle) -> None:
    shared = any(one.holds(row, column) and other.holds(row, column) for row in range(10) for column in range(10))
    assert one.meets(other) is other.meets(one) is shared
