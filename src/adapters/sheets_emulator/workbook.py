"""A spreadsheet: its tabs, and the ranges that have names."""

from collections.abc import Mapping
from typing import Any, Self

from attrs import define, evolve, field, frozen

from adapters.sheets_emulator.a1 import Box, parse_cells, split_title
from adapters.sheets_emulator.errors import invalid
from adapters.sheets_emulator.sheet import Sheet


@frozen
class NamedRange:
    """`box` is None once its cells were deleted: such a range shows as #REF!, is hidden, and keeps its name."""

    id: str
    name: str
    sheet: int
    box: Box | None


@define
class Workbook:
    id: str
    title: str
    locale: str = "en_US"
    time_zone: str = "Etc/GMT"
    sheets: list[Sheet] = field(factory=list)
    named_ranges: dict[str, NamedRange] = field(factory=dict)
    protected_ranges: dict[int, dict[str, Any]] = field(factory=dict)
    created: str = ""
    modified: str = ""

    def copy(self) -> Self:
        """A workbook that may be changed without changing this one."""
        return evolve(
            self,
            sheets=[sheet.copy() for sheet in self.sheets],
            named_ranges={**self.named_ranges},
            protected_ranges={**self.protected_ranges},
        )

    def sheet(self, sheet_id: int, where: str = "") -> Sheet:
        for sheet in self.sheets:
            if sheet.id == sheet_id:
                return sheet
        raise invalid(f"{where}No grid with id: {sheet_id}")

    def titled(self, title: str) -> Sheet | None:
        return next((sheet for sheet in self.sheets if sheet.title.lower() == title.lower()), None)

    def resolve(self, text: str) -> tuple[Sheet, Box]:
        """The tab and cells that a range in A1 notation (or a range's name, or a tab's title) means."""
        title, cells = split_title(text)
        if title is None:
            box = parse_cells(cells)
            if box is not None:
                return self.sheets[0], box
            for named in self.named_ranges.values():
                if named.name == cells and named.box is not None:
                    return self.sheet(named.sheet), named.box
            title, cells = cells, ""
        sheet = self.titled(title)
        box = parse_cells(cells) if cells else Box()
        if sheet is None or box is None:
            raise invalid(f"Unable to parse range: {text}")
        return sheet, box

    def grid_range(self, value: Mapping[str, Any], where: str = "") -> tuple[Sheet, Box]:
        """A GridRange of a request."""
        sheet = self.sheet(int(value.get("sheetId", 0)), where)
        return sheet, Box(
            int(value.get("startRowIndex", 0)),
            int(value.get("startColumnIndex", 0)),
            value.get("endRowIndex"),
            value.get("endColumnIndex"),
        ).within(sheet.row_count, sheet.column_count)


def as_grid_range(sheet_id: int, box: Box) -> dict[str, Any]:
    """A GridRange as Google answers: a sheet of id 0 is left out, as every zero is but the starts."""
    body: dict[str, Any] = {"sheetId": sheet_id} if sheet_id else {}
    return {
        **body,
        "startRowIndex": box.top,
        "endRowIndex": box.bottom,
        "startColumnIndex": box.left,
        "endColumnIndex": box.right,
    }
