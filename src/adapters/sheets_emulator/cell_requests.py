"""Requests about what is in cells."""

from attrs import evolve

from adapters.sheets_emulator.a1 import Box
from adapters.sheets_emulator.batch import Batch, Reply, Request, fields_of
from adapters.sheets_emulator.cells import Cell, formatted
from adapters.sheets_emulator.sheet import Sheet
from adapters.sheets_emulator.sorting import sort_key


def append_cells(batch: Batch, request: Request) -> None:
    sheet = batch.book.sheet(int(request.get("sheetId", 0)), batch.where)
    start = sheet.last_row_with_data(sheet.whole())
    _write_rows(batch, sheet, Box(start, 0), request.get("rows", []), fields_of(request), grow=True)


def update_cells(batch: Batch, request: Request) -> None:
    fields = fields_of(request)
    if "start" in request:
        start = request["start"]
        sheet = batch.book.sheet(int(start.get("sheetId", 0)), batch.where)
        box = Box(int(start.get("rowIndex", 0)), int(start.get("columnIndex", 0)))
    else:
        sheet, box = batch.book.grid_range(request.get("range", {}), batch.where)
    _write_rows(batch, sheet, box, request.get("rows", []), fields, grow=False)


def _write_rows(batch: Batch, sheet: Sheet, box: Box, rows: list[Request], fields: list[str], *, grow: bool) -> None:
    """Write cell data under a field mask. A range without rows for it is cleared of what the mask names."""
    if grow:
        sheet.grow(box.top + len(rows), max((len(row.get("values", [])) for row in rows), default=0))
    bottom = box.bottom if box.bottom is not None else box.top + len(rows)
    if bottom > sheet.row_count:
        raise batch.error(f"Attempting to write row: {sheet.row_count}, beyond the last row of the sheet.")
    for row in range(box.top, bottom):
        number = row - box.top
        data = rows[number].get("values", []) if number < len(rows) else []
        right = box.right if box.right is not None else box.left + len(data)
        for column in range(box.left, right):
            given = data[column - box.left] if column - box.left < len(data) else {}
            _write_cell(sheet, row, column, given, fields)


def _write_cell(sheet: Sheet, row: int, column: int, given: Request, fields: list[str]) -> None:
    cell = sheet.get(row, column) or Cell()
    everything = "*" in fields
    if everything or "note" in fields:
        cell = evolve(cell, note=given.get("note") or None)
    if everything or any(name.startswith("userEnteredValue") for name in fields):
        cell = evolve(_extended_value(given.get("userEnteredValue", {})), note=cell.note)
    sheet.put(row, column, None if cell.empty else cell)


def _extended_value(value: Request) -> Cell:
    if "formulaValue" in value:
        return Cell("#ERROR!", formula=value["formulaValue"])
    for name in ("stringValue", "numberValue", "boolValue"):
        if name in value:
            return Cell(value[name] if value[name] != "" else None)
    return Cell()


def find_replace(batch: Batch, request: Request) -> Reply:
    """Replies with counts, the zero ones left out: `{}` where nothing was found."""
    find, replacement = request.get("find", ""), request.get("replacement", "")
    if not find:
        raise batch.error("Find string must be non-empty.")
    if "range" in request:
        scopes = [batch.book.grid_range(request["range"], batch.where)]
    elif "sheetId" in request:
        sheet = batch.book.sheet(int(request["sheetId"]), batch.where)
        scopes = [(sheet, sheet.whole())]
    elif request.get("allSheets"):
        scopes = [(sheet, sheet.whole()) for sheet in batch.book.sheets]
    else:
        raise batch.error("Must specify a range, a sheetId or allSheets.")
    whole, exact = request.get("matchEntireCell", False), request.get("matchCase", False)
    counts = {"valuesChanged": 0, "rowsChanged": 0, "sheetsChanged": 0, "occurrencesChanged": 0}
    for sheet, box in scopes:
        rows = set()
        for row, column, cell in sheet.cells_in(box):
            found = _occurrences(formatted(cell), find, whole=whole, exact=exact)
            if not found or cell.formula is not None:
                continue
            text = replacement if whole else _replace(formatted(cell), find, replacement, exact=exact)
            sheet.put(row, column, Cell(text or None, note=cell.note) if text or cell.note else None)
            rows.add(row)
            counts["valuesChanged"] += 1
            counts["occurrencesChanged"] += found
        counts["rowsChanged"] += len(rows)
        counts["sheetsChanged"] += bool(rows)
    return {name: count for name, count in counts.items() if count}


def _occurrences(text: str, find: str, *, whole: bool, exact: bool) -> int:
    if not exact:
        text, find = text.lower(), find.lower()
    return int(text == find) if whole else text.count(find)


def _replace(text: str, find: str, replacement: str, *, exact: bool) -> str:
    if exact:
        return text.replace(find, replacement)
    result, lowered, start = "", text.lower(), 0
    while (place := lowered.find(find.lower(), start)) >= 0:
        result += text[start:place] + replacement
        start = place + len(find)
    return result + text[start:]


def delete_duplicates(batch: Batch, request: Request) -> Reply:
    """Later rows that show the same as an earlier one go; case is ignored, as Google ignores it."""
    sheet, box = batch.book.grid_range(request.get("range", {}), batch.where)
    compared = [
        column
        for spec in request.get("comparisonColumns", [])
        for column in range(int(spec.get("startIndex", 0)), int(spec.get("endIndex", sheet.column_count)))
    ] or list(range(box.left, box.right or 0))
    seen: set[tuple[str, ...]] = set()
    kept: list[list[Cell | None]] = []
    removed = 0
    width = (box.right or 0) - box.left
    for row in range(box.top, min(box.bottom or 0, len(sheet.rows))):
        key = tuple(formatted(sheet.get(row, column) or Cell()).lower() for column in compared)
        if key in seen:
            removed += 1
            continue
        seen.add(key)
        kept.append([sheet.get(row, column) for column in range(box.left, box.right or 0)])
    kept += [[None] * width for _ in range(removed)]
    _place(sheet, box, kept)
    return {"duplicatesRemovedCount": removed} if removed else {}


def _place(sheet: Sheet, box: Box, rows: list[list[Cell | None]]) -> None:
    for number, cells in enumerate(rows):
        for place, cell in enumerate(cells):
            if cell is not None or sheet.get(box.top + number, box.left + place) is not None:
                sheet.put(box.top + number, box.left + place, cell)


def sort_range(batch: Batch, request: Request) -> None:
    sheet, box = batch.book.grid_range(request.get("range", {}), batch.where)
    end = min(box.bottom or 0, len(sheet.rows))
    rows = [[sheet.get(row, column) for column in range(box.left, box.right or 0)] for row in range(box.top, end)]
    for spec in reversed(request.get("sortSpecs", [])):
        column = int(spec.get("dimensionIndex", 0)) - box.left
        descending = spec.get("sortOrder") == "DESCENDING"
        # empty cells stay at the end either way
        filled = [cells for cells in rows if (cell := cells[column]) is not None and cell.value is not None]
        empty = [cells for cells in rows if (cell := cells[column]) is None or cell.value is None]
        filled.sort(key=lambda cells, at=column: sort_key(cells[at]), reverse=descending)  # type: ignore[misc]
        rows = filled + empty
    _place(sheet, box, rows)
