"""A tab's grid, and the index over its texts."""

from hypothesis import given
from hypothesis import strategies as st

from adapters.sheets_emulator.grid.a1 import Rectangle
from adapters.sheets_emulator.grid.cells import Cell
from adapters.sheets_emulator.grid.sheet import Sheet

WORDS = st.sampled_from(["", "a", "A", "b", "PENDING k.0"])
WRITES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3), WORDS))
WHOLE = Rectangle(0, 0, 1000, 26)


def scanned(sheet: Sheet, text: str) -> set[tuple[int, int]]:
    return {(r, c) for r, c, cell in sheet.cells_in(WHOLE) if cell.filled and cell.text.casefold() == text.casefold()}


def found(sheet: Sheet, text: str) -> set[tuple[int, int]]:
    return {(row, column) for row, column, _ in sheet.showing(text, WHOLE)}


@given(WRITES, WRITES, st.integers(0, 5))
def test_the_index_finds_what_a_search_of_all_cells_finds(first, second, moved) -> None:
    sheet = Sheet(0, "Tab")
    for row, column, text in first:
        sheet.put(row, column, Cell(text or None))
    assert found(sheet, "a") == scanned(sheet, "a")
    copy = sheet.copy()
    copy.move_rows([[], *copy.rows[moved:]])
    for row, column, text in second:
        copy.put(row, column, Cell(text or None))
        sheet.put(column, row, Cell(text or None))
    for one in (sheet, copy):
        for text in ("a", "b", "pending K.0"):
            assert found(one, text) == scanned(one, text)


@given(WRITES, WRITES)
def test_a_copy_may_be_changed_without_changing_the_sheet(first, second) -> None:
    sheet = Sheet(0, "Tab")
    for row, column, text in first:
        sheet.put(row, column, Cell(text or None))
    before = sheet.values(WHOLE, "FORMATTED_VALUE")
    copy = sheet.copy()
    for row, column, text in second:
        copy.write(row, column, Cell(text or None))
    assert sheet.values(WHOLE, "FORMATTED_VALUE") == before


@given(WRITES, st.integers(0, 4), st.integers(0, 3), st.integers(1, 4), st.integers(1, 3))
def test_a_block_laid_back_changes_nothing(writes, top, left, height, width) -> None:
    sheet = Sheet(0, "Tab")
    for row, column, text in writes:
        sheet.put(row, column, Cell(text or None))
    before, box = sheet.values(WHOLE, "FORMATTED_VALUE"), Rectangle.at(top, left, height, width)
    sheet.set_block(box, sheet.block(box))
    assert sheet.values(WHOLE, "FORMATTED_VALUE") == before


def test_what_is_written_keeps_the_note_of_a_cell() -> None:
    sheet = Sheet(0, "Tab")
    sheet.put(0, 0, Cell("a", note="mine"))
    sheet.write(0, 0, Cell("b"))
    assert sheet.get(0, 0) == Cell("b", note="mine")
    sheet.clear(WHOLE)
    assert sheet.get(0, 0) == Cell(note="mine")
