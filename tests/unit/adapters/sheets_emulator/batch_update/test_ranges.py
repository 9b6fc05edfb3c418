"""Named ranges (the fence is one), protection, merging, filters."""

from typing import Any

import pytest

from tests.unit.adapters.sheets_emulator.book import Book

HEAD = {"startRowIndex": 0, "endRowIndex": 1, "startColumnIndex": 0, "endColumnIndex": 1}
FIFTH = {"startRowIndex": 4, "endRowIndex": 5, "startColumnIndex": 0, "endColumnIndex": 1}


def add(name: str, cells: dict[str, int] = HEAD, identifier: str = "") -> dict[str, Any]:
    return {"addNamedRange": {"namedRange": {"namedRangeId": identifier or name, "name": name, "range": cells}}}


def touch(identifier: str) -> dict[str, Any]:
    return {"updateNamedRange": {"namedRange": {"namedRangeId": identifier, "name": identifier}, "fields": "name"}}


def remove(identifier: str) -> dict[str, Any]:
    return {"deleteNamedRange": {"namedRangeId": identifier}}


def shown(book: Book) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = book.get("?fields=namedRanges").get("namedRanges", [])
    return found


def test_a_fence_moves_once_and_fails_a_second_time(book: Book) -> None:
    book.batch(add("w1_0"))
    fence = [touch("w1_0"), remove("w1_0"), add("w1_1")]
    assert book.batch(*fence)[:2] == [{}, {}]
    assert book.batch(*fence)["error"]["message"] == "Invalid requests[0].updateNamedRange: No NamedRange with id: w1_0"
    assert [one["name"] for one in shown(book)] == ["w1_1"]


def test_neither_name_nor_id_may_be_there_twice(book: Book) -> None:
    book.batch(add("w1_0"))
    taken = "Cannot add named range with name: W1_0, a named range with that name already exists."
    assert book.refusal(add("W1_0", identifier="other")) == taken
    assert book.refusal(add("other", identifier="w1_0")).startswith("Cannot add named range with id: w1_0")


@pytest.mark.parametrize("name", ["", "A1", "R1C1", "true", "1st", "a b", "Sheet1!x", "x" * 251, "r2"])
def test_a_name_that_reads_as_something_else_is_refused(book: Book, name: str) -> None:
    assert book.refusal(add(name, identifier="id")) == f"Invalid name: {name}"


def test_a_named_range_follows_its_cells_and_hides_but_keeps_its_name_when_they_go(book: Book) -> None:
    book.batch(add("w1_0", FIFTH))
    book.person.insert_rows("Sheet1", 1, 2)
    assert shown(book)[0]["range"]["startRowIndex"] == 6
    book.person.delete_rows("Sheet1", 6, 3)
    assert shown(book) == []
    assert "already exists" in book.refusal(add("w1_0", identifier="other"))
    book.batch(remove("w1_0"))
    book.batch(add("w1_0"))


def test_the_names_of_a_deleted_tab_are_hidden_and_stay(book: Book) -> None:
    book.person.add_tab("Gone")
    sheet = book.person.book.sheets[1].id
    book.batch(add("w1_0", {**HEAD, "sheetId": sheet}))
    book.person.delete_tab("Gone")
    assert shown(book) == []
    assert "already exists" in book.refusal(add("w1_0", identifier="other"))


def test_a_range_can_be_moved_and_renamed_at_once(book: Book) -> None:
    book.batch(add("one", identifier="id"))
    named = {"namedRangeId": "id", "name": "other", "range": FIFTH}
    book.batch({"updateNamedRange": {"namedRange": named, "fields": "*"}})
    assert shown(book) == [named]


def test_open_ends_are_left_out(book: Book) -> None:
    (reply,) = book.batch(add("column", {"startColumnIndex": 1, "endColumnIndex": 2}))
    assert reply["addNamedRange"]["namedRange"]["range"] == {"startColumnIndex": 1, "endColumnIndex": 2}


def test_a_range_is_read_by_its_name(book: Book) -> None:
    book.fill(["a"], ["b"])
    book.batch(add("second", {**HEAD, "startRowIndex": 1, "endRowIndex": 2}))
    assert book.get("/values/second") == {"range": "Sheet1!A2", "majorDimension": "ROWS", "values": [["b"]]}


PROTECTED = (
    "You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if "
    "you need to edit."
)
WRITES = [
    {"updateCells": {"rows": [{"values": [{}]}], "fields": "note", "start": {"rowIndex": 1}}},
    {"findReplace": {"find": "a", "replacement": "x", "allSheets": True}},
    {"sortRange": {"range": {}, "sortSpecs": [{"dimensionIndex": 0}]}},
    {"deleteDimension": {"range": {"dimension": "ROWS", "startIndex": 1, "endIndex": 2}}},
    {"deleteDuplicates": {"range": {}}},
]


@pytest.mark.parametrize("write", WRITES, ids=lambda write: next(iter(write)))
def test_who_is_no_editor_cannot_write_where_it_is_protected(book: Book, write: dict[str, Any]) -> None:
    book.fill(["head"], ["a"])
    book.person.protect("Sheet1", "A2:B2", editors=["maria@x"])
    assert book.refusal(write, user="joao@x") == PROTECTED
    assert "error" not in book.batch(write, user="maria@x")


def test_values_are_protected_too(book: Book) -> None:
    book.person.protect("Sheet1", "A2:B2")
    assert book.error("PUT", "/values/A2?valueInputOption=RAW", {"values": [["x"]]}, user="joao@x") == PROTECTED
    assert book.error("POST", "/values/A:A:clear", user="joao@x") == PROTECTED
    assert book.call("PUT", "/values/A3?valueInputOption=RAW", {"values": [["x"]]}, user="joao@x").status == 200


def test_whoever_protects_a_range_stays_its_editor_and_others_learn_that_they_are_not(book: Book) -> None:
    (reply,) = book.batch({"addProtectedRange": {"protectedRange": {"range": HEAD}}}, user="maria@x")
    protected = reply["addProtectedRange"]["protectedRange"]
    assert protected["editors"] == {"users": ["maria@x"]}
    answer = book.call("GET", "?fields=sheets.protectedRanges", user="joao@x")
    assert isinstance(answer.body, dict)
    (seen,) = answer.body["sheets"][0]["protectedRanges"]
    assert "requestingUserCanEdit" not in seen


def test_a_protected_range_can_be_changed_and_removed(book: Book) -> None:
    book.person.protect("Sheet1", "A1")
    (identifier,) = book.person.book.protected_ranges
    moved = {"protectedRangeId": identifier, "range": FIFTH, "editors": {"users": ["maria@x"]}}
    book.batch({"updateProtectedRange": {"protectedRange": moved, "fields": "range,editors"}})
    assert book.call("POST", "/values/A1:clear", user="joao@x").status == 200
    assert book.error("POST", "/values/A5:clear", user="joao@x") == PROTECTED
    opened = {"protectedRangeId": identifier, "warningOnly": True}
    book.batch({"updateProtectedRange": {"protectedRange": opened, "fields": "warningOnly,editors"}})
    assert book.call("POST", "/values/A5:clear", user="joao@x").status == 200
    book.batch({"deleteProtectedRange": {"protectedRangeId": identifier}})
    again = {"deleteProtectedRange": {"protectedRangeId": identifier}}
    assert book.refusal(again) == f"No protected range with id: {identifier}"


def test_a_tab_is_protected_as_a_whole_once(book: Book) -> None:
    book.person.protect("Sheet1")
    whole = {"addProtectedRange": {"protectedRange": {"range": {"sheetId": 0}}}}
    assert book.refusal(whole) == 'Sheet "Sheet1" already has sheet protection.'


def test_a_warning_has_no_editors(book: Book) -> None:
    wanted = {"range": HEAD, "warningOnly": True, "editors": {"users": ["x"]}}
    expected = "ProtectedRange is warningOnly. Editors cannot be set on it."
    assert book.refusal({"addProtectedRange": {"protectedRange": wanted}}) == expected


def test_of_merged_cells_the_upper_left_value_stays(book: Book) -> None:
    book.fill(["a", "b"], ["c", "d"])
    cells = {"endRowIndex": 2, "endColumnIndex": 2}
    book.batch({"mergeCells": {"range": cells, "mergeType": "MERGE_ROWS"}})
    assert book.rows() == [["a"], ["c"]]
    assert len(book.get("")["sheets"][0]["merges"]) == 2
    book.batch({"unmergeCells": {"range": cells}})
    assert "merges" not in book.get("")["sheets"][0]


def test_a_filter_hides_rows_from_people_and_from_no_request(book: Book) -> None:
    book.fill(["head"], ["a"], ["b"])
    cells, hidden = {"endRowIndex": 3, "endColumnIndex": 1}, {"0": {"hiddenValues": ["a"]}}
    book.batch({"setBasicFilter": {"filter": {"range": cells, "criteria": hidden}}})
    rows = book.get("?fields=sheets.data.rowMetadata.hiddenByFilter")["sheets"][0]["data"][0]["rowMetadata"]
    assert rows[:3] == [{}, {"hiddenByFilter": True}, {}]
    (reply,) = book.batch(
        {"findReplace": {"find": "a", "replacement": "c", "allSheets": True, "matchEntireCell": True}}
    )
    assert reply["findReplace"]["valuesChanged"] == 1
    book.batch({"clearBasicFilter": {}})
    assert "basicFilter" not in book.get("")["sheets"][0]


def test_a_filter_may_sort_what_is_below_its_header(book: Book) -> None:
    book.fill(["z head"], ["b"], ["a"])
    wanted = {"range": {"endColumnIndex": 1}, "sortSpecs": [{"dimensionIndex": 0}]}
    book.batch({"setBasicFilter": {"filter": wanted}})
    assert book.rows() == [["z head"], ["a"], ["b"]]
