"""What becomes of ranges when rows or columns come and go."""

from collections.abc import Callable

from attrs import evolve

from adapters.sheets_emulator.a1 import Box
from adapters.sheets_emulator.sheet import Sheet
from adapters.sheets_emulator.workbook import Workbook


def shift_after_insert(book: Workbook, sheet: Sheet, dimension: str, start: int, count: int) -> None:
    def moved(first: int, last: int) -> tuple[int, int]:
        return (first + count if first >= start else first, last + count if last > start else last)

    _apply(book, sheet, dimension, moved)


def shift_after_delete(book: Workbook, sheet: Sheet, dimension: str, start: int, end: int) -> None:
    def moved(first: int, last: int) -> tuple[int, int]:
        def at(place: int) -> int:
            return place if place <= start else max(start, place - (end - start))

        return at(first), at(last)

    _apply(book, sheet, dimension, moved)


Moved = Callable[[int, int], tuple[int, int]]


def _apply(book: Workbook, sheet: Sheet, dimension: str, moved: Moved) -> None:
    def shifted(box: Box | None) -> Box | None:
        if box is None:
            return None
        if dimension == "ROWS":
            top, bottom = moved(box.top, box.bottom or 0)
            return evolve(box, top=top, bottom=bottom) if bottom > top else None
        left, right = moved(box.left, box.right or 0)
        return evolve(box, left=left, right=right) if right > left else None

    for named in list(book.named_ranges.values()):
        if named.sheet == sheet.id:
            book.named_ranges[named.id] = evolve(named, box=shifted(named.box))
    sheet.merges = [box for merge in sheet.merges if (box := shifted(merge)) is not None]
