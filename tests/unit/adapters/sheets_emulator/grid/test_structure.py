"""Rows and columns that come, go and move, and what lies over them."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sheets_emulator.grid import structure
from adapters.sheets_emulator.grid.a1 import Box, Rectangle
from adapters.sheets_emulator.grid.cells import Cell
from adapters.sheets_emulator.grid.sheet import BasicFilter, Group, Sheet
from adapters.sheets_emulator.grid.workbook import NamedRange, ProtectedRange, Workbook

SIZE = 8
Change = Callable[[Workbook, Sheet, str], None]


def named(dimension: str) -> Workbook:
    """Each row (or column) holds its number, and has a name."""
    sheet = Sheet(0, "Tab", SIZE, SIZE)
    book = Workbook("id", "Book", sheets=[sheet])
    for n in range(SIZE):
        row, column = (n, 0) if dimension == "ROWS" else (0, n)
        sheet.put(row, column, Cell(n))
        book.named_ranges[str(n)] = NamedRange(str(n), f"n_{n}", 0, Rectangle.at(row, column))
    return book


def follow(book: Workbook) -> dict[str, object]:
    """What is in the cell of each range that is still there."""
    sheet = book.sheets[0]
    return {one.id: sheet.get(one.box.top, one.box.left).value for one in book.visible_names() if one.box is not None}


@pytest.mark.parametrize("dimension", ["ROWS", "COLUMNS"])
@given(start=st.integers(0, SIZE), count=st.integers(1, 3))
def test_ranges_move_with_their_cells_when_others_are_inserted(dimension: str, start: int, count: int) -> None:
    book = named(dimension)
    structure.insert(book, book.sheets[0], dimension, start, count)
    assert follow(book) == {str(n): n for n in range(SIZE)}


@pytest.mark.parametrize("dimension", ["ROWS", "COLUMNS"])
@given(start=st.integers(0, SIZE - 1), count=st.integers(1, 3))
def test_ranges_whose_cells_are_deleted_are_hidden_and_the_others_follow(
    dimension: str, start: int, count: int
) -> None:
    book, end = named(dimension), min(SIZE, start + count)
    structure.delete(book, book.sheets[0], dimension, start, end)
    assert follow(book) == {str(n): n for n in range(SIZE) if not start <= n < end}
    assert len(book.named_ranges) == SIZE


@pytest.mark.parametrize("dimension", ["ROWS", "COLUMNS"])
@given(start=st.integers(0, SIZE - 1), count=st.integers(1, 3), to=st.integers(0, SIZE))
def test_ranges_follow_what_is_moved(dimension: str, start: int, count: int, to: int) -> None:
    book, end = named(dimension), min(SIZE, start + count)
    structure.move(book, book.sheets[0], dimension, (start, end), to)
    assert follow(book) == {str(n): n for n in range(SIZE)}
    order = [n for n in range(SIZE) if not start <= n < end]
    place = sum(n < to for n in order)
    expected = order[:place] + list(range(start, end)) + order[place:]
    values = book.sheets[0].values(Rectangle(0, 0, SIZE, SIZE), "UNFORMATTED_VALUE")
    assert [row[0] for row in values] == expected if dimension == "ROWS" else values[0] == expected


def test_a_smaller_grid_hides_the_ranges_beyond_it() -> None:
    book = named("ROWS")
    structure.resize(book, book.sheets[0], 3, None)
    assert follow(book) == {"0": 0, "1": 1, "2": 2}


def test_a_range_grows_with_what_is_inserted_into_it() -> None:
    book = named("ROWS")
    book.named_ranges["0"] = NamedRange("0", "n_0", 0, Box(2, 0, 5, 1))
    structure.insert(book, book.sheets[0], "ROWS", 3, 2)
    assert book.named_ranges["0"].box == Box(2, 0, 7, 1)


def test_hidden_rows_and_groups_move_too() -> None:
    book = named("ROWS")
    sheet = book.sheets[0]
    sheet.hidden = {**sheet.hidden, "ROWS": frozenset({3, 5})}
    sheet.groups = {**sheet.groups, "ROWS": (Group(3, 6, 1),)}
    structure.delete(book, sheet, "ROWS", 2, 4)
    assert sheet.hidden["ROWS"] == {3}
    assert sheet.groups["ROWS"] == (Group(2, 4, 1),)


def test_frozen_rows_go_with_those_that_are_deleted() -> None:
    book = named("ROWS")
    sheet = book.sheets[0]
    sheet.frozen_rows = 2
    structure.delete(book, sheet, "ROWS", 0, 1)
    assert sheet.frozen_rows == 1
    structure.insert(book, sheet, "ROWS", 3, 2)
    assert sheet.frozen_rows == 1


def test_an_open_range_begins_later_when_rows_are_inserted_above_it() -> None:
    book = named("ROWS")
    book.named_ranges["0"] = NamedRange("0", "n_0", 0, Box(2, 0, None, 1))
    structure.insert(book, book.sheets[0], "ROWS", 0, 2)
    assert book.named_ranges["0"].box == Box(4, 0, None, 1)


def test_protection_merges_and_the_filter_move_too_and_go_with_their_cells() -> None:
    book = named("COLUMNS")
    sheet = book.sheets[0]
    sheet.merges = [Rectangle(0, 2, 1, 4), Rectangle(0, 6, 1, 8)]
    book.protected_ranges = {1: ProtectedRange(1, 0, Box(0, 3, 1, 4)), 2: ProtectedRange(2, 0, Box(0, 6, 1, 7))}
    sheet.basic_filter = BasicFilter(Rectangle(0, 2, 8, 8), {3: {"hiddenValues": ["x"]}, 6: {}})
    structure.insert(book, sheet, "COLUMNS", 0, 1)
    structure.delete(book, sheet, "COLUMNS", 7, 9)
    assert sheet.merges == [Rectangle(0, 3, 1, 5)]
    assert {one.id: one.box for one in book.protected_ranges.values()} == {1: Box(0, 4, 1, 5)}
    assert sheet.basic_filter is not None
    assert (sheet.basic_filter.box, sheet.basic_filter.criteria) == (
        Rectangle(0, 3, 8, 7),
        {4: {"hiddenValues": ["x"]}},
    )
