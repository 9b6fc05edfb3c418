"""What a scripted person does to a sheet."""

import pytest

from tests.unit.adapters.sheets_emulator.book import Book


@pytest.fixture
def typed(book: Book) -> Book:
    for row in (["ID", "Status"], ["b", "PENDING"], ["a", "PENDING"]):
        book.person.append("Sheet1", *row)
    return book


def test_rows_are_typed_one_below_the_other(typed: Book) -> None:
    assert typed.person.rows("Sheet1") == [["ID", "Status"], ["b", "PENDING"], ["a", "PENDING"]]


def test_sorting_leaves_the_header(typed: Book) -> None:
    typed.person.sort("Sheet1", 1)
    assert [row[0] for row in typed.person.rows("sheet1")] == ["ID", "a", "b"]


def test_a_row_is_duplicated_below_itself(typed: Book) -> None:
    typed.person.duplicate_row("Sheet1", 2)
    assert [row[0] for row in typed.person.rows("Sheet1")] == ["ID", "b", "b", "a"]


def test_a_row_is_cut_into_another_tab(typed: Book) -> None:
    typed.person.add_tab("DLQ")
    typed.person.append("DLQ", "ID", "Status")
    typed.person.cut_row("Sheet1", 2, into="DLQ")
    assert typed.person.rows("Sheet1") == [["ID", "Status"], ["a", "PENDING"]]
    assert typed.person.rows("DLQ") == [["ID", "Status"], ["b", "PENDING"]]


def test_rows_and_columns_come_and_go(typed: Book) -> None:
    typed.person.insert_columns("Sheet1", 1)
    typed.person.insert_rows("Sheet1", 2, 2)
    assert typed.person.rows("Sheet1")[3] == ["", "b", "PENDING"]
    typed.person.delete_columns("Sheet1", 1)
    typed.person.delete_rows("Sheet1", 1, 3)
    assert typed.person.rows("Sheet1") == [["b", "PENDING"], ["a", "PENDING"]]


def test_tabs_come_go_and_change_their_title(typed: Book) -> None:
    typed.person.add_tab("Notes")
    typed.person.rename_tab("Sheet1", "Tarefas")
    assert [sheet.title for sheet in typed.person.book.sheets] == ["Tarefas", "Notes"]
    typed.person.delete_tab("Tarefas")
    assert [sheet.title for sheet in typed.person.book.sheets] == ["Notes"]
    with pytest.raises(ValueError, match="no tab Tarefas"):
        typed.person.rows("Tarefas")


def test_protection_does_not_hold_the_person(typed: Book) -> None:
    typed.person.protect("Sheet1")
    typed.person.type("Sheet1", "A2", "mine")
    assert typed.person.rows("Sheet1")[1][0] == "mine"


def test_a_copy_and_a_cut_fit_a_full_grid(typed: Book) -> None:
    grid = {"properties": {"sheetId": 0, "gridProperties": {"rowCount": 3}}, "fields": "gridProperties.rowCount"}
    typed.person.do({"updateSheetProperties": grid}, {"duplicateSheet": {"sourceSheetId": 0, "newSheetName": "Full"}})
    typed.person.duplicate_row("Sheet1", 3)
    typed.person.cut_row("Sheet1", 4, into="Full")
    assert [row[0] for row in typed.person.rows("Full")] == ["ID", "b", "a", "a"]
