"""Requests about tabs and the spreadsheet itself."""

from adapters.sheets_emulator.batch import Batch, Reply, Request, fields_of
from adapters.sheets_emulator.metadata import sheet_properties
from adapters.sheets_emulator.sheet import Sheet
from adapters.sheets_emulator.workbook import Workbook


def add_sheet(batch: Batch, request: Request) -> Reply:
    wanted = request.get("properties", {})
    book = batch.book
    title = wanted.get("title") or f"Sheet{len(book.sheets) + 1}"
    if book.titled(title) is not None:
        raise batch.error(f'A sheet with the name "{title}" already exists. Please enter another name.')
    sheet_id = int(wanted.get("sheetId", batch.ids.draw()))
    if any(sheet.id == sheet_id for sheet in book.sheets):
        raise batch.error(f"A sheet with id {sheet_id} already exists.")
    grid = wanted.get("gridProperties", {})
    sheet = Sheet(sheet_id, title, int(grid.get("rowCount", 1000)), int(grid.get("columnCount", 26)))
    sheet.frozen_rows = int(grid.get("frozenRowCount", 0))
    sheet.frozen_columns = int(grid.get("frozenColumnCount", 0))
    sheet.properties = {k: v for k, v in wanted.items() if k in ("hidden", "tabColor", "tabColorStyle", "rightToLeft")}
    book.sheets.insert(int(wanted.get("index", len(book.sheets))), sheet)
    return {"properties": sheet_properties(sheet, book.sheets.index(sheet))}


def delete_sheet(batch: Batch, request: Request) -> None:
    sheet = batch.book.sheet(int(request.get("sheetId", 0)), batch.where)
    if sum(not other.properties.get("hidden") for other in batch.book.sheets if other is not sheet) == 0:
        raise batch.error("You can't remove all the visible sheets in a document.")
    batch.book.sheets.remove(sheet)
    for named in list(batch.book.named_ranges.values()):
        if named.sheet == sheet.id:
            del batch.book.named_ranges[named.id]


def duplicate_sheet(batch: Batch, request: Request) -> Reply:
    book = batch.book
    source = book.sheet(int(request.get("sourceSheetId", 0)), batch.where)
    title = request.get("newSheetName") or f"Copy of {source.title}"
    if book.titled(title) is not None:
        raise batch.error(f'A sheet with the name "{title}" already exists. Please enter another name.')
    sheet = source.copy()
    sheet.id, sheet.title = int(request.get("newSheetId") or batch.ids.draw()), title
    book.sheets.insert(int(request.get("insertSheetIndex", 0)), sheet)
    return {"properties": sheet_properties(sheet, book.sheets.index(sheet))}


def update_sheet_properties(batch: Batch, request: Request) -> None:
    wanted, fields = request.get("properties", {}), fields_of(request)
    sheet = batch.book.sheet(int(wanted.get("sheetId", 0)), batch.where)
    grid = wanted.get("gridProperties", {})
    for name in fields:
        match name.partition(".")[::2]:
            case ("title", _):
                other = batch.book.titled(wanted["title"])
                if other is not None and other is not sheet:
                    raise batch.error(
                        f'A sheet with the name "{wanted["title"]}" already exists. Please enter another name.'
                    )
                sheet.title = wanted["title"]
            case ("index", _):
                _move_sheet(batch.book, sheet, int(wanted.get("index", 0)))
            case ("gridProperties", part):
                _update_grid(batch, sheet, grid, part)
            case ("tabColor" | "tabColorStyle", _):
                _update_colour(sheet, wanted)
            case (plain, _):
                sheet.properties[plain] = wanted.get(plain)
                if not wanted.get(plain):
                    del sheet.properties[plain]


def _update_colour(sheet: Sheet, wanted: Request) -> None:
    colour = wanted.get("tabColorStyle", {}).get("rgbColor") or wanted.get("tabColor")
    for name in ("tabColor", "tabColorStyle"):
        sheet.properties.pop(name, None)
    if colour:
        # Google keeps a colour as a byte a channel
        kept = {channel: round(round(value * 255) / 255, 8) for channel, value in colour.items() if value}
        sheet.properties["tabColor"] = kept
        sheet.properties["tabColorStyle"] = {"rgbColor": kept}


def _move_sheet(book: Workbook, sheet: Sheet, index: int) -> None:
    # the index counts the sheet's own old place
    old = book.sheets.index(sheet)
    book.sheets.remove(sheet)
    book.sheets.insert(index - 1 if index > old else index, sheet)


def _update_grid(batch: Batch, sheet: Sheet, grid: Request, part: str) -> None:
    parts = [part] if part else list(grid)
    for name in parts:
        match name:
            case "rowCount":
                sheet.resize(int(grid["rowCount"]), None)
            case "columnCount":
                sheet.resize(None, int(grid["columnCount"]))
            case "frozenRowCount":
                sheet.frozen_rows = int(grid.get("frozenRowCount", 0))
            case "frozenColumnCount":
                sheet.frozen_columns = int(grid.get("frozenColumnCount", 0))
            case _:
                sheet.properties.setdefault("grid", {})[name] = grid.get(name)
    if sheet.row_count < 1 or sheet.column_count < 1:
        raise batch.error("A sheet must have at least one row and one column.")
    if sheet.frozen_rows >= sheet.row_count > 1 or sheet.frozen_columns >= sheet.column_count > 1:
        raise batch.error("You can't freeze all visible rows or columns on the sheet.")


def update_spreadsheet_properties(batch: Batch, request: Request) -> None:
    wanted = request.get("properties", {})
    for name in fields_of(request):
        if name == "title":
            batch.book.title = wanted["title"]
        elif name == "timeZone":
            batch.book.time_zone = wanted["timeZone"]
        elif name == "locale":
            batch.book.locale = wanted["locale"]
