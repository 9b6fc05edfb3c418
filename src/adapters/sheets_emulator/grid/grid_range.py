"""GridRanges as Google answers them."""

from typing import Any

from adapters.sheets_emulator.grid.a1 import Box


def as_grid_range(sheet_id: int, box: Box) -> dict[str, Any]:
    """A sheet of id 0 is left out, as every zero is but the starts; so are rows or columns that are all meant."""
    body: dict[str, Any] = {"sheetId": sheet_id} if sheet_id else {}
    if box.top or box.bottom is not None:
        body["startRowIndex"] = box.top
    if box.bottom is not None:
        body["endRowIndex"] = box.bottom
    if box.left or box.right is not None:
        body["startColumnIndex"] = box.left
    if box.right is not None:
        body["endColumnIndex"] = box.right
    return body
