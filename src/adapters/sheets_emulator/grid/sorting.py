"""The order in which Google sorts: numbers, text without regard to case, FALSE, TRUE; empty cells last either way."""

from collections.abc import Sequence

from adapters.sheets_emulator.grid.cells import Cell
from adapters.sheets_emulator.grid.text_index import Row


def sort_rows(rows: Sequence[Row], by: Sequence[tuple[int, bool]]) -> list[Row]:
    """The rows by (column, descending), the first the most important. Rows that are equal keep their order."""
    ordered = list(rows)
    for column, descending in reversed(by):
        filled = [row for row in ordered if _filled(row[column])]
        empty = [row for row in ordered if not _filled(row[column])]
        filled.sort(key=lambda row, at=column: _key(row[at]), reverse=descending)  # type: ignore[misc]
        ordered = filled + empty
    return ordered


def _filled(cell: Cell | None) -> bool:
    return cell is not None and cell.filled


def _key(cell: Cell | None) -> tuple[int, float, str]:
    value = cell.value if cell is not None else None
    if isinstance(value, bool):
        return 2, float(value), ""
    if isinstance(value, int | float):
        return 0, float(value), ""
    return 1, 0.0, str(value or "").casefold()
