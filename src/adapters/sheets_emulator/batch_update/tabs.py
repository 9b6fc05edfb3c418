"""Requests about tabs and the spreadsheet itself."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from adapters.sheets_emulator.batch_update.batch import Batch, Reply, Request
from adapters.sheets_emulator.grid import structure
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.sheet_properties import sheet_properties
from adapters.sheets_emulator.grid.workbook import Workbook
from adapters.sheets_emulator.wire.checking import check_update_mask
from adapters.sheets_emulator.wire.errors import invalid
from adapters.sheets_emulator.wire.masks import Mask, names, required_mask

_PLAIN = ("hidden", "rightToLeft")
_GRID_FLAGS = ("hideGridlines", "rowGroupControlAfter", "columnGroupControlAfter")


def add_sheet(batch: Batch, request: Request) -> Reply:
    """A new tab, of 1000 rows and 26 columns unless asked otherwise."""
    wanted, book = request.get("properties", {}), batch.book
    title = _free_title(book, wanted.get("title") or _next_title(book))
    sheet_id = wanted["sheetId"] if "sheetId" in wanted else batch.ids.draw()
    if sheet_id < 0:
        raise invalid("Sheet id must be non-negative.")
    if any(sheet.id == sheet_id for sheet in book.sheets):
        raise invalid(f"Sheet with id {sheet_id} already exists.")
    sheet = Sheet(sheet_id, title)
    _update_grid(book, sheet, {"rowCount": 1000, "columnCount": 26, **wanted.get("gridProperties", {})}, {})
    sheet.properties = {name: wanted[name] for name in _PLAIN if wanted.get(name)} | _colour(wanted)
    book.sheets.insert(min(wanted.get("index", len(book.sheets)), len(book.sheets)), sheet)
    return {"properties": sheet_properties(sheet, book.sheets.index(sheet))}


def delete_sheet(batch: Batch, request: Request) -> None:
    """Its named ranges lose their cells, but keep their names."""
    book = batch.book
    sheet = book.sheet(request.get("sheetId", 0))
    if all(other is sheet or other.properties.get("hidden") for other in book.sheets):
        raise invalid("You can't remove all the visible sheets in a document.")
    batch.allow(sheet, sheet.whole())
    book.sheets.remove(sheet)
    for named in list(book.named_ranges.values()):
        if named.sheet == sheet.id:
            book.named_ranges[named.id] = evolve(named, box=None)
    for protected in list(book.protected_ranges.values()):
        if protected.sheet == sheet.id:
            del book.protected_ranges[protected.id]


def duplicate_sheet(batch: Batch, request: Request) -> Reply:
    """A copy of a tab with all that is in it."""
    book = batch.book
    source = book.sheet(request.get("sourceSheetId", 0))
    sheet = source.copy()
    sheet.title = _free_title(book, request.get("newSheetName") or _copy_title(book, source.title))
    sheet.id = request.get("newSheetId") or batch.ids.draw()
    if any(other.id == sheet.id for other in book.sheets):
        raise invalid(f"Sheet with id {sheet.id} already exists.")
    book.sheets.insert(min(request.get("insertSheetIndex", 0), len(book.sheets)), sheet)
    return {"properties": sheet_properties(sheet, book.sheets.index(sheet))}


def update_sheet_properties(batch: Batch, request: Request) -> None:
    """Title, place, size, what is frozen, hidden, coloured."""
    wanted, mask = request.get("properties", {}), required_mask(request)
    check_update_mask(mask, "SheetProperties")
    book = batch.book
    sheet = book.sheet(wanted.get("sheetId", 0))
    if names(mask, "title") and ("title" in wanted or mask):
        sheet.title = _free_title(book, wanted.get("title", ""), but=sheet)
    if names(mask, "index") and ("index" in wanted or mask):
        _move_sheet(book, sheet, wanted.get("index", 0))
    if names(mask, "gridProperties") and ("gridProperties" in wanted or mask):
        _update_grid(book, sheet, wanted.get("gridProperties", {}), mask.get("gridProperties", {}))
    if names(mask, "tabColor") or names(mask, "tabColorStyle"):
        plain = {name: value for name, value in sheet.properties.items() if not name.startswith("tabColor")}
        sheet.properties = plain | _colour(wanted)
    for name in _PLAIN:
        if names(mask, name):
            kept = {other: value for other, value in sheet.properties.items() if other != name}
            sheet.properties = {**kept, name: True} if wanted.get(name) else kept
    if all(other.properties.get("hidden") for other in book.sheets):
        raise invalid("You can't hide all the sheets in a document.")


def update_spreadsheet_properties(batch: Batch, request: Request) -> None:
    """Title, time zone, locale."""
    wanted, mask = request.get("properties", {}), required_mask(request)
    check_update_mask(mask, "SpreadsheetProperties")
    if names(mask, "title"):
        batch.book.title = wanted.get("title", "")
    if names(mask, "timeZone"):
        batch.book.time_zone = wanted.get("timeZone", batch.book.time_zone)
    if names(mask, "locale"):
        batch.book.locale = wanted.get("locale", batch.book.locale)


def _free_title(book: Workbook, title: str, *, but: Sheet | None = None) -> str:
    other = book.titled(title)
    if other is not None and other is not but:
        raise invalid(f'A sheet with the name "{title}" already exists. Please enter another name.')
    if not title:
        raise invalid("The sheet name cannot be empty.")
    if len(title) > 100:
        raise invalid("The sheet name cannot be greater than 100 characters.")
    return title


def _next_title(book: Workbook) -> str:
    number = len(book.sheets) + 1
    while book.titled(f"Sheet{number}") is not None:
        number += 1
    return f"Sheet{number}"


def _copy_title(book: Workbook, title: str) -> str:
    copied, number = f"Copy of {title}", 1
    while book.titled(copied) is not None:
        number += 1
        copied = f"Copy of {title} {number}"
    return copied


def _colour(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Both spellings of a tab's colour. Google keeps a byte a channel."""
    colour = wanted.get("tabColorStyle", {}).get("rgbColor") or wanted.get("tabColor")
    if not colour:
        return {}
    kept = {channel: round(round(value * 255) / 255, 8) for channel, value in colour.items() if value}
    return {"tabColor": kept, "tabColorStyle": {"rgbColor": kept}}


def _move_sheet(book: Workbook, sheet: Sheet, index: int) -> None:
    # the index counts the sheet's own old place
    old = book.sheets.index(sheet)
    book.sheets.remove(sheet)
    book.sheets.insert(index - 1 if index > old else index, sheet)


def _update_grid(book: Workbook, sheet: Sheet, grid: Mapping[str, Any], mask: Mask) -> None:
    wanted = set(mask) or set(grid)
    rows = grid.get("rowCount", 0) if "rowCount" in wanted else None
    columns = grid.get("columnCount", 0) if "columnCount" in wanted else None
    if 0 in (rows, columns):
        raise invalid("A sheet must have at least one row and one column.")
    # rows first, and the limit held against the size between the two
    structure.resize(book, sheet, rows, None)
    book.check_size()
    structure.resize(book, sheet, None, columns)
    if "frozenRowCount" in wanted:
        sheet.frozen_rows = grid.get("frozenRowCount", 0)
    if "frozenColumnCount" in wanted:
        sheet.frozen_columns = grid.get("frozenColumnCount", 0)
    flags = {name: bool(grid.get(name)) for name in _GRID_FLAGS if name in wanted}
    sheet.grid_properties = {name: value for name, value in {**sheet.grid_properties, **flags}.items() if value}
    if sheet.frozen_rows and sheet.frozen_rows >= sheet.row_count:
        raise invalid("You can't freeze all visible rows on the sheet.")
    if sheet.frozen_columns and sheet.frozen_columns >= sheet.column_count:
        raise invalid("You can't freeze all visible columns on the sheet.")
