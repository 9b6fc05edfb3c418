"""What a batchUpdate does, and what it leaves alone."""

import json
from typing import Any

import pytest

from adapters.memory.time import ManualClock
from adapters.sheets_emulator.service import Answer, SheetsService


class Book:
    """One spreadsheet of a service, with shorthands."""

    def __init__(self) -> None:
        self.service = SheetsService(ManualClock())
        self.id = self.service.create("Book").id

    def call(self, method: str, rest: str, body: object = None) -> Answer:
        payload = b"" if body is None else json.dumps(body).encode()
        return self.service.handle(method, f"/v4/spreadsheets/{self.id}{rest}", payload)

    def batch(self, *requests: dict[str, Any], **more: object) -> Any:
        answer = self.call("POST", ":batchUpdate", {"requests": requests, **more})
        assert answer.body is not None
        return answer.body if answer.status != 200 or more else answer.body["replies"]

    def fill(self, *rows: list[str]) -> None:
        self.call("PUT", "/values/A1?valueInputOption=RAW", {"values": rows})

    def rows(self, text: str = "A1:Z1000") -> list[list[str]]:
        answer = self.call("GET", f"/values/{text}")
        assert answer.body is not None
        return answer.body.get("values", [])


@pytest.fixture
def book() -> Book:
    return Book()


WHOLE = {"sheetId": 0}


def replace(find: str, replacement: str, **more: object) -> dict[str, Any]:
    return {"findReplace": {"find": find, "replacement": replacement, "range": WHOLE, "matchCase": True, **more}}


def name(action: str, identifier: str, **more: object) -> dict[str, Any]:
    named = {"namedRangeId": identifier, "name": identifier, "range": {"endRowIndex": 1, "endColumnIndex": 1}, **more}
    return (
        {action: {"namedRange": named, "fields": "name"}}
        if action != "deleteNamedRange"
        else {action: {"namedRangeId": identifier}}
    )


def test_a_replacement_says_how_much_and_leaves_zeros_out(book: Book) -> None:
    book.fill(["PENDING a.0"], ["pending a.0"], ["PENDING a.0 more"])
    won, lost = book.batch(
        replace("PENDING a.0", "CLAIMED a.0 me", matchEntireCell=True),
        replace("PENDING a.0", "CLAIMED a.0 you", matchEntireCell=True),
    )
    assert won == {"findReplace": {"valuesChanged": 1, "rowsChanged": 1, "sheetsChanged": 1, "occurrencesChanged": 1}}
    assert lost == {"findReplace": {}}
    assert book.rows() == [["CLAIMED a.0 me"], ["pending a.0"], ["PENDING a.0 more"]]


def test_a_replacement_within_cells_counts_occurrences_and_may_ignore_case(book: Book) -> None:
    book.fill(["a-A-a", "b"])
    (reply,) = book.batch(replace("a", "x", matchCase=False))
    assert reply["findReplace"]["occurrencesChanged"] == 3
    assert book.rows() == [["x-x-x", "b"]]


def test_one_invalid_request_fails_all(book: Book) -> None:
    book.fill(["a"])
    failed = book.batch(replace("a", "b"), name("deleteNamedRange", "nobody"))
    assert failed["error"]["message"] == "Invalid requests[1].deleteNamedRange: No NamedRange with id: nobody"
    assert failed["error"]["status"] == "INVALID_ARGUMENT"
    assert book.rows() == [["a"]]


def test_a_named_range_is_there_once_and_fails_a_second_time(book: Book) -> None:
    book.batch(name("addNamedRange", "w1_0"))
    assert "already exists" in book.batch(name("addNamedRange", "w1_0"))["error"]["message"]
    book.batch(name("updateNamedRange", "w1_0"), name("deleteNamedRange", "w1_0"), name("addNamedRange", "w1_1"))
    assert "No NamedRange with id: w1_0" in book.batch(name("updateNamedRange", "w1_0"))["error"]["message"]


def test_a_named_range_follows_its_cells_and_hides_when_they_go(book: Book) -> None:
    inner = {"sheetId": 0, "startRowIndex": 4, "endRowIndex": 5, "startColumnIndex": 0, "endColumnIndex": 1}
    book.batch(name("addNamedRange", "w1_0", range=inner))

    def shown() -> list[dict[str, Any]]:
        answer = book.call("GET", "?fields=namedRanges")
        assert answer.body is not None
        return answer.body.get("namedRanges", [])

    rows = {"sheetId": 0, "dimension": "ROWS"}
    book.batch({"insertDimension": {"range": {**rows, "startIndex": 0, "endIndex": 2}}})
    assert shown()[0]["range"]["startRowIndex"] == 6
    book.batch({"deleteDimension": {"range": {**rows, "startIndex": 5, "endIndex": 8}}})
    assert shown() == []
    assert "already exists" in book.batch(name("addNamedRange", "w1_0"))["error"]["message"]


def test_appended_cells_come_behind_the_last_and_stay_text(book: Book) -> None:
    book.fill(["a"], [""], ["b"])
    row = {"values": [{"userEnteredValue": {"stringValue": "=1+1"}}, {"userEnteredValue": {"numberValue": 7}}]}
    book.batch({"appendCells": {"sheetId": 0, "rows": [row], "fields": "userEnteredValue"}})
    assert book.rows() == [["a"], [], ["b"], ["=1+1", "7"]]


def test_a_full_grid_grows_under_appended_cells(book: Book) -> None:
    book.batch(
        {
            "updateSheetProperties": {
                "properties": {"gridProperties": {"rowCount": 1}},
                "fields": "gridProperties.rowCount",
            }
        }
    )
    book.fill(["a"])
    row = {"values": [{"userEnteredValue": {"stringValue": "b"}}]}
    book.batch({"appendCells": {"sheetId": 0, "rows": [row], "fields": "*"}})
    assert book.rows("A1:A2") == [["a"], ["b"]]


def test_duplicates_go_by_the_columns_compared_whatever_their_case(book: Book) -> None:
    book.fill(["x", "1", "n1"], ["X", "1", "n2"], ["y", "1", "n3"], ["x", "2", "n4"])
    columns = [{"sheetId": 0, "dimension": "COLUMNS", "startIndex": 0, "endIndex": 2}]
    (reply,) = book.batch({"deleteDuplicates": {"range": WHOLE, "comparisonColumns": columns}})
    assert reply == {"deleteDuplicates": {"duplicatesRemovedCount": 1}}
    assert book.rows() == [["x", "1", "n1"], ["y", "1", "n3"], ["x", "2", "n4"]]


def test_sorting_moves_whole_rows_of_its_range_and_leaves_the_empty_last(book: Book) -> None:
    book.fill(["b", "1"], ["", "2"], ["a", "3"])
    book.batch({"sortRange": {"range": WHOLE, "sortSpecs": [{"dimensionIndex": 0, "sortOrder": "DESCENDING"}]}})
    assert book.rows() == [["b", "1"], ["a", "3"], ["", "2"]]


def test_the_state_after_a_batch_comes_with_its_answer(book: Book) -> None:
    answer = book.batch(
        replace("a", "b"),
        includeSpreadsheetInResponse=True,
        responseIncludeGridData=True,
        responseRanges=["A1:A1"],
    )
    assert answer["updatedSpreadsheet"]["sheets"][0]["properties"]["title"] == "Sheet1"


def test_two_tabs_of_one_title_are_refused(book: Book) -> None:
    book.batch({"addSheet": {"properties": {"title": "Tasks"}}})
    message = book.batch({"addSheet": {"properties": {"title": "tasks"}}})["error"]["message"]
    assert 'A sheet with the name "tasks" already exists' in message


def test_an_unknown_request_is_refused_by_name(book: Book) -> None:
    assert 'Unknown name "paint"' in book.batch({"paint": {}})["error"]["message"]


def test_a_range_beyond_the_grid_says_how_large_it_is(book: Book) -> None:
    answer = book.call("GET", "/values/A2000")
    assert answer.status == 400
    assert answer.body is not None
    assert "exceeds grid limits. Max rows: 1000, max columns: 26" in answer.body["error"]["message"]


def test_a_range_that_cannot_be_read_says_so(book: Book) -> None:
    answer = book.call("GET", "/values/Nowhere!A1")
    assert answer.body is not None
    assert answer.body["error"]["message"] == "Unable to parse range: Nowhere!A1"


def test_a_failed_write_changes_nothing(book: Book) -> None:
    data = [{"range": "A1", "values": [["x"]]}, {"range": "Nowhere!A1", "values": [["y"]]}]
    assert book.call("POST", "/values:batchUpdate", {"valueInputOption": "RAW", "data": data}).status == 400
    assert book.rows() == []
