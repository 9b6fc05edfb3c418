"""Which table a range belongs to."""

from adapters.sheets_emulator.grid.a1 import Rectangle
from adapters.sheets_emulator.grid.cells import Cell
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.tables import table_at


def sheet_of(*rows: str) -> Sheet:
    """A letter is a filled cell, a dot an empty one."""
    sheet = Sheet(0, "Tab")
    for number, row in enumerate(rows):
        for column, letter in enumerate(row):
            sheet.put(number, column, Cell(None if letter == "." else letter))
    return sheet


def test_a_table_is_all_filled_cells_that_touch() -> None:
    sheet = sheet_of("ab", "c.", "", "xy", ".z")
    assert table_at(sheet, Rectangle(0, 0, 1, 1)) == Rectangle(0, 0, 2, 2)
    assert table_at(sheet, Rectangle(4, 1, 5, 2)) == Rectangle(3, 0, 5, 2)


def test_a_range_over_several_tables_means_the_last() -> None:
    assert table_at(sheet_of("ab", "", "x"), Rectangle(0, 0, 1000, 26)) == Rectangle(2, 0, 3, 1)


def test_an_empty_range_belongs_to_none() -> None:
    assert table_at(sheet_of("ab"), Rectangle(3, 0, 4, 1)) is None
