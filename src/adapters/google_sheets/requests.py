"""The requests of a batchUpdate, as plain values."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.google_sheets.words import printable, shortened

Request = Mapping[str, Any]

CELL_LIMIT = 50_000
"""Characters that Google allows in a cell (Sheets API, "Usage limits")."""


def replace_cell(sheet: int, column: int, old: str, new: str) -> Request:
    """Turn each cell of a column that holds exactly `old` into `new`; the reply says how many there were."""
    return {
        "findReplace": {
            "find": old,
            "replacement": new,
            "matchCase": True,
            "matchEntireCell": True,
            "range": {
                "sheetId": sheet,
                "startRowIndex": 1,
                "startColumnIndex": column,
                "endColumnIndex": column + 1,
            },
        }
    }


def replaced(reply: Mapping[str, Any]) -> int:
    """How many cells a `replace_cell` has changed: Google leaves a zero out."""
    return int(reply.get("findReplace", {}).get("occurrencesChanged", 0))


def append_rows(sheet: int, rows: Sequence[Mapping[int, str]]) -> Request:
    """Append rows below all that the tab holds; each a text by column."""
    return {
        "appendCells": {
            "sheetId": sheet,
            "rows": [_row(row) for row in rows],
            "fields": "userEnteredValue",
        }
    }


def insert_rows(sheet: int, rows: Sequence[Mapping[int, str]]) -> Sequence[Request]:
    """Insert rows right below the header."""
    return [
        {
            "insertDimension": {
                "range": {"sheetId": sheet, "dimension": "ROWS", "startIndex": 1, "endIndex": 1 + len(rows)},
                "inheritFromBefore": False,
            }
        },
        {
            "updateCells": {
                "start": {"sheetId": sheet, "rowIndex": 1, "columnIndex": 0},
                "rows": [_row(row) for row in rows],
                "fields": "userEnteredValue",
            }
        },
    ]


def write_cells(sheet: int, row: int, column: int, texts: Sequence[str]) -> Request:
    """Write texts by position, to the right from `column` (both from 0)."""
    return {
        "updateCells": {
            "start": {"sheetId": sheet, "rowIndex": row, "columnIndex": column},
            "rows": [{"values": [_cell(text) for text in texts]}],
            "fields": "userEnteredValue",
        }
    }


def fold(sheet: int, columns: Sequence[int]) -> Request:
    """Remove each row below the header that equals an earlier one in all of `columns`, with all of its cells."""
    return {
        "deleteDuplicates": {
            "range": {"sheetId": sheet, "startRowIndex": 1},
            "comparisonColumns": [
                {"sheetId": sheet, "dimension": "COLUMNS", "startIndex": column, "endIndex": column + 1}
                for column in columns
            ],
        }
    }


def add_fence(name: str, sheet: int) -> Request:
    """A named range over the first header cell, under an id of ours: a second one of that id is refused."""
    return {"addNamedRange": {"namedRange": {"namedRangeId": name, "name": name, "range": _corner(sheet)}}}


def check_fence(name: str, sheet: int) -> Request:
    """Refused when there is no such fence; changes nothing."""
    return {
        "updateNamedRange": {
            "namedRange": {"namedRangeId": name, "name": name, "range": _corner(sheet)},
            "fields": "range",
        }
    }


def drop_fence(name: str) -> Request:
    """Refused when there is no such fence."""
    return {"deleteNamedRange": {"namedRangeId": name}}


def _corner(sheet: int) -> Mapping[str, int]:
    return {
        "sheetId": sheet,
        "startRowIndex": 0,
        "endRowIndex": 1,
        "startColumnIndex": 0,
        "endColumnIndex": 1,
    }


def _row(cells: Mapping[int, str]) -> Mapping[str, Any]:
    width = max(cells, default=-1) + 1
    return {"values": [_cell(cells.get(column, "")) for column in range(width)]}


def _cell(text: str) -> Mapping[str, Any]:
    if not text:
        return {}
    # a string stays what it is: nothing in it becomes a formula, a number or a date
    return {"userEnteredValue": {"stringValue": shortened(printable(text), CELL_LIMIT)}}
