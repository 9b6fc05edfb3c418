"""What a tab says of itself."""

from typing import Any

from adapters.sheets_emulator.grid.sheet import Sheet


def sheet_properties(sheet: Sheet, index: int) -> dict[str, Any]:
    """SheetProperties of the tab at that place."""
    grid: dict[str, Any] = {"rowCount": sheet.row_count, "columnCount": sheet.column_count}
    if sheet.frozen_rows:
        grid["frozenRowCount"] = sheet.frozen_rows
    if sheet.frozen_columns:
        grid["frozenColumnCount"] = sheet.frozen_columns
    return {
        "sheetId": sheet.id,
        "title": sheet.title,
        "index": index,
        "sheetType": "GRID",
        "gridProperties": {**grid, **sheet.grid_properties},
        **sheet.properties,
    }
