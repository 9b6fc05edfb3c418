"""Copying cells, and moving them."""

from collections.abc import Callable, Sequence

from attrs import evolve

from adapters.sheets_emulator.batch_update.batch import Batch, Request
from adapters.sheets_emulator.grid.a1 import Rectangle
from adapters.sheets_emulator.grid.cells import EMPTY, Cell
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.text_index import Row
from adapters.sheets_emulator.grid.workbook import check_on_grid

Paste = Callable[[Cell, Cell], Cell]

_PASTES: dict[str, Paste] = {
    "PASTE_VALUES": lambda old, new: old.holding(evolve(new, formula=None)),
    "PASTE_FORMULA": lambda old, new: old.holding(new),
    "PASTE_FORMAT": lambda old, new: evolve(old, format=new.format),
    "PASTE_CONDITIONAL_FORMATTING": lambda old, _new: old,
    "PASTE_DATA_VALIDATION": lambda old, new: evolve(old, validation=new.validation),
}


def copy_paste(batch: Batch, request: Request) -> None:
    """Lay a range over another, again and again if that is several times as large."""
    source_sheet, source = batch.book.grid_range(request.get("source", {}))
    sheet, target = batch.book.grid_range(request.get("destination", {}))
    block = source_sheet.block(source)
    block += [[None] * source.width for _ in range(source.height - len(block))]
    if request.get("pasteOrientation") == "TRANSPOSE":
        block = [list(column) for column in zip(*block, strict=True)]
    height, width = len(block), len(block[0]) if block else 0
    if not height or not width:
        return
    down, across = max(1, target.height // height), max(1, target.width // width)
    _paste(batch, sheet, (target.top, target.left), [row * across for row in block] * down, request)


def cut_paste(batch: Batch, request: Request) -> None:
    """Move a range, merges included, to where a cell is."""
    source_sheet, source = batch.book.grid_range(request.get("source", {}))
    to = request.get("destination", {})
    sheet = batch.book.sheet(to.get("sheetId", 0))
    place = to.get("rowIndex", 0), to.get("columnIndex", 0)
    check_on_grid(sheet, Rectangle.at(*place))
    batch.allow(source_sheet, source)
    block = source_sheet.block(source)
    for row, column, _cell in list(source_sheet.cells_in(source)):
        source_sheet.put(row, column, EMPTY)
    inside = [merge for merge in source_sheet.merges if merge.meets(source)]
    source_sheet.merges = [merge for merge in source_sheet.merges if merge not in inside]
    _paste(batch, sheet, place, block, request)
    down, across = place[0] - source.top, place[1] - source.left
    sheet.merges += [
        Rectangle(merge.top + down, merge.left + across, merge.bottom + down, merge.right + across) for merge in inside
    ]


def _paste(batch: Batch, sheet: Sheet, place: tuple[int, int], block: Sequence[Row], request: Request) -> None:
    """What would lie beyond the grid is left out."""
    top, left = place
    box = sheet.clip(Rectangle.at(top, left, len(block), max(map(len, block), default=0)))
    batch.allow(sheet, box)
    paste = _PASTES.get(request.get("pasteType", ""), _as_it_is)
    for row, cells in zip(range(box.top, box.bottom), block, strict=False):
        new = [cell or EMPTY for cell in cells[: box.width]]
        old = [sheet.get(row, column) for column in range(left, left + len(new))]
        sheet.put_row(row, left, [paste(*pair) for pair in zip(old, new, strict=True)])


def _as_it_is(_old: Cell, new: Cell) -> Cell:
    return new
