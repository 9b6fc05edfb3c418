"""A spreadsheet: its tabs, and the ranges that have names or are protected."""

from collections.abc import Iterator, Mapping
from typing import Any, Self

from attrs import define, evolve, field, frozen

from adapters.sheets_emulator.grid.a1 import Box, Rectangle, parse_cells, render, split_title
from adapters.sheets_emulator.grid.locale import Locale, locale_of
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.wire.errors import invalid

MOST_CELLS = 10_000_000


@frozen
class NamedRange:
    """`box` is None once its cells were deleted: such a range shows as #REF!, is hidden, and keeps its name."""

    id: str
    name: str
    sheet: int
    box: Box | None


@frozen
class ProtectedRange:
    """`editors` are the accounts that may write there, besides the owner; `rest` is kept as it came."""

    id: int
    sheet: int
    box: Box
    editors: frozenset[str] = frozenset()
    warning_only: bool = False
    rest: Mapping[str, Any] = field(factory=dict)


@define
class Workbook:
    """Changed only by way of a copy, so that whoever holds one holds a moment of it."""

    id: str
    title: str
    locale: str = "en_US"
    time_zone: str = "Etc/GMT"
    sheets: list[Sheet] = field(factory=list)
    named_ranges: dict[str, NamedRange] = field(factory=dict)
    protected_ranges: dict[int, ProtectedRange] = field(factory=dict)
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

    @property
    def writing(self) -> Locale:
        """How numbers and dates are written in it."""
        return locale_of(self.locale)

    def sheet(self, sheet_id: int) -> Sheet:
        """The tab of that id.

        Raises:
            ApiError: there is none.
        """
        for sheet in self.sheets:
            if sheet.id == sheet_id:
                return sheet
        raise invalid(f"No grid with id: {sheet_id}")

    def titled(self, title: str) -> Sheet | None:
        """The tab of that title; case does not matter."""
        return next((sheet for sheet in self.sheets if sheet.title.casefold() == title.casefold()), None)

    def resolve(self, text: str) -> tuple[Sheet, Box]:
        """The tab and cells that a range in A1 notation (or a range's name, or a tab's title) means.

        Raises:
            ApiError: it means nothing here.
        """
        title, cells = split_title(text)
        if title is None:
            box = parse_cells(cells)
            if box is not None:
                return self.sheets[0], box
            for named in self.visible_names():
                if named.name.casefold() == cells.casefold():
                    return self.sheet(named.sheet), named.box or Box()
            title, cells = cells, ""
        sheet = self.titled(title)
        box = parse_cells(cells) if cells else Box()
        if sheet is None or box is None:
            raise invalid(f"Unable to parse range: {text}")
        return sheet, box

    def visible_names(self) -> Iterator[NamedRange]:
        """The named ranges whose cells are still there."""
        return (named for named in self.named_ranges.values() if named.box is not None)

    def grid_range(self, value: Mapping[str, Any]) -> tuple[Sheet, Rectangle]:
        """The cells of a GridRange on their grid.

        Raises:
            ApiError: there is no such tab, or the range begins beyond its grid.
        """
        sheet, box = self.open_range(value)
        return sheet, sheet.clip(box)

    def open_range(self, value: Mapping[str, Any]) -> tuple[Sheet, Box]:
        """A GridRange as it is, open ends included.

        Raises:
            ApiError: there is no such tab, or the range begins beyond its grid.
        """
        sheet = self.sheet(value.get("sheetId", 0))
        box = Box(
            value.get("startRowIndex", 0),
            value.get("startColumnIndex", 0),
            value.get("endRowIndex"),
            value.get("endColumnIndex"),
        )
        check_on_grid(sheet, box)
        return sheet, box

    def check_size(self) -> None:
        """Let it be as large as it is.

        Raises:
            ApiError: it has more cells than a spreadsheet may have.
        """
        if sum(sheet.row_count * sheet.column_count for sheet in self.sheets) > MOST_CELLS:
            raise invalid(
                f"This action would increase the number of cells in the workbook above the limit of {MOST_CELLS} cells."
            )

    def check_allowed(self, user: str, sheet: Sheet, box: Box) -> None:
        """Let `user` ("" is the owner) write in `box`.

        Raises:
            ApiError: a part of it is protected, and they are none of its editors.
        """
        for protected in self.protected_ranges.values():
            if (
                user
                and protected.sheet == sheet.id
                and not protected.warning_only
                and user not in protected.editors
                and protected.box.meets(box)
            ):
                raise invalid(
                    "You are trying to edit a protected cell or object. Please contact the spreadsheet owner to "
                    "remove protection if you need to edit."
                )


def check_on_grid(sheet: Sheet, box: Box) -> None:
    """Let `box` be meant.

    Raises:
        ApiError: the box begins beyond the grid.
    """
    if box.top >= sheet.row_count or box.left >= sheet.column_count:
        raise invalid(
            f"Range ({render(sheet.title, box)}) exceeds grid limits. "
            f"Max rows: {sheet.row_count}, max columns: {sheet.column_count}"
        )
