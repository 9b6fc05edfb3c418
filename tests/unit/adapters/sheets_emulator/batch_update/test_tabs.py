"""Tabs, and the spreadsheet itself."""

from typing import Any

import pytest

from tests.unit.adapters.sheets_emulator.book import Book


def add(title: str = "", **more: Any) -> dict[str, Any]:
    return {"addSheet": {"properties": {"title": title, **more}}}


def change(fields: str, **properties: Any) -> dict[str, Any]:
    return {"updateSheetProperties": {"properties": properties, "fields": fields}}


def titles(book: Book) -> list[str]:
    return [sheet["properties"]["title"] for sheet in book.get("?fields=sheets.properties.title")["sheets"]]


def test_a_new_tab_has_a_thousand_rows_and_the_next_number(book: Book) -> None:
    (reply,) = book.batch(add())
    properties = reply["addSheet"]["properties"]
    assert (properties["title"], properties["index"]) == ("Sheet2", 1)
    assert properties["gridProperties"] == {"rowCount": 1000, "columnCount": 26}


@pytest.mark.parametrize(
    ("requests", "text"),
    [
        ([add("Tasks"), add("tasks")], 'A sheet with the name "tasks" already exists. Please enter another name.'),
        ([add("x", sheetId=0)], "Sheet with id 0 already exists."),
        ([add("x", sheetId=-1)], "Sheet id must be non-negative."),
        ([add("x" * 101)], "The sheet name cannot be greater than 100 characters."),
        ([change("title", title="")], "The sheet name cannot be empty."),
        ([{"deleteSheet": {}}], "You can't remove all the visible sheets in a document."),
        ([change("hidden", hidden=True)], "You can't hide all the sheets in a document."),
        (
            [change("gridProperties.frozenRowCount", gridProperties={"frozenRowCount": 1000})],
            "You can't freeze all visible rows on the sheet.",
        ),
        (
            [change("gridProperties.rowCount", gridProperties={"rowCount": 0})],
            "A sheet must have at least one row and one column.",
        ),
    ],
)
def test_what_a_tab_cannot_be_is_refused(book: Book, requests: list[dict[str, Any]], text: str) -> None:
    assert book.refusal(*requests) == text


def test_tabs_are_moved_counting_their_own_old_place(book: Book) -> None:
    book.batch(add("B"), add("C"), change("index", sheetId=0, index=2))
    assert titles(book) == ["B", "Sheet1", "C"]


def test_a_tab_can_be_put_anywhere_and_deleted(book: Book) -> None:
    book.batch(add("First", index=0), {"deleteSheet": {"sheetId": 0}})
    assert titles(book) == ["First"]


def test_a_copy_has_all_that_is_in_it(book: Book) -> None:
    book.fill(["a"])
    (reply,) = book.batch({"duplicateSheet": {"sourceSheetId": 0, "insertSheetIndex": 1}})
    assert reply["duplicateSheet"]["properties"]["title"] == "Copy of Sheet1"
    assert book.rows("'Copy of Sheet1'!A1") == [["a"]]


def test_copies_get_titles_of_their_own(book: Book) -> None:
    book.batch({"duplicateSheet": {"insertSheetIndex": 1}}, {"duplicateSheet": {"insertSheetIndex": 2}})
    assert titles(book) == ["Sheet1", "Copy of Sheet1", "Copy of Sheet1 2"]


def test_a_tab_is_copied_into_another_spreadsheet(book: Book) -> None:
    book.fill(["a"])
    other = book.service.create("Other")
    answer = book.call("POST", "/sheets/0:copyTo", {"destinationSpreadsheetId": other.id})
    assert isinstance(answer.body, dict)
    assert answer.body["title"] == "Copy of Sheet1"
    assert [sheet.title for sheet in book.service.books[other.id].sheets] == ["Sheet1", "Copy of Sheet1"]


def test_colour_and_hidden_are_kept_until_they_are_taken_away(book: Book) -> None:
    book.batch(add("B"), change("tabColorStyle,hidden", tabColorStyle={"rgbColor": {"red": 1}}, hidden=True))
    properties = book.get("")["sheets"][0]["properties"]
    assert properties["tabColor"] == {"red": 1}
    assert properties["hidden"] is True
    book.batch(change("tabColorStyle,hidden"))
    assert {"tabColor", "tabColorStyle", "hidden"}.isdisjoint(book.get("")["sheets"][0]["properties"])


def test_title_zone_and_locale_of_the_spreadsheet_change(book: Book) -> None:
    properties = {"title": "Aulas", "locale": "pt_BR", "timeZone": "America/Sao_Paulo"}
    book.batch({"updateSpreadsheetProperties": {"properties": properties, "fields": "title,locale,timeZone"}})
    assert book.get("?fields=properties(title,locale,timeZone)") == {"properties": properties}
    book.fill(["1,5"], option="USER_ENTERED")
    assert book.rows(query="?valueRenderOption=UNFORMATTED_VALUE") == [[1.5]]
