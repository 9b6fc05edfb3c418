"""Whole rows and columns."""

from typing import Any

import pytest

from tests.unit.adapters.sheets_emulator.book import Book


def span(dimension: str, start: int, end: int) -> dict[str, Any]:
    return {"range": {"dimension": dimension, "startIndex": start, "endIndex": end}}


def test_rows_and_columns_are_inserted_deleted_and_moved(book: Book) -> None:
    book.fill(["a", "b"], ["c", "d"], ["e", "f"])
    book.batch({"insertDimension": span("ROWS", 1, 2)}, {"insertDimension": span("COLUMNS", 1, 2)})
    assert book.rows() == [["a", "", "b"], [], ["c", "", "d"], ["e", "", "f"]]
    book.batch({"deleteDimension": span("ROWS", 0, 2)}, {"deleteDimension": span("COLUMNS", 0, 2)})
    assert book.rows() == [["d"], ["f"]]
    book.batch({"moveDimension": {"source": span("ROWS", 1, 2)["range"], "destinationIndex": 0}})
    assert book.rows() == [["f"], ["d"]]


def test_rows_are_appended_to_the_grid(book: Book) -> None:
    book.batch({"appendDimension": {"dimension": "ROWS", "length": 5}})
    assert book.get("")["sheets"][0]["properties"]["gridProperties"]["rowCount"] == 1005


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ({"deleteDimension": span("ROWS", 0, 1000)}, "You can't delete all the rows on the sheet."),
        ({"deleteDimension": span("COLUMNS", 0, 26)}, "You can't delete all the columns on the sheet."),
        (
            {"insertDimension": span("ROWS", 1000, 1001)},
            "range.startIndex must be less than the grid size (1000) if inheritFromBefore is false.",
        ),
        ({"insertDimension": span("ROWS", 1001, 1002)}, "range.startIndex is larger than current grid size (1000)"),
        ({"deleteDimension": {"range": {}}}, "A dimension must be specified."),
        (
            {"moveDimension": {"source": span("ROWS", 0, 1)["range"], "destinationIndex": 1001}},
            "Cannot move beyond the grid of 1000 rows.",
        ),
    ],
)
def test_what_cannot_be_done_to_rows_is_refused(book: Book, request_: dict[str, Any], text: str) -> None:
    assert book.refusal(request_) == text


def test_a_row_that_is_not_there_cannot_be_deleted(book: Book) -> None:
    assert book.refusal({"deleteDimension": span("ROWS", 1000, 1001)}).startswith(
        "Cannot delete a row that doesn't exist."
    )


def test_what_is_not_frozen_cannot_all_be_deleted(book: Book) -> None:
    frozen = {"properties": {"gridProperties": {"frozenRowCount": 1}}, "fields": "gridProperties.frozenRowCount"}
    book.batch({"updateSheetProperties": frozen})
    assert book.refusal({"deleteDimension": span("ROWS", 1, 1000)}) == "You can't delete all the non-frozen rows."


def test_columns_have_a_width(book: Book) -> None:
    book.batch(
        {"updateDimensionProperties": {**span("COLUMNS", 1, 2), "properties": {"pixelSize": 42}, "fields": "pixelSize"}}
    )
    columns = book.get("?ranges=A1:C1&fields=sheets.data.columnMetadata.pixelSize")["sheets"][0]["data"][0][
        "columnMetadata"
    ]
    assert [column["pixelSize"] for column in columns] == [100, 42, 100]


def test_rows_are_hidden_and_shown(book: Book) -> None:
    hide = {**span("ROWS", 1, 3), "fields": "hiddenByUser"}
    book.batch({"updateDimensionProperties": {**hide, "properties": {"hiddenByUser": True}}})
    book.batch({"updateDimensionProperties": {**hide, **span("ROWS", 2, 3), "properties": {}}})
    rows = book.get("?fields=sheets.data.rowMetadata")["sheets"][0]["data"][0]["rowMetadata"]
    assert [number for number, row in enumerate(rows) if row.get("hiddenByUser")] == [1]


def test_a_group_within_another_is_deeper(book: Book) -> None:
    book.batch({"addDimensionGroup": span("ROWS", 1, 8)}, {"addDimensionGroup": span("ROWS", 2, 4)})
    groups = book.get("")["sheets"][0]["rowGroups"]
    assert [(group["range"]["startIndex"], group["depth"]) for group in groups] == [(1, 1), (2, 2)]
    book.batch({"deleteDimensionGroup": span("ROWS", 2, 4)})
    assert len(book.get("")["sheets"][0]["rowGroups"]) == 1
