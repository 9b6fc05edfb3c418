"""A person who edits a spreadsheet in the browser, to be scripted."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from adapters.sheets_emulator.api.service import SheetsService
from adapters.sheets_emulator.batch_update.batch import Batch
from adapters.sheets_emulator.batch_update.registry import run_batch
from adapters.sheets_emulator.grid.a1 import Box, parse_cells
from adapters.sheets_emulator.grid.entry import as_entered
from adapters.sheets_emulator.grid.grid_range import as_grid_range
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.workbook import Workbook


@frozen
class Person:
    """The owner of a spreadsheet: needs no token, uses up no quota, and protection does not hold them.

    Tabs go by title, rows by the number that stands beside them, columns by the one that their letter has (A is 1).
    """

    service: SheetsService
    spreadsheet: str

    @property
    def book(self) -> Workbook:
        """The spreadsheet as it is now."""
        return self.service.store.files[self.spreadsheet].book

    def rows(self, tab: str) -> list[list[str]]:
        """What the tab shows; empty cells at the end of a row, and rows at the end of the tab, are left out."""
        sheet = self._sheet(tab)
        return sheet.values(sheet.whole(), "FORMATTED_VALUE")

    def type(self, tab: str, cell: str, *texts: str) -> None:
        """Type into a cell (``B2``), and on into those to the right of it."""
        book = self.book.copy()
        sheet, box = book.titled(tab), parse_cells(cell)
        if sheet is None or box is None:
            raise ValueError(f"no cell {cell} in a tab {tab}")
        sheet.grow(box.top + 1, box.left + len(texts))
        for column, text in enumerate(texts, box.left):
            sheet.write(box.top, column, as_entered(text, book.writing))
        self.service.store.keep(book)

    def append(self, tab: str, *texts: str) -> None:
        """Type into the first row below all that the tab shows."""
        self.type(tab, f"A{len(self.rows(tab)) + 1}", *texts)

    def insert_rows(self, tab: str, row: int, count: int = 1) -> None:
        """Insert empty rows above `row`."""
        self.do({"insertDimension": {"range": self._span(tab, "ROWS", row, count)}})

    def delete_rows(self, tab: str, row: int, count: int = 1) -> None:
        """Delete rows from `row` on."""
        self.do({"deleteDimension": {"range": self._span(tab, "ROWS", row, count)}})

    def insert_columns(self, tab: str, column: int, count: int = 1) -> None:
        """Insert empty columns to the left of `column`."""
        self.do({"insertDimension": {"range": self._span(tab, "COLUMNS", column, count)}})

    def delete_columns(self, tab: str, column: int, count: int = 1) -> None:
        """Delete columns from `column` on."""
        self.do({"deleteDimension": {"range": self._span(tab, "COLUMNS", column, count)}})

    def sort(self, tab: str, column: int, *, descending: bool = False, header: bool = True) -> None:
        """Sort the rows below the header by a column."""
        order = "DESCENDING" if descending else "ASCENDING"
        cells = as_grid_range(self._sheet(tab).id, Box(top=int(header)))
        self.do({"sortRange": {"range": cells, "sortSpecs": [{"dimensionIndex": column - 1, "sortOrder": order}]}})

    def duplicate_row(self, tab: str, row: int) -> None:
        """Insert a copy of `row` below it."""
        sheet = self._sheet(tab).id
        self.do(
            {"insertDimension": {"range": self._span(tab, "ROWS", row + 1, 1), "inheritFromBefore": True}},
            {
                "copyPaste": {
                    "source": as_grid_range(sheet, Box(top=row - 1, bottom=row)),
                    "destination": as_grid_range(sheet, Box(top=row, bottom=row + 1)),
                }
            },
        )

    def cut_row(self, tab: str, row: int, into: str) -> None:
        """Cut `row` and paste it below all that another tab shows."""
        source, target = self._sheet(tab), self._sheet(into)
        below = target.last_row_with_data(target.whole())
        grow = {"appendDimension": {"sheetId": target.id, "dimension": "ROWS", "length": 1}}
        paste = {
            "cutPaste": {
                "source": as_grid_range(source.id, Box(top=row - 1, bottom=row)),
                "destination": {"sheetId": target.id, "rowIndex": below},
            }
        }
        remove = {"deleteDimension": {"range": self._span(tab, "ROWS", row, 1)}}
        self.do(*([grow] if below == target.row_count else []), paste, remove)

    def add_tab(self, title: str) -> None:
        """Add a tab behind the others."""
        self.do({"addSheet": {"properties": {"title": title}}})

    def rename_tab(self, tab: str, title: str) -> None:
        """Give a tab another title."""
        properties = {"sheetId": self._sheet(tab).id, "title": title}
        self.do({"updateSheetProperties": {"properties": properties, "fields": "title"}})

    def delete_tab(self, tab: str) -> None:
        """Delete a tab."""
        self.do({"deleteSheet": {"sheetId": self._sheet(tab).id}})

    def protect(self, tab: str, cells: str = "", *, editors: Sequence[str] = ()) -> None:
        """Protect cells (``A1:B2``), or the whole tab, from all but `editors`."""
        box = parse_cells(cells) if cells else Box()
        wanted = {"range": as_grid_range(self._sheet(tab).id, box or Box()), "editors": {"users": list(editors)}}
        self.do({"addProtectedRange": {"protectedRange": wanted}})

    def do(self, *requests: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Whatever else a batchUpdate can do, all or nothing; the replies."""
        store = self.service.store
        changed, replies = run_batch(Batch(self.book.copy(), self.book, store.ids, "", self.book), list(requests))
        store.keep(changed)
        return replies

    def _sheet(self, tab: str) -> Sheet:
        sheet = self.book.titled(tab)
        if sheet is None:
            raise ValueError(f"no tab {tab}")
        return sheet

    def _span(self, tab: str, dimension: str, place: int, count: int) -> dict[str, Any]:
        return {
            "sheetId": self._sheet(tab).id,
            "dimension": dimension,
            "startIndex": place - 1,
            "endIndex": place - 1 + count,
        }
