"""Finding text and replacing it."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from adapters.sheets_emulator.batch_update.batch import Batch, Reply, Request
from adapters.sheets_emulator.grid.a1 import Rectangle
from adapters.sheets_emulator.grid.cells import Cell
from adapters.sheets_emulator.grid.entry import as_entered
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.wire.errors import invalid

Replacing = Callable[[str], tuple[str, int]]
"""From a cell's text to what it becomes, and in how many places it was found."""
Place = tuple[int, int, Cell]


def find_replace(batch: Batch, request: Request) -> Reply:
    """Counts of what was changed, the zero ones left out: `{}` where nothing was found.

    What a cell becomes is read as if a person had typed it.
    """
    find = request.get("find", "")
    if not find:
        raise invalid("Find string must be non-empty.")
    whole, formulas = request.get("matchEntireCell", False), request.get("includeFormulas", False)
    replacing = _replacing(request)
    counts = dict.fromkeys(
        ("valuesChanged", "formulasChanged", "rowsChanged", "sheetsChanged", "occurrencesChanged"), 0
    )
    for sheet, box in _scopes(batch, request):
        rows = set()
        literal = find if whole and not request.get("searchByRegex") and not formulas else None
        for row, column, cell in list(_places(batch, sheet, box, literal)):
            if cell.formula is not None and not formulas:
                continue
            text, found = replacing(cell.formula or cell.text)
            if not found:
                continue
            batch.allow(sheet, Rectangle.at(row, column))
            sheet.write(row, column, as_entered(text, batch.book.writing))
            rows.add(row)
            counts["valuesChanged" if cell.formula is None else "formulasChanged"] += 1
            counts["occurrencesChanged"] += found
        counts["rowsChanged"] += len(rows)
        counts["sheetsChanged"] += bool(rows)
    return {name: count for name, count in counts.items() if count}


def _scopes(batch: Batch, request: Request) -> list[tuple[Sheet, Rectangle]]:
    if "range" in request:
        return [batch.book.grid_range(request["range"])]
    if "sheetId" in request:
        sheet = batch.book.sheet(request["sheetId"])
        return [(sheet, sheet.whole())]
    if request.get("allSheets"):
        return [(sheet, sheet.whole()) for sheet in batch.book.sheets]
    raise invalid("Must specify a scope: a range, a sheetId or allSheets.")


def _places(batch: Batch, sheet: Sheet, box: Rectangle, literal: str | None) -> Iterator[Place]:
    """Cells that may match, as the batch sees them.

    Where it sees an older moment than the present one, a cell that it has not written yet matches by what it was then.
    """
    yield from _cells(sheet, box, literal)
    old = _same(batch.seen.sheets, sheet)
    present = _same(batch.before.sheets, sheet)
    if batch.seen is batch.before or old is None or present is None:
        return
    for row, column, cell in _cells(old, box, literal):
        now = sheet.get(row, column)
        if now is not cell and now is present.get(row, column):
            yield row, column, cell


def _cells(sheet: Sheet, box: Rectangle, literal: str | None) -> Iterator[Place]:
    return sheet.cells_in(box) if literal is None else sheet.showing(literal, box)


def _same(sheets: list[Sheet], sheet: Sheet) -> Sheet | None:
    """The same tab at another moment, if its rows and columns were at the same places then."""
    return next((one for one in sheets if one.id == sheet.id and one.shape is sheet.shape), None)


def _replacing(request: Request) -> Replacing:
    find, replacement = request["find"], request.get("replacement", "")
    whole, exact = request.get("matchEntireCell", False), request.get("matchCase", False)
    if request.get("searchByRegex"):
        pattern = _pattern(find, re.NOFLAG if exact else re.IGNORECASE)
        template = re.sub(r"\$(\d)", r"\\\1", replacement.replace("\\", r"\\"))
    elif whole:
        return lambda text: (replacement, int(text == find if exact else text.casefold() == find.casefold()))
    else:
        pattern = re.compile(re.escape(find), re.NOFLAG if exact else re.IGNORECASE)
        template = replacement.replace("\\", r"\\")

    def replaced(text: str) -> tuple[str, int]:
        if not whole:
            return pattern.subn(template, text)
        match = pattern.fullmatch(text)
        return (match.expand(template), 1) if match else (text, 0)

    return replaced


def _pattern(text: str, flags: Any) -> re.Pattern[str]:
    try:
        return re.compile(text, flags)
    except re.error as error:
        raise invalid(f"Invalid regular expression: {text}") from error
