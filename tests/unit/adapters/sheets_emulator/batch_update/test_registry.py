"""What all requests of a batchUpdate have in common."""

from typing import Any

import pytest

from adapters.sheets_emulator.batch_update.registry import KINDS
from adapters.sheets_emulator.wire.schema import MESSAGES
from tests.unit.adapters.sheets_emulator.book import Book

DELETE_NOBODY = {"deleteNamedRange": {"namedRangeId": "nobody"}}


def replace(find: str, replacement: str, **more: Any) -> dict[str, Any]:
    return {"findReplace": {"find": find, "replacement": replacement, "allSheets": True, **more}}


def test_one_invalid_request_fails_all(book: Book) -> None:
    book.fill(["a"])
    failed = book.batch(replace("a", "b"), DELETE_NOBODY)
    assert failed["error"]["message"] == "Invalid requests[1].deleteNamedRange: No NamedRange with id: nobody"
    assert failed["error"]["status"] == "INVALID_ARGUMENT"
    assert book.rows() == [["a"]]


@pytest.mark.parametrize(
    ("requests", "message"),
    [
        ([], "Must specify at least one request."),
        ([{}], "Invalid requests[0]: No request set."),
        (
            [{"deleteSheet": {}, "addSheet": {}}],
            "Invalid value at 'requests[0]' (oneof), oneof field 'kind' is already set. Cannot set 'addSheet'",
        ),
        ([{"addSheet": {}}, {"deleteSheet": {"sheetId": 7}}], "Invalid requests[1].deleteSheet: No grid with id: 7"),
    ],
)
def test_a_batch_that_cannot_be_done_says_why(book: Book, requests: list[dict[str, Any]], message: str) -> None:
    assert book.batch(*requests)["error"]["message"] == message


def test_every_kind_has_a_message_and_a_function() -> None:
    assert set(KINDS) == set(MESSAGES["Request"])


def test_the_state_after_a_batch_comes_with_its_answer(book: Book) -> None:
    book.fill(["a", "b"])
    answer = book.batch(
        replace("a", "x"),
        includeSpreadsheetInResponse=True,
        responseIncludeGridData=True,
        responseRanges=["Sheet1!A1:A1"],
    )
    (data,) = answer["updatedSpreadsheet"]["sheets"][0]["data"]
    assert [cell["formattedValue"] for cell in data["rowData"][0]["values"]] == ["x"]


def test_a_field_mask_decides_alone_what_comes_with_the_answer(book: Book) -> None:
    book.fill(["a", "b"])
    fields = "?fields=replies,updatedSpreadsheet.sheets.data.rowData.values.formattedValue"
    answer = book.batch(replace("a", "x"), query=fields, includeSpreadsheetInResponse=True)
    assert answer == {
        "replies": [
            {"findReplace": {"valuesChanged": 1, "rowsChanged": 1, "sheetsChanged": 1, "occurrencesChanged": 1}}
        ],
        "updatedSpreadsheet": {
            "sheets": [{"data": [{"rowData": [{"values": [{"formattedValue": "x"}, {"formattedValue": "b"}]}]}]}]
        },
    }


def test_without_data_in_the_mask_none_is_sent(book: Book) -> None:
    query = "?fields=updatedSpreadsheet.sheets.properties.title"
    answer = book.batch(replace("a", "x"), query=query, includeSpreadsheetInResponse=True, responseIncludeGridData=True)
    assert answer == {"updatedSpreadsheet": {"sheets": [{"properties": {"title": "Sheet1"}}]}}


@pytest.mark.parametrize(
    "kind", ["updateCells", "appendCells", "repeatCell", "updateSheetProperties", "updateNamedRange"]
)
def test_an_update_must_say_which_fields(book: Book, kind: str) -> None:
    assert (
        book.refusal({kind: {}}) == "At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)"
    )
    assert book.refusal({kind: {"fields": "colour"}}) == "Invalid field: colour"


def test_a_range_that_begins_beyond_the_grid_is_refused(book: Book) -> None:
    beyond = {"range": {"startRowIndex": 1000, "startColumnIndex": 0, "endColumnIndex": 2}, "find": "a"}
    expected = "Range (Sheet1!A1001:B) exceeds grid limits. Max rows: 1000, max columns: 26"
    assert book.refusal({"findReplace": beyond}) == expected


def test_a_range_that_only_ends_beyond_the_grid_is_cut(book: Book) -> None:
    book.fill(["a"])
    (reply,) = book.batch({"findReplace": {"find": "a", "replacement": "b", "range": {"endRowIndex": 5000}}})
    assert reply["findReplace"]["valuesChanged"] == 1
