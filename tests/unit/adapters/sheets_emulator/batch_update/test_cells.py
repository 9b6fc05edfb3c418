"""Requests that write cells."""

from typing import Any

import pytest

from tests.unit.adapters.sheets_emulator.book import Book


def row(*values: object) -> dict[str, Any]:
    kinds = {bool: "boolValue", int: "numberValue", str: "stringValue"}
    return {"values": [{"userEnteredValue": {kinds[type(value)]: value}} for value in values]}


def append(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"appendCells": {"rows": rows, "fields": "userEnteredValue", **more}}


def update(*rows: dict[str, Any], fields: str = "userEnteredValue", **where: Any) -> dict[str, Any]:
    return {"updateCells": {"rows": rows, "fields": fields, **where}}


def test_appended_cells_come_behind_the_last_and_stay_text(book: Book) -> None:
    book.fill(["a"], [""], ["b"])
    book.batch(append(row("=1+1", 7, True)))
    assert book.rows() == [["a"], [], ["b"], ["=1+1", "7", "TRUE"]]


def test_appended_cells_come_behind_data_of_any_column(book: Book) -> None:
    book.fill(["note of a person"], cell="Z9")
    book.batch(append(row("a")))
    assert book.rows("A10") == [["a"]]


def test_a_full_grid_grows_under_appended_cells(book: Book) -> None:
    book.fill(["a"])
    grid = {"properties": {"gridProperties": {"rowCount": 1, "columnCount": 1}}, "fields": "gridProperties"}
    book.batch({"updateSheetProperties": grid}, append(row("b", "c")))
    assert book.rows("A1:B2") == [["a"], ["b", "c"]]


def test_two_appends_of_one_batch_come_one_after_the_other(book: Book) -> None:
    book.batch(append(row("a")), append(row("b"), row("c")))
    assert book.rows() == [["a"], ["b"], ["c"]]


def test_only_what_the_mask_names_is_written(book: Book) -> None:
    book.fill(["a"])
    book.batch(
        update({"values": [{"note": "mine", "userEnteredValue": {"stringValue": "b"}}]}, fields="note", start={})
    )
    (cell,) = book.get("?includeGridData=true")["sheets"][0]["data"][0]["rowData"][0]["values"]
    assert (cell["formattedValue"], cell["note"]) == ("a", "mine")


def test_a_range_without_rows_for_it_is_cleared(book: Book) -> None:
    book.fill(["a", "b"], ["c", "d"])
    book.batch(update(row("x"), range={"endRowIndex": 2, "endColumnIndex": 2}))
    assert book.rows() == [["x"]]


def test_formats_are_kept_as_they_came_and_stay_when_a_value_is_written(book: Book) -> None:
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}, "backgroundColor": {"red": 1}}}
    book.batch(
        {"repeatCell": {"range": {"endRowIndex": 1, "endColumnIndex": 1}, "cell": bold, "fields": "userEnteredFormat"}},
        {
            "repeatCell": {
                "range": {"endRowIndex": 1, "endColumnIndex": 1},
                "cell": {},
                "fields": "userEnteredFormat.backgroundColor",
            }
        },
        update(row("x"), start={}),
    )
    (cell,) = book.get("?includeGridData=true")["sheets"][0]["data"][0]["rowData"][0]["values"]
    assert cell["userEnteredFormat"] == cell["effectiveFormat"] == {"textFormat": {"bold": True}}
    assert cell["formattedValue"] == "x"


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (
            update(row("a"), start={"rowIndex": 1000}),
            "Attempting to write row: 1000, beyond the last requested row of: 999",
        ),
        (
            update(row("a"), start={"columnIndex": 26}),
            "Attempting to write column: 26, beyond the last requested column of: 25",
        ),
        (
            update(row("a", "b"), range={"endRowIndex": 1, "endColumnIndex": 1}),
            "Attempting to write column: 1, beyond the last requested column of: 0",
        ),
        (update(row("a")), "Must specify a start or a range."),
        (
            append(row("x" * 50_001)),
            "Your input contains more than the maximum of 50000 characters in a single cell.",
        ),
    ],
)
def test_what_does_not_fit_is_refused(book: Book, request_: dict[str, Any], text: str) -> None:
    assert book.refusal(request_) == text


def test_a_spreadsheet_has_so_many_cells_and_no_more(book: Book) -> None:
    grid = {"properties": {"gridProperties": {"rowCount": 384_615}}, "fields": "gridProperties.rowCount"}
    book.batch({"updateSheetProperties": grid})
    book.fill(["last"], cell="A384615")
    limit = "This action would increase the number of cells in the workbook above the limit of 10000000 cells."
    assert book.refusal(append(row("a"))) == limit
    assert book.refusal({"addSheet": {}}) == limit
    assert limit in book.error("POST", "/values/A384615:append?valueInputOption=RAW", {"values": [["a"]]})


def test_a_rule_is_kept_with_its_cells(book: Book) -> None:
    rule = {"condition": {"type": "BOOLEAN"}}
    book.batch({"setDataValidation": {"range": {"endRowIndex": 1, "endColumnIndex": 1}, "rule": rule}})
    (cell,) = book.get("?includeGridData=true")["sheets"][0]["data"][0]["rowData"][0]["values"]
    assert cell == {"dataValidation": rule}
