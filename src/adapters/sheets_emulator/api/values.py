"""The values half of the API: reading and writing rectangles of values."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from adapters.sheets_emulator.grid import structure
from adapters.sheets_emulator.grid.a1 import Rectangle, column_letters, render
from adapters.sheets_emulator.grid.entry import as_entered, as_raw
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.tables import table_at
from adapters.sheets_emulator.grid.workbook import Workbook, check_on_grid
from adapters.sheets_emulator.wire.errors import invalid

Options = Mapping[str, Any]
Table = Sequence[Sequence[Any]]


@frozen
class Writing:
    """A workbook at work, and the user ("" is the owner) who writes in it."""

    book: Workbook
    user: str = ""


def get(book: Workbook, text: str, options: Options) -> dict[str, Any]:
    """A ValueRange: trailing empty cells and rows are left out, `values` itself where there are none."""
    sheet, box = book.resolve(text)
    check_on_grid(sheet, box)
    return _value_range(
        sheet,
        sheet.clip(box),
        options.get("majorDimension", "ROWS"),
        options.get("valueRenderOption", ""),
        options.get("dateTimeRenderOption", "SERIAL_NUMBER"),
    )


def _value_range(sheet: Sheet, box: Rectangle, dimension: str, option: str, dates: str) -> dict[str, Any]:
    table = sheet.values(box, option or "FORMATTED_VALUE", dates)
    if dimension == "COLUMNS":
        table = _turned(table)
    answer: dict[str, Any] = {"range": render(sheet.title, box), "majorDimension": dimension}
    return {**answer, "values": table} if table else answer


def update(writing: Writing, text: str, body: Mapping[str, Any], options: Options) -> dict[str, Any]:
    """Write the values at the range's upper left. null leaves a cell as it is.

    A range of one cell says only where to begin; a larger one must have room for all of them.
    """
    sheet, box = writing.book.resolve(text)
    if body.get("range", text) != text and writing.book.resolve(body["range"]) != (sheet, box):
        raise invalid(f"Requested range[{text}] does not match value's range[{body['range']}]")
    rows = _rows(body)
    target = Rectangle.at(box.top, box.left, len(rows), _width(rows))
    if (box.bottom, box.right) != (box.top + 1, box.left + 1):
        place = ""
        if box.bottom is not None and target.bottom > box.bottom:
            place = f"row [{box.bottom + 1}]"
        elif box.right is not None and target.right > box.right:
            place = f"column [{column_letters(box.right)}]"
        if place:
            raise invalid(f"Requested writing within range [{render(sheet.title, box)}], but tried writing to {place}")
    if target.bottom > sheet.row_count or target.right > sheet.column_count:
        raise invalid(
            f"Range ({render(sheet.title, target)}) exceeds grid limits. "
            f"Max rows: {sheet.row_count}, max columns: {sheet.column_count}"
        )
    return _write(writing, sheet, target, rows, options)


def append(writing: Writing, text: str, body: Mapping[str, Any], options: Options) -> dict[str, Any]:
    """Write behind the table that the range touches."""
    book = writing.book
    sheet, box = book.resolve(text)
    check_on_grid(sheet, box)
    bounded = sheet.clip(box)
    table = table_at(sheet, bounded)
    rows = _rows(body)
    answer: dict[str, Any] = {"spreadsheetId": book.id}
    top, left = bounded.top, bounded.left
    if table is not None:
        answer["tableRange"] = render(sheet.title, table)
        top, left = table.bottom, table.left
    if options.get("insertDataOption") == "INSERT_ROWS" and top < sheet.row_count:
        structure.insert(book, sheet, "ROWS", top, len(rows))
    target = Rectangle.at(top, left, len(rows), _width(rows))
    sheet.grow(target.bottom, target.right)
    book.check_size()
    return {**answer, "updates": _write(writing, sheet, target, rows, options)}


def clear(writing: Writing, text: str) -> str:
    """The range that was cleared, as Google names it."""
    sheet, box = writing.book.resolve(text)
    check_on_grid(sheet, box)
    bounded = sheet.clip(box)
    writing.book.check_allowed(writing.user, sheet, bounded)
    sheet.clear(bounded)
    return render(sheet.title, bounded)


def _write(writing: Writing, sheet: Sheet, target: Rectangle, rows: Table, options: Options) -> dict[str, Any]:
    option = options.get("valueInputOption", "")
    if option not in ("RAW", "USER_ENTERED"):
        raise invalid("'valueInputOption' is required but not specified")
    read = as_raw if option == "RAW" else as_entered
    book, locale = writing.book, writing.book.writing
    book.check_allowed(writing.user, sheet, target)
    for number, row in enumerate(rows, target.top):
        old = [sheet.get(number, column) for column in range(target.left, target.left + len(row))]
        new = [
            cell if value is None else cell.holding(read(value, locale)) for cell, value in zip(old, row, strict=True)
        ]
        sheet.put_row(number, target.left, new)
    filled = Rectangle.at(target.top, target.left, max(1, target.height), max(1, target.width))
    answer: dict[str, Any] = {"spreadsheetId": book.id, "updatedRange": render(sheet.title, filled)}
    answer |= _counts(rows)
    if str(options.get("includeValuesInResponse", "")).lower() == "true":
        answer["updatedData"] = _value_range(
            sheet,
            filled,
            "ROWS",
            options.get("responseValueRenderOption", ""),
            options.get("responseDateTimeRenderOption", "SERIAL_NUMBER"),
        )
    return answer


def _counts(rows: Table) -> dict[str, int]:
    written = [
        (number, place) for number, row in enumerate(rows) for place, value in enumerate(row) if value is not None
    ]
    counts = {
        "updatedRows": len({number for number, _ in written}),
        "updatedColumns": len({place for _, place in written}),
        "updatedCells": len(written),
    }
    return {name: count for name, count in counts.items() if count}


def _width(rows: Table) -> int:
    return max((len(row) for row in rows), default=0)


def _rows(body: Mapping[str, Any]) -> list[list[Any]]:
    table = body.get("values") or []
    for number, row in enumerate(table):
        if not isinstance(row, list):
            shown = f'"{row}"' if isinstance(row, str) else row
            raise invalid(
                f"Invalid value at 'data.values[{number}]' (type.googleapis.com/google.protobuf.ListValue), {shown}"
            )
        for place, value in enumerate(row):
            if isinstance(value, list | dict):
                kind = "list_value" if isinstance(value, list) else "struct_value"
                raise invalid(f"Invalid values[{number}][{place}]: {kind} {value}")
    rows = [list(row) for row in table]
    return _turned(rows, empty=None) if body.get("majorDimension") == "COLUMNS" else rows


def _turned(rows: list[list[Any]], empty: Any = "") -> list[list[Any]]:
    """Columns for rows; trailing empty values of each left out."""
    columns = [[row[n] if n < len(row) else empty for row in rows] for n in range(_width(rows))]
    for column in columns:
        while column and column[-1] == empty:
            column.pop()
    return columns
