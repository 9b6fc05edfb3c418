"""Inserting and deleting cells within a band, the rest of which is pushed along."""

from adapters.sheets_emulator.batch_update.batch import Batch, Request
from adapters.sheets_emulator.grid.a1 import Rectangle
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.text_index import Row
from adapters.sheets_emulator.wire.errors import invalid


def insert_range(batch: Batch, request: Request) -> None:
    """Push the cells of a range, and those behind it, down or to the right; the grid grows as far as they need."""
    sheet, box, band, down = _band(batch, request)
    block = sheet.block(band)
    blank: Row = [None] * (band.width if down else box.width)
    block = [blank] * box.height + block if down else [blank + row for row in block]
    while block and not any(block[-1]):
        block.pop()
    width = max((number for row in block for number, cell in enumerate(row, 1) if cell is not None), default=0)
    sheet.grow(band.top + len(block), band.left + width)
    _lay(sheet, band, [row[:width] for row in block])


def delete_range(batch: Batch, request: Request) -> None:
    """Take the cells of a range out; those behind it move up or to the left."""
    sheet, box, band, down = _band(batch, request)
    block = sheet.block(band)
    _lay(sheet, band, block[box.height :] if down else [row[box.width :] for row in block])


def _band(batch: Batch, request: Request) -> tuple[Sheet, Rectangle, Rectangle, bool]:
    sheet, box = batch.book.grid_range(request.get("range", {}))
    dimension = request.get("shiftDimension")
    if dimension not in ("ROWS", "COLUMNS"):
        raise invalid("A shiftDimension must be specified.")
    down = dimension == "ROWS"
    band = sheet.clip(
        Rectangle(box.top, box.left, sheet.row_count, box.right)
        if down
        else Rectangle(box.top, box.left, box.bottom, sheet.column_count)
    )
    batch.allow(sheet, band)
    return sheet, box, band, down


def _lay(sheet: Sheet, band: Rectangle, block: list[Row]) -> None:
    width = max(band.width, max((len(row) for row in block), default=0))
    height = max(band.height, len(block))
    sheet.set_block(Rectangle.at(band.top, band.left, height, width), block)
