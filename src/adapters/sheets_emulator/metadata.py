"""What `spreadsheets.get` answers, under its field masks."""

from typing import Any

from adapters.sheets_emulator.a1 import Box
from adapters.sheets_emulator.cells import Cell, formatted
from adapters.sheets_emulator.sheet import Sheet
from adapters.sheets_emulator.workbook import Workbook, as_grid_range


def spreadsheet(book: Workbook, boxes: list[tuple[Sheet, Box]] | None, *, with_data: bool) -> dict[str, Any]:
    """The whole answer; `boxes` (None: all) are the ranges asked for."""
    wanted = book.sheets if boxes is None else [s for s in book.sheets if any(sheet is s for sheet, _ in boxes)]
    sheets = []
    for sheet in wanted:
        body = _sheet(book, sheet)
        if with_data:
            ranges = [box for other, box in boxes or [(sheet, sheet.whole())] if other is sheet]
            body["data"] = [_grid_data(sheet, box) for box in ranges]
        sheets.append(body)
    answer: dict[str, Any] = {
        "spreadsheetId": book.id,
        "properties": {
            "title": book.title,
            "locale": book.locale,
            "autoRecalc": "ON_CHANGE",
            "timeZone": book.time_zone,
        },
        "sheets": sheets,
        "spreadsheetUrl": f"https://docs.google.com/spreadsheets/d/{book.id}/edit",
    }
    # a range whose cells were deleted is hidden, and keeps its name
    named = [
        {"namedRangeId": one.id, "name": one.name, "range": as_grid_range(one.sheet, one.box)}
        for one in book.named_ranges.values()
        if one.box is not None
    ]
    if named:
        answer["namedRanges"] = named
    return answer


def sheet_properties(sheet: Sheet, index: int) -> dict[str, Any]:
    grid: dict[str, Any] = {"rowCount": sheet.row_count, "columnCount": sheet.column_count}
    if sheet.frozen_rows:
        grid["frozenRowCount"] = sheet.frozen_rows
    if sheet.frozen_columns:
        grid["frozenColumnCount"] = sheet.frozen_columns
    grid |= {name: value for name, value in sheet.properties.get("grid", {}).items() if value}
    plain = {name: value for name, value in sheet.properties.items() if name != "grid"}
    return {
        "sheetId": sheet.id,
        "title": sheet.title,
        "index": index,
        "sheetType": "GRID",
        "gridProperties": grid,
        **plain,
    }


def _sheet(book: Workbook, sheet: Sheet) -> dict[str, Any]:
    body: dict[str, Any] = {"properties": sheet_properties(sheet, book.sheets.index(sheet))}
    if sheet.merges:
        body["merges"] = [as_grid_range(sheet.id, box) for box in sheet.merges]
    protected = [r for r in book.protected_ranges.values() if r["range"].get("sheetId", 0) == sheet.id]
    if protected:
        body["protectedRanges"] = protected
    if sheet.basic_filter:
        body["basicFilter"] = sheet.basic_filter
    for dimension, name in (("ROWS", "rowGroups"), ("COLUMNS", "columnGroups")):
        if sheet.groups[dimension]:
            body[name] = sheet.groups[dimension]
    return body


def _grid_data(sheet: Sheet, box: Box) -> dict[str, Any]:
    box = box.within(sheet.row_count, sheet.column_count)
    data: dict[str, Any] = {}
    if box.top:
        data["startRow"] = box.top
    if box.left:
        data["startColumn"] = box.left
    rows = []
    for row in range(box.top, min(box.bottom or 0, len(sheet.rows))):
        cells = sheet.rows[row][box.left : box.right]
        rows.append({"values": [_cell_data(cell) for cell in cells]} if cells else {})
    if rows:
        data["rowData"] = rows
    data["rowMetadata"] = _dimension(sheet, "ROWS", box.top, box.bottom or 0, pixels=21)
    data["columnMetadata"] = _dimension(sheet, "COLUMNS", box.left, box.right or 0, pixels=100)
    return data


def _dimension(sheet: Sheet, dimension: str, start: int, end: int, *, pixels: int) -> list[dict[str, Any]]:
    hidden = sheet.hidden[dimension]
    return [{"pixelSize": pixels, **({"hiddenByUser": True} if n in hidden else {})} for n in range(start, end)]


def _cell_data(cell: Cell | None) -> dict[str, Any]:
    if cell is None:
        return {}
    data: dict[str, Any] = {}
    if cell.value is not None or cell.formula is not None:
        kind = {bool: "boolValue", int: "numberValue", float: "numberValue"}.get(type(cell.value), "stringValue")
        data["effectiveValue"] = {kind: cell.value}
        data["userEnteredValue"] = {"formulaValue": cell.formula} if cell.formula else {kind: cell.value}
        data["formattedValue"] = formatted(cell)
    if cell.note:
        data["note"] = cell.note
    return data


def masked(value: Any, mask: str) -> Any:
    """`value` reduced to what the field mask names: ``sheets.properties(title,index),namedRanges``."""
    return _reduce(value, _parse_mask(mask.replace("/", ".")))


Tree = dict[str, "Tree"]


def _parse_mask(mask: str) -> Tree:
    tree: Tree = {}
    for path in _split(mask):
        node, rest = tree, path
        while rest:
            head, mark, rest = _head(rest)
            node = node.setdefault(head, {})
            if mark == "(":
                for name, child in _parse_mask(rest.removesuffix(")")).items():
                    node.setdefault(name, {}).update(child)
                break
    return tree


def _head(path: str) -> tuple[str, str, str]:
    for place, letter in enumerate(path):
        if letter in ".(":
            return path[:place], letter, path[place + 1 :]
    return path, "", ""


def _split(mask: str) -> list[str]:
    """At the commas that are in no parentheses."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(mask):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(mask[start:place])
            start = place + 1
    return [part.strip() for part in [*parts, mask[start:]] if part.strip()]


def _reduce(value: Any, tree: Tree) -> Any:
    if not tree or "*" in tree:
        return value
    if isinstance(value, list):
        return [_reduce(one, tree) for one in value]
    if isinstance(value, dict):
        reduced = {name: _reduce(value[name], tree[name]) for name in tree if name in value}
        # rows and cells of which nothing was asked for are not there: an empty list is left out
        return {name: one for name, one in reduced.items() if one != []}
    return value
