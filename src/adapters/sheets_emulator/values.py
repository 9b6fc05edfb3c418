"""The values half of the API: reading and writing rectangles of values."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.sheets_emulator.a1 import Box, render
from adapters.sheets_emulator.cells import as_entered, as_raw
from adapters.sheets_emulator.errors import invalid
from adapters.sheets_emulator.sheet import Sheet
from adapters.sheets_emulator.workbook import Workbook


def get(book: Workbook, text: str, options: Mapping[str, str]) -> dict[str, Any]:
    """A ValueRange: trailing empty cells and rows are left out, `values` itself where there are none."""
    sheet, box = book.resolve(text)
    if box.top >= sheet.row_count or box.left >= sheet.column_count:
        raise invalid(
            f"Range ({render(sheet.title, box.within(10**9, 10**9))}) exceeds grid limits. "
            f"Max rows: {sheet.row_count}, max columns: {sheet.column_count}"
        )
    box = box.within(sheet.row_count, sheet.column_count)
    return value_range(sheet, box, options.get("majorDimension", "ROWS"), options.get("valueRenderOption", ""))


def value_range(sheet: Sheet, box: Box, dimension: str, option: str) -> dict[str, Any]:
    table = sheet.values(box, option or "FORMATTED_VALUE")
    if dimension == "COLUMNS":
        table = _columns(table)
    answer: dict[str, Any] = {"range": render(sheet.title, box), "majorDimension": dimension}
    return {**answer, "values": table} if table else answer


def update(book: Workbook, text: str, body: Mapping[str, Any], options: Mapping[str, str]) -> dict[str, Any]:
    """Write the values at the range's upper left. null leaves a cell as it is."""
    sheet, box = book.resolve(text)
    rows = _rows(body)
    height, width = len(rows), max((len(row) for row in rows), default=0)
    bounded = box.within(max(sheet.row_count, box.top + height), max(sheet.column_count, box.left + width))
    # an A1 range may be too small for what is written, unless it is a single cell
    single = box.bottom == box.top + 1 and box.right == box.left + 1
    room = Box(box.top, box.left, box.top + height, box.left + width) if single else bounded
    if height > (room.bottom or 0) - room.top or width > (room.right or 0) - room.left:
        where = f"{height} rows" if height > (room.bottom or 0) - room.top else f"{width} columns"
        raise invalid(f"Requested writing within range [{render(sheet.title, room)}], but tried writing {where}")
    if box.top + height > sheet.row_count or box.left + width > sheet.column_count:
        raise invalid(
            f"Range ({render(sheet.title, Box(box.top, box.left, box.top + height, box.left + width))}) exceeds grid "
            f"limits. Max rows: {sheet.row_count}, max columns: {sheet.column_count}"
        )
    return write(book, sheet, box.top, box.left, rows, options)


def write(
    book: Workbook, sheet: Sheet, top: int, left: int, rows: Sequence[Sequence[Any]], options: Mapping[str, str]
) -> dict[str, Any]:
    option = options.get("valueInputOption", "")
    if option not in ("RAW", "USER_ENTERED"):
        raise invalid("'valueInputOption' is required but not specified")
    read = as_raw if option == "RAW" else as_entered
    written = [
        (number, place, value)
        for number, row in enumerate(rows)
        for place, value in enumerate(row)
        if value is not None
    ]
    for number, place, value in written:
        sheet.write(top + number, left + place, read(value))
    width = max((len(row) for row in rows), default=0)
    answer: dict[str, Any] = {"spreadsheetId": book.id}
    box = Box(top, left, top + max(1, len(rows)), left + max(1, width))
    answer["updatedRange"] = render(sheet.title, box)
    counts = {
        "updatedRows": len({number for number, _, _ in written}),
        "updatedColumns": len({place for _, place, _ in written}),
        "updatedCells": len(written),
    }
    answer |= {name: count for name, count in counts.items() if count}
    if options.get("includeValuesInResponse", "").lower() == "true":
        answer["updatedData"] = value_range(sheet, box, "ROWS", options.get("responseValueRenderOption", ""))
    return answer


def append(book: Workbook, text: str, body: Mapping[str, Any], options: Mapping[str, str]) -> dict[str, Any]:
    """Write behind the table that the range touches."""
    sheet, box = book.resolve(text)
    bounded = box.within(sheet.row_count, sheet.column_count)
    table = _table_at(sheet, bounded)
    rows = _rows(body)
    answer: dict[str, Any] = {"spreadsheetId": book.id}
    top, left = bounded.top, bounded.left
    if table is not None:
        answer["tableRange"] = render(sheet.title, table)
        top, left = table.bottom or 0, table.left
    if options.get("insertDataOption") == "INSERT_ROWS" and top < sheet.row_count:
        sheet.insert("ROWS", top, len(rows))
    sheet.grow(top + len(rows), left + max((len(row) for row in rows), default=0))
    return {**answer, "updates": write(book, sheet, top, left, rows, options)}


def clear(book: Workbook, text: str) -> str:
    """The range that was cleared, as Google names it."""
    sheet, box = book.resolve(text)
    box = box.within(sheet.row_count, sheet.column_count)
    sheet.clear(box)
    return render(sheet.title, box)


def _table_at(sheet: Sheet, box: Box) -> Box | None:
    """The block of filled cells that reaches into `box`: from its first filled row on, grown while it touches more."""
    filled = {(row, column) for row, column, cell in sheet.cells_in(sheet.whole()) if not cell.empty}
    inside = [place for place in filled if _holds(box, place)]
    if not inside:
        return None
    last = max(row for row, _ in inside)
    seeds = [place for place in inside if place[0] == last]
    block, waiting = set(seeds), list(seeds)
    while waiting:
        row, column = waiting.pop()
        for near in ((row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1)):
            if near in filled and near not in block:
                block.add(near)
                waiting.append(near)
    rows, columns = [row for row, _ in block], [column for _, column in block]
    return Box(min(rows), min(columns), max(rows) + 1, max(columns) + 1)


def _holds(box: Box, place: tuple[int, int]) -> bool:
    return box.top <= place[0] < (box.bottom or 0) and box.left <= place[1] < (box.right or 0)


def _rows(body: Mapping[str, Any]) -> list[list[Any]]:
    rows = [list(row) for row in body.get("values") or []]
    return _columns(rows, empty=None) if body.get("majorDimension") == "COLUMNS" else rows


def _columns(rows: list[list[Any]], empty: Any = "") -> list[list[Any]]:
    """Turned round; trailing empty values of each column left out."""
    width = max((len(row) for row in rows), default=0)
    columns = [[row[n] if n < len(row) else empty for row in rows] for n in range(width)]
    for column in columns:
        while column and column[-1] == empty:
            column.pop()
    return columns
