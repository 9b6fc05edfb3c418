"""Rows and columns that come, go and move, and what becomes of all that lies over them."""

from collections.abc import Callable
from typing import TypeVar

from attrs import evolve

from adapters.sheets_emulator.grid.a1 import Box, Rectangle
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.text_index import Row
from adapters.sheets_emulator.grid.workbook import Workbook

Item = TypeVar("Item")
Moved = Callable[[int, int], tuple[int, int]]
"""From where a span of rows or columns begins and ends to where it does afterwards; empty if it is gone."""


def insert(book: Workbook, sheet: Sheet, dimension: str, start: int, count: int) -> None:
    """Put `count` empty rows or columns before the one at `start`."""
    if dimension == "ROWS":
        new: list[Row] = [[] for _ in range(count)] if start < len(sheet.rows) else []
        sheet.move_rows([*sheet.rows[:start], *new, *sheet.rows[start:]])
        sheet.row_count += count
    else:
        blank: Row = [None] * count
        sheet.move_rows([row[:start] + blank + row[start:] if start < len(row) else row for row in sheet.rows])
        sheet.column_count += count

    def moved(first: int, last: int) -> tuple[int, int]:
        return (first + count if first >= start else first, last + count if last > start else last)

    _shift(book, sheet, dimension, moved)


def delete(book: Workbook, sheet: Sheet, dimension: str, start: int, end: int) -> None:
    """Take the rows or columns from `start` to before `end` away."""
    if dimension == "ROWS":
        sheet.move_rows([*sheet.rows[:start], *sheet.rows[end:]])
        sheet.row_count -= end - start
    else:
        sheet.move_rows([row[:start] + row[end:] for row in sheet.rows])
        sheet.column_count -= end - start

    def at(place: int) -> int:
        return place if place <= start else max(start, place - (end - start))

    _shift(book, sheet, dimension, lambda first, last: (at(first), at(last)))


def resize(book: Workbook, sheet: Sheet, rows: int | None, columns: int | None) -> None:
    """Make the grid so large; what is beyond it is gone. None leaves it."""
    if rows is not None:
        if rows < sheet.row_count:
            delete(book, sheet, "ROWS", rows, sheet.row_count)
        sheet.row_count = rows
    if columns is not None:
        if columns < sheet.column_count:
            delete(book, sheet, "COLUMNS", columns, sheet.column_count)
        sheet.column_count = columns


def move(book: Workbook, sheet: Sheet, dimension: str, span: tuple[int, int], to: int) -> None:
    """Move rows or columns to before the one that is at `to` now; nothing happens where that is within the span."""
    start, end = span
    if start <= to <= end:
        return
    low, high = min(start, to), max(end, to)
    cut = start if to < start else end  # what is behind it changes places with what is before it
    if dimension == "ROWS":
        rows = sheet.rows + [[] for _ in range(high - len(sheet.rows))]
        sheet.move_rows(_turned(rows, low, cut, high))
    else:
        sheet.move_rows([_turned(row + [None] * (high - len(row)), low, cut, high) for row in sheet.rows])

    def at(place: int) -> int:
        return low + (place - cut) % (high - low) if low <= place < high else place

    def moved(first: int, last: int) -> tuple[int, int]:
        new = at(first), at(last - 1) + 1
        return new if new[1] - new[0] == last - first else (first, last)  # torn apart, it stays

    _shift(book, sheet, dimension, moved)


def _turned(items: list[Item], low: int, cut: int, high: int) -> list[Item]:
    return items[:low] + items[cut:high] + items[low:cut] + items[high:]


def _shift(book: Workbook, sheet: Sheet, dimension: str, moved: Moved) -> None:
    for named in list(book.named_ranges.values()):
        if named.sheet == sheet.id and named.box is not None:
            book.named_ranges[named.id] = evolve(named, box=_shifted(named.box, dimension, moved))
    for protected in list(book.protected_ranges.values()):
        if protected.sheet == sheet.id:
            box = _shifted(protected.box, dimension, moved)
            if box is None:
                del book.protected_ranges[protected.id]
            else:
                book.protected_ranges[protected.id] = evolve(protected, box=box)
    sheet.merges = [box for merge in sheet.merges if isinstance(box := _shifted(merge, dimension, moved), Rectangle)]
    if sheet.basic_filter is not None:
        box = _shifted(sheet.basic_filter.box, dimension, moved)
        sheet.basic_filter = evolve(sheet.basic_filter, box=box) if isinstance(box, Rectangle) else None
        if sheet.basic_filter is not None and dimension == "COLUMNS":
            criteria = sheet.basic_filter.criteria.items()
            spans = ((moved(column, column + 1), wanted) for column, wanted in criteria)
            kept = {first: wanted for (first, last), wanted in spans if last > first}
            sheet.basic_filter = evolve(sheet.basic_filter, criteria=kept)
    _shift_dimension(sheet, dimension, moved)


def _shifted(box: Box, dimension: str, moved: Moved) -> Box | None:
    first, last = (box.top, box.bottom) if dimension == "ROWS" else (box.left, box.right)
    if last is None:
        first = moved(first, first + 1)[0] if first else first
    else:
        first, last = moved(first, last)
        if last <= first:
            return None
    return evolve(box, top=first, bottom=last) if dimension == "ROWS" else evolve(box, left=first, right=last)


def _shift_dimension(sheet: Sheet, dimension: str, moved: Moved) -> None:
    """What is kept of single rows or columns: which are frozen, hidden, in groups; their sizes."""
    if dimension == "ROWS":
        sheet.frozen_rows = moved(0, sheet.frozen_rows)[1]
    else:
        sheet.frozen_columns = moved(0, sheet.frozen_columns)[1]

    def at(place: int) -> int | None:
        first, last = moved(place, place + 1)
        return first if last > first else None

    places = (at(place) for place in sheet.hidden[dimension])
    sheet.hidden = {**sheet.hidden, dimension: frozenset(place for place in places if place is not None)}
    sizes = {place: size for old, size in sheet.sizes[dimension].items() if (place := at(old)) is not None}
    sheet.sizes = {**sheet.sizes, dimension: sizes}
    spans = ((group, moved(group.start, group.end)) for group in sheet.groups[dimension])
    kept = tuple(evolve(group, start=start, end=end) for group, (start, end) in spans if end > start)
    sheet.groups = {**sheet.groups, dimension: kept}
