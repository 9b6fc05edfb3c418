"""Values, read and written in rectangles."""

import pytest

from tests.unit.adapters.sheets_emulator.book import Book


def test_trailing_empty_cells_are_left_out(book: Book) -> None:
    book.fill(["a", "", "c", ""], [""], ["", "b"], [""])
    assert book.get("/values/A1:D9") == {
        "range": "Sheet1!A1:D9",
        "majorDimension": "ROWS",
        "values": [["a", "", "c"], [], ["", "b"]],
    }
    assert book.get("/values/D5") == {"range": "Sheet1!D5", "majorDimension": "ROWS"}


def test_columns_may_come_instead_of_rows(book: Book) -> None:
    book.fill(["a", "b"], ["c"])
    assert book.rows("A1:B2", "?majorDimension=COLUMNS") == [["a", "c"], ["b"]]
    body = {"majorDimension": "COLUMNS", "values": [["x", "y"]]}
    book.call("PUT", "/values/C1:C2?valueInputOption=RAW", body)
    assert book.rows("C1:C2") == [["x"], ["y"]]


def test_null_leaves_a_cell_and_an_empty_text_clears_it(book: Book) -> None:
    book.fill(["a", "b"])
    answer = book.call("PUT", "/values/A1:B1?valueInputOption=RAW", {"values": [[None, ""]]})
    assert isinstance(answer.body, dict)
    assert answer.body["updatedCells"] == 1
    assert book.rows() == [["a"]]


@pytest.mark.parametrize(
    ("range_", "values", "text"),
    [
        ("A1:B1", [["1", "2", "3"]], "Requested writing within range [Sheet1!A1:B1], but tried writing to column [C]"),
        ("A1:B1", [["1"], ["2"]], "Requested writing within range [Sheet1!A1:B1], but tried writing to row [2]"),
        ("A1001", [["1"]], "Range (Sheet1!A1001) exceeds grid limits. Max rows: 1000, max columns: 26"),
        ("Z1", [["1", "2"]], "Range (Sheet1!Z1:AA1) exceeds grid limits. Max rows: 1000, max columns: 26"),
        ("Nowhere!A1", [["1"]], "Unable to parse range: Nowhere!A1"),
        ("A1", ["x"], "Invalid value at 'data.values[0]' (type.googleapis.com/google.protobuf.ListValue), \"x\""),
        ("A1", [["a", ["b"]]], "Invalid values[0][1]: list_value ['b']"),
    ],
)
def test_a_write_that_does_not_fit_is_refused(book: Book, range_: str, values: object, text: str) -> None:
    assert book.error("PUT", f"/values/{range_}?valueInputOption=RAW", {"values": values}) == text


def test_a_write_must_say_how_it_is_to_be_read(book: Book) -> None:
    assert book.error("PUT", "/values/A1", {"values": [["x"]]}) == "'valueInputOption' is required but not specified"


@pytest.mark.parametrize("text", ["Nowhere!A1", "A1:B2:C3", "Nowhere"])
def test_a_range_that_means_nothing_says_so(book: Book, text: str) -> None:
    assert book.error("GET", f"/values/{text}") == f"Unable to parse range: {text}"


def test_a_range_that_begins_beyond_the_grid_says_how_large_it_is(book: Book) -> None:
    expected = "Range (Sheet1!A2000) exceeds grid limits. Max rows: 1000, max columns: 26"
    assert book.error("GET", "/values/A2000") == expected


def test_a_write_answers_with_what_became_of_it_when_asked(book: Book) -> None:
    query = "?valueInputOption=USER_ENTERED&includeValuesInResponse=true&responseValueRenderOption=UNFORMATTED_VALUE"
    answer = book.call("PUT", f"/values/A1{query}", {"values": [["50%"]]})
    assert isinstance(answer.body, dict)
    assert answer.body["updatedData"] == {"range": "Sheet1!A1", "majorDimension": "ROWS", "values": [[0.5]]}


def test_appended_values_come_behind_their_table(book: Book) -> None:
    book.fill(["ID", "URL"], ["1", "x"], [""], ["other table"])
    answer = book.call("POST", "/values/A1:append?valueInputOption=RAW", {"values": [["2", "y"]]})
    assert isinstance(answer.body, dict)
    assert answer.body["tableRange"] == "Sheet1!A1:B2"
    assert answer.body["updates"]["updatedRange"] == "Sheet1!A3:B3"
    assert book.rows() == [["ID", "URL"], ["1", "x"], ["2", "y"], ["other table"]]


def test_appended_values_may_push_the_rest_down_with_its_names(book: Book) -> None:
    book.fill(["1"], [""], ["below"])
    cells = {"startRowIndex": 2, "endRowIndex": 3, "startColumnIndex": 0, "endColumnIndex": 1}
    book.batch({"addNamedRange": {"namedRange": {"name": "below", "range": cells}}})
    query = "?valueInputOption=RAW&insertDataOption=INSERT_ROWS"
    book.call("POST", f"/values/A1:append{query}", {"values": [["2"], ["3"]]})
    assert book.rows() == [["1"], ["2"], ["3"], [], ["below"]]
    assert book.rows("below") == [["below"]]


def test_several_ranges_are_read_written_and_cleared_at_once(book: Book) -> None:
    data = [{"range": "A1", "values": [["x"]]}, {"range": "B2:C2", "values": [["y", "z"]]}]
    answer = book.call("POST", "/values:batchUpdate", {"valueInputOption": "RAW", "data": data})
    assert isinstance(answer.body, dict)
    assert (answer.body["totalUpdatedCells"], answer.body["totalUpdatedSheets"]) == (3, 1)
    found = book.get("/values:batchGet?ranges=A1&ranges=B2:C2")["valueRanges"]
    assert [one["values"] for one in found] == [[["x"]], [["y", "z"]]]
    answer = book.call("POST", "/values:batchClear", {"ranges": ["A1", "C:C"]})
    assert answer.body == {"spreadsheetId": book.id, "clearedRanges": ["Sheet1!A1", "Sheet1!C1:C1000"]}
    assert book.rows() == [[], ["", "y"]]


def test_a_failed_write_changes_nothing_and_names_the_part_that_failed(book: Book) -> None:
    data = [{"range": "A1", "values": [["x"]]}, {"range": "Nowhere!A1", "values": [["y"]]}]
    error = book.error("POST", "/values:batchUpdate", {"valueInputOption": "RAW", "data": data})
    assert error == "Invalid data[1]: Unable to parse range: Nowhere!A1"
    assert book.rows() == []


def test_reading_changes_nothing(book: Book) -> None:
    before = book.person.book
    book.rows()
    book.get("")
    assert book.person.book is before
