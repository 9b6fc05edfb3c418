"""Which table a range belongs to, for values.append."""

from adapters.sheets_emulator.grid.a1 import Rectangle
from adapters.sheets_emulator.grid.sheet import Sheet


def table_at(sheet: Sheet, box: Rectangle) -> Rectangle | None:
    """The last table that reaches into `box`: filled cells and all that touch them. None if `box` is empty."""
    last = sheet.last_row_with_data(box) - 1
    if last < box.top:
        return None
    filled = [
        column for row, column, cell in sheet.cells_in(Rectangle(last, box.left, last + 1, box.right)) if cell.filled
    ]
    table = Rectangle(last, filled[0], last + 1, filled[-1] + 1)
    while (grown := _grown(sheet, table)) != table:
        table = grown
    return table


def _grown(sheet: Sheet, table: Rectangle) -> Rectangle:
    """A row or a column more on each side where a filled cell touches."""
    top, left, bottom, right = table.top, table.left, table.bottom, table.right
    near_left, near_right = max(0, left - 1), right + 1
    while top and sheet.fills(Rectangle(top - 1, near_left, top, near_right)):
        top -= 1
    while sheet.fills(Rectangle(bottom, near_left, bottom + 1, near_right)):
        bottom += 1
    if left and sheet.fills(Rectangle(max(0, top - 1), left - 1, bottom + 1, left)):
        left -= 1
    if sheet.fills(Rectangle(max(0, top - 1), right, bottom + 1, right + 1)):
        right += 1
    return Rectangle(top, left, bottom, right)
