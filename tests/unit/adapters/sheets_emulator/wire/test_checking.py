"""Bodies that Google's front end would not let through."""

from typing import Any

import pytest

from adapters.sheets_emulator.wire.checking import check_mask, checked
from adapters.sheets_emulator.wire.errors import ApiError
from adapters.sheets_emulator.wire.masks import parse_mask
from adapters.sheets_emulator.wire.schema import ENUMS, MESSAGES


def request(**kind: Any) -> dict[str, Any]:
    return {"requests": [kind]}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"request": []}, 'Invalid JSON payload received. Unknown name "request": Cannot find field.'),
        (
            request(DeleteRange={}),
            "Invalid JSON payload received. Unknown name \"DeleteRange\" at 'requests[0]': Cannot find field.",
        ),
        (
            request(addSheet={"find": "x"}),
            "Invalid JSON payload received. Unknown name \"find\" at 'requests[0].add_sheet': Cannot find field.",
        ),
        (request(findReplace={"find": 5}), "Invalid value at 'requests[0].find_replace.find' (TYPE_STRING), 5"),
        (
            request(deleteDimension={"range": {"startIndex": "abc"}}),
            "Invalid value at 'requests[0].delete_dimension.range.start_index' (TYPE_INT32), \"abc\"",
        ),
        (
            request(deleteDimension={"range": {"dimension": "ROW"}}),
            (
                "Invalid value at 'requests[0].delete_dimension.range.dimension' "
                '(type.googleapis.com/google.apps.sheets.v4.Dimension), "ROW"'
            ),
        ),
        (
            request(deleteDimension={"range": {"startIndex": -1}}),
            "Invalid value at 'requests[0].delete_dimension.range.start_index' (TYPE_INT32), -1",
        ),
        (
            {"requests": [], "includeSpreadsheetInResponse": "yes"},
            "Invalid value at 'include_spreadsheet_in_response' (TYPE_BOOL), \"yes\"",
        ),
        (
            request(updateCells={"rows": [{"values": [{"userEnteredValue": {"numberValue": "x"}}]}]}),
            (
                "Invalid value at 'requests[0].update_cells.rows[0].values[0].user_entered_value.number_value' "
                '(TYPE_DOUBLE), "x"'
            ),
        ),
        (
            {"requests": ["repeatCell"]},
            "Invalid value at 'requests[0]' (type.googleapis.com/google.apps.sheets.v4.Request), \"repeatCell\"",
        ),
    ],
)
def test_a_body_that_cannot_be_read_says_where(body: Any, message: str) -> None:
    with pytest.raises(ApiError) as refused:
        checked(body, "BatchUpdateSpreadsheetRequest")
    assert str(refused.value) == message
    assert refused.value.details[0]["fieldViolations"][0]["description"] == message


def test_names_may_be_in_snake_case_and_numbers_in_quotes() -> None:
    body = request(
        delete_dimension={"range": {"sheet_id": "7", "end_index": 2.0}},
    )
    range_ = {"sheetId": 7, "endIndex": 2}
    assert checked(body, "BatchUpdateSpreadsheetRequest") == request(deleteDimension={"range": range_})


def test_a_null_is_as_good_as_nothing() -> None:
    assert checked(request(deleteSheet={"sheetId": None}), "BatchUpdateSpreadsheetRequest") == request(deleteSheet={})


def test_a_mask_that_names_no_field_of_the_answer_says_which() -> None:
    with pytest.raises(ApiError, match=r"Request contains an invalid argument\.") as refused:
        check_mask(parse_mask("sheets.sheetProperties"), "Spreadsheet")
    (violation,) = refused.value.details[0]["fieldViolations"]
    assert violation["description"].endswith("Cannot find matching fields for path 'sheets.sheetProperties'.")


def test_every_type_in_the_schema_is_known() -> None:
    known = {"string", "int", "index", "number", "bool", "any", *ENUMS, *MESSAGES}
    assert {kind.strip("[]") for fields in MESSAGES.values() for kind in fields.values()} <= known
