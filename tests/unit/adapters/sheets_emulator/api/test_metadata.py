"""What spreadsheets.get answers."""

import json
from typing import Any

from tests.unit.adapters.sheets_emulator.book import Book


def cells(book: Book, query: str) -> list[list[dict[str, Any]]]:
    rows = book.get(query)["sheets"][0]["data"][0].get("rowData", [])
    return [row.get("values", []) for row in rows]


def test_every_kind_of_value_comes_as_what_it_is(book: Book) -> None:
    book.fill(["a", "1.5", "TRUE", "=1/0", "=1+1"], option="USER_ENTERED")
    ((text, number, truth, failed, sum_),) = cells(book, "?includeGridData=true")
    assert text["userEnteredValue"] == text["effectiveValue"] == {"stringValue": "a"}
    assert number["effectiveValue"] == {"numberValue": 1.5}
    assert truth["effectiveValue"] == {"boolValue": True}
    assert failed["effectiveValue"] == {"errorValue": {"type": "DIVIDE_BY_ZERO"}}
    assert sum_["userEnteredValue"] == {"formulaValue": "=1+1"}
    assert sum_["effectiveValue"] == {"numberValue": 2}


def test_data_come_only_for_the_ranges_asked_for(book: Book) -> None:
    book.fill(["a", "b"], ["c", "d"])
    (sheet,) = book.get("?ranges=B2:B2&includeGridData=true")["sheets"]
    assert (sheet["data"][0]["startRow"], sheet["data"][0]["startColumn"]) == (1, 1)
    assert cells(book, "?ranges=B2:B2&includeGridData=true")[0][0]["formattedValue"] == "d"


def test_a_mask_with_data_in_it_brings_them_whatever_else_was_said(book: Book) -> None:
    book.fill(["a"])
    query = "?fields=sheets.data.rowData.values.formattedValue&includeGridData=false"
    assert cells(book, query) == [[{"formattedValue": "a"}]]
    assert book.get("?fields=sheets.properties.title&includeGridData=true") == {
        "sheets": [{"properties": {"title": "Sheet1"}}]
    }


def test_a_mask_that_names_nothing_known_is_refused(book: Book) -> None:
    assert book.error("GET", "?fields=sheets.sheetProperties") == "Request contains an invalid argument."


def test_a_spreadsheet_can_be_made_with_tabs(book: Book) -> None:
    wanted = {"properties": {"title": "New", "locale": "pt_BR"}, "sheets": [{"properties": {"title": "Tarefas"}}]}
    answer = book.service.handle("POST", "/v4/spreadsheets", json.dumps(wanted).encode())
    assert isinstance(answer.body, dict)
    assert answer.body["properties"]["locale"] == "pt_BR"
    assert [sheet["properties"]["title"] for sheet in answer.body["sheets"]] == ["Tarefas"]


def test_what_is_not_there_is_not_found(book: Book) -> None:
    answer = book.service.handle("GET", "/v4/spreadsheets/nowhere")
    assert (answer.status, answer.body) == (
        404,
        {"error": {"code": 404, "message": "Requested entity was not found.", "status": "NOT_FOUND"}},
    )
