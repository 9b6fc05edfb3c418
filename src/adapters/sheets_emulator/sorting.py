"""The order in which Google sorts: numbers, then text without regard to case, then FALSE and TRUE."""

from adapters.sheets_emulator.cells import Cell


def sort_key(cell: Cell | None) -> tuple[int, float, str]:
    value = cell.value if cell is not None else None
    if isinstance(value, bool):
        return 2, float(value), ""
    if isinstance(value, int | float):
        return 0, float(value), ""
    return 1, 0.0, str(value or "").lower()
