"""Requests that put the rows of a range in another order, or take some out."""

from adapters.sheets_emulator.batch_update.batch import Batch, Reply, Request
from adapters.sheets_emulator.grid.sorting import sort_rows
from adapters.sheets_emulator.grid.text_index import Row
from adapters.sheets_emulator.wire.errors import invalid


def sort_range(batch: Batch, request: Request) -> None:
    """Sort rows; those hidden are sorted, too."""
    sheet, box = batch.book.grid_range(request.get("range", {}))
    batch.allow(sheet, box)
    by = []
    for spec in request.get("sortSpecs", []):
        column = spec.get("dimensionIndex", 0) - box.left
        if not 0 <= column < box.width:
            raise invalid(f"The sort column {spec.get('dimensionIndex', 0)} is not in the range.")
        by.append((column, spec.get("sortOrder") == "DESCENDING"))
    sheet.set_block(box, sort_rows(sheet.block(box), by))


def delete_duplicates(batch: Batch, request: Request) -> Reply:
    """Later rows that show the same as an earlier one go, case ignored; what is below them in the range moves up."""
    sheet, box = batch.book.grid_range(request.get("range", {}))
    batch.allow(sheet, box)
    compared = [
        column - box.left
        for spec in request.get("comparisonColumns", [])
        for column in range(spec.get("startIndex", 0), spec.get("endIndex", box.right))
    ] or list(range(box.width))
    if any(not 0 <= column < box.width for column in compared):
        raise invalid("The comparison columns must be in the range.")
    block = sheet.block(box)
    kept: dict[tuple[str, ...], Row] = {}
    for row in block:
        kept.setdefault(tuple(cell.text.casefold() if (cell := row[column]) else "" for column in compared), row)
    removed = len(block) - len(kept)
    if removed:
        sheet.set_block(box, list(kept.values()))
    return {"duplicatesRemovedCount": removed} if removed else {}
