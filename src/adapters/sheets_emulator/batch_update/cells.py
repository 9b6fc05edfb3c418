"""Requests that write cells."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from adapters.sheets_emulator.batch_update.batch import Batch, Request
from adapters.sheets_emulator.grid.a1 import Rectangle
from adapters.sheets_emulator.grid.cells import Cell
from adapters.sheets_emulator.grid.entry import as_formula, as_raw
from adapters.sheets_emulator.grid.locale import Locale
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.wire.checking import check_update_mask
from adapters.sheets_emulator.wire.errors import invalid
from adapters.sheets_emulator.wire.masks import Mask, merged, names, required_mask


def append_cells(batch: Batch, request: Request) -> None:
    """Write behind the last row with data, on a grid that grows."""
    mask = _mask(request)
    sheet = batch.book.sheet(request.get("sheetId", 0))
    rows = request.get("rows", [])
    box = Rectangle.at(sheet.last_row_with_data(sheet.whole()), 0, len(rows), _width(rows))
    batch.allow(sheet, box)
    sheet.grow(box.bottom, box.right)
    _write_rows(batch, sheet, box, rows, mask)


def update_cells(batch: Batch, request: Request) -> None:
    """Write rows of cells; a range wider or longer than they are is cleared of what the mask names."""
    mask, rows = _mask(request), request.get("rows", [])
    if "start" in request:
        start = request["start"]
        sheet = batch.book.sheet(start.get("sheetId", 0))
        box = Rectangle.at(start.get("rowIndex", 0), start.get("columnIndex", 0), len(rows), _width(rows))
        last_row, last_column = sheet.row_count, sheet.column_count
    elif "range" in request:
        sheet, box = batch.book.grid_range(request["range"])
        last_row, last_column = box.bottom, box.right
    else:
        raise invalid("Must specify a start or a range.")
    if box.top + len(rows) > last_row:
        raise invalid(f"Attempting to write row: {last_row}, beyond the last requested row of: {last_row - 1}")
    if box.left + _width(rows) > last_column:
        raise invalid(
            f"Attempting to write column: {last_column}, beyond the last requested column of: {last_column - 1}"
        )
    batch.allow(sheet, box)
    _write_rows(batch, sheet, box, rows, mask, uneven="start" in request)


def repeat_cell(batch: Batch, request: Request) -> None:
    """Write one cell all over a range."""
    mask = _mask(request)
    sheet, box = batch.book.grid_range(request.get("range", {}))
    batch.allow(sheet, box)
    for row in range(box.top, box.bottom):
        for column in range(box.left, box.right):
            sheet.put(row, column, _written(sheet.get(row, column), request.get("cell", {}), mask, batch.book.writing))


def set_data_validation(batch: Batch, request: Request) -> None:
    """Keep a rule with the cells of a range, or take it away. Values are not held against it."""
    sheet, box = batch.book.grid_range(request.get("range", {}))
    batch.allow(sheet, box)
    for row in range(box.top, box.bottom):
        for column in range(box.left, box.right):
            sheet.put(row, column, evolve(sheet.get(row, column), validation=request.get("rule")))


def _mask(request: Request) -> Mask:
    mask = required_mask(request)
    check_update_mask(mask, "CellData")
    return mask


def _width(rows: Sequence[Mapping[str, Any]]) -> int:
    return max((len(row.get("values", [])) for row in rows), default=0)


def _write_rows(
    batch: Batch, sheet: Sheet, box: Rectangle, rows: Sequence[Request], mask: Mask, *, uneven: bool = True
) -> None:
    """`uneven`: a row writes as many cells as it has, and not all that `box` is wide."""
    locale = batch.book.writing
    for row in range(box.top, box.bottom):
        number = row - box.top
        data = rows[number].get("values", []) if number < len(rows) else []
        width = len(data) if uneven else box.width
        old = [sheet.get(row, column) for column in range(box.left, box.left + width)]
        new = [_written(cell, data[n] if n < len(data) else {}, mask, locale) for n, cell in enumerate(old)]
        sheet.put_row(row, box.left, new)


def _written(cell: Cell, data: Request, mask: Mask, locale: Locale) -> Cell:
    """`cell` with what the mask names of CellData."""
    if names(mask, "userEnteredValue"):
        cell = cell.holding(_entered(data.get("userEnteredValue", {}), locale))
    if names(mask, "note"):
        cell = evolve(cell, note=data.get("note") or None)
    if names(mask, "userEnteredFormat"):
        dress = merged(cell.format, data.get("userEnteredFormat"), mask.get("userEnteredFormat", {}))
        cell = evolve(cell, format=dress or None)
    if names(mask, "dataValidation"):
        cell = evolve(cell, validation=data.get("dataValidation"))
    return cell


def _entered(value: Request, locale: Locale) -> Cell:
    if "formulaValue" in value:
        return as_formula(value["formulaValue"], locale)
    for name in ("stringValue", "numberValue", "boolValue"):
        if name in value:
            return as_raw(value[name], locale)
    return Cell()
