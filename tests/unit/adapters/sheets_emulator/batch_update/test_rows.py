"""Sorting, and folding rows that are the same."""

from typing import Any

from tests.unit.adapters.sheets_emulator.book import Book


def sort(*specs: tuple[int, str], **cells: int) -> dict[str, Any]:
    by = [{"dimensionIndex": column, "sortOrder": order} for column, order in specs]
    return {"sortRange": {"range": cells, "sortSpecs": by}}


def fold(*columns: int, **cells: int) -> dict[str, Any]:
    compared = [{"dimension": "COLUMNS", "startIndex": column, "endIndex": column + 1} for column in columns]
    return {"deleteDuplicates": {"range": cells, "comparisonColumns": compared}}


def test_numbers_come_before_text_before_booleans_and_the_empty_last(book: Book) -> None:
    book.fill(["b"], [True], [2], [""], ["A"], [False], [10])
    book.batch(sort((0, "ASCENDING"), endColumnIndex=1))
    assert [row[0] for row in book.rows()] == ["2", "10", "A", "b", "FALSE", "TRUE"]
    book.batch(sort((0, "DESCENDING"), endColumnIndex=1))
    assert [row[0] for row in book.rows()] == ["TRUE", "FALSE", "b", "A", "10", "2"]


def test_sorting_moves_whole_rows_of_its_range_and_nothing_beside_it(book: Book) -> None:
    book.fill(["head", "h", "h"], ["b", "1", "x"], ["a", "2", "y"])
    book.batch(sort((0, "ASCENDING"), startRowIndex=1, endColumnIndex=2))
    assert book.rows() == [["head", "h", "h"], ["a", "2", "x"], ["b", "1", "y"]]


def test_rows_that_are_equal_keep_their_order(book: Book) -> None:
    book.fill(["x", "1"], ["x", "2"], ["a", "3"])
    book.batch(sort((0, "ASCENDING")))
    assert book.rows() == [["a", "3"], ["x", "1"], ["x", "2"]]


def test_the_first_of_several_columns_is_the_most_important(book: Book) -> None:
    book.fill(["a", "2"], ["b", "1"], ["a", "1"])
    book.batch(sort((0, "DESCENDING"), (1, "ASCENDING")))
    assert book.rows() == [["b", "1"], ["a", "1"], ["a", "2"]]


def test_duplicates_go_by_the_columns_compared_whatever_their_case(book: Book) -> None:
    book.fill(["x", "1", "n1"], ["X", "1", "n2"], ["y", "1", "n3"], ["x", "2", "n4"])
    assert book.batch(fold(0, 1)) == [{"deleteDuplicates": {"duplicatesRemovedCount": 1}}]
    assert book.rows() == [["x", "1", "n1"], ["y", "1", "n3"], ["x", "2", "n4"]]
    assert book.batch(fold(0, 1)) == [{"deleteDuplicates": {}}]


def test_what_is_beside_the_range_stays_where_it_is(book: Book) -> None:
    book.fill(["x", "mine 1"], ["x", "mine 2"], ["y", "mine 3"])
    book.batch(fold(0, endColumnIndex=1))
    assert book.rows() == [["x", "mine 1"], ["y", "mine 2"], ["", "mine 3"]]


def test_columns_out_of_the_range_are_refused(book: Book) -> None:
    assert book.refusal(fold(3, endColumnIndex=2)) == "The comparison columns must be in the range."
    assert book.refusal(sort((3, "ASCENDING"), endColumnIndex=2)) == "The sort column 3 is not in the range."
