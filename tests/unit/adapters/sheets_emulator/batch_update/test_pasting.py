"""Copying, moving and pushing cells along."""

from typing import Any

from tests.unit.adapters.sheets_emulator.book import Book


def cells(top: int, left: int, bottom: int, right: int) -> dict[str, int]:
    return {"startRowIndex": top, "startColumnIndex": left, "endRowIndex": bottom, "endColumnIndex": right}


def copy(source: dict[str, int], target: dict[str, int], **more: Any) -> dict[str, Any]:
    return {"copyPaste": {"source": source, "destination": target, **more}}


def test_a_copy_fills_a_target_that_is_several_times_as_large(book: Book) -> None:
    book.fill(["a", "b"])
    book.batch(copy(cells(0, 0, 1, 2), cells(2, 0, 4, 4)))
    assert book.rows()[2:] == [["a", "b", "a", "b"]] * 2


def test_a_copy_may_be_turned(book: Book) -> None:
    book.fill(["a", "b"], ["c"])
    book.batch(copy(cells(0, 0, 2, 2), cells(4, 0, 5, 1), pasteOrientation="TRANSPOSE"))
    assert book.rows()[4:] == [["a", "c"], ["b"]]


def test_only_values_are_pasted_where_only_they_are_asked_for(book: Book) -> None:
    book.fill(["=1+1"], option="USER_ENTERED")
    book.batch(copy(cells(0, 0, 1, 1), cells(1, 0, 2, 1), pasteType="PASTE_VALUES"))
    assert book.rows(query="?valueRenderOption=FORMULA") == [["=1+1"], [2]]


def test_what_is_cut_is_gone_from_where_it_was(book: Book) -> None:
    book.fill(["a", "b"], ["c"])
    book.batch({"cutPaste": {"source": cells(0, 0, 1, 2), "destination": {"rowIndex": 2, "columnIndex": 1}}})
    assert book.rows() == [[], ["c"], ["", "a", "b"]]


def test_a_cut_may_overlap_its_target(book: Book) -> None:
    book.fill(["a"], ["b"], ["c"])
    book.batch({"cutPaste": {"source": cells(0, 0, 3, 1), "destination": {"rowIndex": 1}}})
    assert book.rows() == [[], ["a"], ["b"], ["c"]]


def test_inserted_cells_push_only_their_band_along(book: Book) -> None:
    book.fill(["a", "1"], ["b", "2"])
    book.batch({"insertRange": {"range": cells(0, 0, 1, 1), "shiftDimension": "ROWS"}})
    assert book.rows() == [["", "1"], ["a", "2"], ["b"]]
    book.batch({"deleteRange": {"range": cells(0, 0, 1, 1), "shiftDimension": "ROWS"}})
    assert book.rows() == [["a", "1"], ["b", "2"]]
    book.batch({"insertRange": {"range": cells(0, 0, 1, 2), "shiftDimension": "COLUMNS"}})
    assert book.rows() == [["", "", "a", "1"], ["b", "2"]]
    book.batch({"deleteRange": {"range": cells(0, 0, 1, 3), "shiftDimension": "COLUMNS"}})
    assert book.rows() == [["1"], ["b", "2"]]


def test_the_grid_grows_only_as_far_as_pushed_cells_need(book: Book) -> None:
    book.fill(["last"], cell="A1000")
    book.batch({"insertRange": {"range": cells(0, 0, 2, 1), "shiftDimension": "ROWS"}})
    assert book.get("")["sheets"][0]["properties"]["gridProperties"]["rowCount"] == 1002
