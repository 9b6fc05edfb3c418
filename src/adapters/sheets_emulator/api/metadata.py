"""What `spreadsheets.get` answers."""

from typing import Any

from adapters.sheets_emulator.batch_update.dimensions import dimension_groups
from adapters.sheets_emulator.batch_update.ranges import as_protected_range
from adapters.sheets_emulator.grid.a1 import Box, Rectangle
from adapters.sheets_emulator.grid.cells import Cell
from adapters.sheets_emulator.grid.grid_range import as_grid_range
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.sheet_properties import sheet_properties
from adapters.sheets_emulator.grid.workbook import Workbook
from adapters.sheets_emulator.wire.masks import Mask, names

_PIXELS = {"ROWS": 21, "COLUMNS": 100}
_ERRORS = {
    "#ERROR!": "ERROR",
    "#NULL!": "NULL_VALUE",
    "#DIV/0!": "DIVIDE_BY_ZERO",
    "#VALUE!": "VALUE",
    "#REF!": "REF",
    "#NAME?": "NAME",
    "#NUM!": "NUM",
    "#N/A": "N_A",
}

Ranges = list[tuple[Sheet, Box]]


def spreadsheet(book: Workbook, ranges: Ranges | None, mask: Mask | None, *, user: str = "") -> dict[str, Any]:
    """A Spreadsheet for `user` ("" is the owner), limited to `ranges` unless they are None.

    `mask` says which of its grid data are wanted; None that they are not.
    """
    wanted = book.sheets if ranges is None else [s for s in book.sheets if any(sheet is s for sheet, _ in ranges)]
    answer: dict[str, Any] = {
        "spreadsheetId": book.id,
        "properties": {
            "title": book.title,
            "locale": book.locale,
            "autoRecalc": "ON_CHANGE",
            "timeZone": book.time_zone,
        },
        "sheets": [_sheet(book, sheet, ranges, mask, user) for sheet in wanted],
        "spreadsheetUrl": f"https://docs.google.com/spreadsheets/d/{book.id}/edit",
    }
    named = [
        {"namedRangeId": one.id, "name": one.name, "range": as_grid_range(one.sheet, one.box or Box())}
        for one in book.visible_names()
    ]
    return {**answer, "namedRanges": named} if named else answer


def _sheet(book: Workbook, sheet: Sheet, ranges: Ranges | None, mask: Mask | None, user: str) -> dict[str, Any]:
    body: dict[str, Any] = {"properties": sheet_properties(sheet, book.sheets.index(sheet))}
    if mask is not None:
        boxes = [Box()] if ranges is None else [box for other, box in ranges if other is sheet]
        body["data"] = [_grid_data(sheet, sheet.clip(box), mask) for box in boxes]
    if sheet.merges:
        body["merges"] = [as_grid_range(sheet.id, box) for box in sheet.merges]
    protected = [one for one in book.protected_ranges.values() if one.sheet == sheet.id]
    if protected:
        body["protectedRanges"] = [as_protected_range(one, user) for one in protected]
    if sheet.basic_filter:
        body["basicFilter"] = {"range": as_grid_range(sheet.id, sheet.basic_filter.box), **sheet.basic_filter.rest}
    for dimension, name in (("ROWS", "rowGroups"), ("COLUMNS", "columnGroups")):
        if sheet.groups[dimension]:
            body[name] = dimension_groups(sheet, dimension)
    return body


def _grid_data(sheet: Sheet, box: Rectangle, mask: Mask) -> dict[str, Any]:
    """Only what the mask names is worked out: a queue of 20,000 rows has as many heights that nobody asks for."""
    data: dict[str, Any] = {}
    if box.top:
        data["startRow"] = box.top
    if box.left:
        data["startColumn"] = box.left
    if names(mask, "rowData"):
        rows = [
            {"values": [_cell_data(cell) for cell in cells]} if cells else {}
            for cells in (row[box.left : box.right] for row in sheet.rows[box.top : box.bottom])
        ]
        if rows:
            data["rowData"] = rows
    if names(mask, "rowMetadata"):
        data["rowMetadata"] = [_dimension(sheet, "ROWS", row) for row in range(box.top, box.bottom)]
    if names(mask, "columnMetadata"):
        data["columnMetadata"] = [_dimension(sheet, "COLUMNS", column) for column in range(box.left, box.right)]
    return data


def _dimension(sheet: Sheet, dimension: str, place: int) -> dict[str, Any]:
    body: dict[str, Any] = {}
    if dimension == "ROWS" and sheet.basic_filter is not None and sheet.basic_filter.hides(sheet, place):
        body["hiddenByFilter"] = True
    if place in sheet.hidden[dimension]:
        body["hiddenByUser"] = True
    return {**body, "pixelSize": sheet.sizes[dimension].get(place, _PIXELS[dimension])}


def _cell_data(cell: Cell | None) -> dict[str, Any]:
    if cell is None:
        return {}
    data: dict[str, Any] = {}
    if cell.filled:
        kind = {bool: "boolValue", int: "numberValue", float: "numberValue"}.get(type(cell.value), "stringValue")
        value = {kind: cell.value}
        data["userEnteredValue"] = value if cell.formula is None else {"formulaValue": cell.formula}
        failed = _ERRORS.get(str(cell.value)) if cell.formula is not None else None
        data["effectiveValue"] = value if failed is None else {"errorValue": {"type": failed}}
        data["formattedValue"] = cell.text
    if cell.format:
        data["userEnteredFormat"] = data["effectiveFormat"] = cell.format
    if cell.note:
        data["note"] = cell.note
    if cell.validation:
        data["dataValidation"] = cell.validation
    return data
