"""One tab: its grid and all that hangs on it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from attrs import define, evolve, field, frozen

from adapters.sheets_emulator.grid.a1 import Box, Rectangle
from adapters.sheets_emulator.grid.cells import EMPTY, Cell, rendered
from adapters.sheets_emulator.grid.text_index import Row, TextIndex


@define(eq=False)
class Sheet:
    """`rows` holds as many rows, and each as many cells, as were ever written; the grid is larger.

    No row, set or mapping in it is ever changed in place: copies share them. What is kept of rows and columns is under
    "ROWS" and "COLUMNS". `shape` is another object each time that cells change their places.
    """

    id: int
    title: str
    row_count: int = 1000
    column_count: int = 26
    rows: list[Row] = field(factory=list)
    merges: list[Rectangle] = field(factory=list)
    frozen_rows: int = 0
    frozen_columns: int = 0
    properties: Mapping[str, Any] = field(factory=dict)
    grid_properties: Mapping[str, Any] = field(factory=dict)
    hidden: Mapping[str, frozenset[int]] = field(factory=lambda: {"ROWS": frozenset(), "COLUMNS": frozenset()})
    sizes: Mapping[str, Mapping[int, int]] = field(factory=lambda: {"ROWS": {}, "COLUMNS": {}})
    groups: Mapping[str, Sequence["Group"]] = field(factory=lambda: {"ROWS": (), "COLUMNS": ()})
    basic_filter: "BasicFilter | None" = None
    shape: object = field(factory=object)
    _texts: TextIndex = field(factory=TextIndex)

    def get(self, row: int, column: int) -> Cell:
        """What is there, if only nothing."""
        cells = self.rows[row] if row < len(self.rows) else ()
        return (cells[column] if column < len(cells) else None) or EMPTY

    def put(self, row: int, column: int, cell: Cell) -> None:
        """Put a cell in place of another, note and format included."""
        self.put_row(row, column, [cell])

    def put_row(self, row: int, column: int, new: Sequence[Cell]) -> None:
        """Put cells in place of others, from `column` on."""
        while len(self.rows) <= row:
            self.rows.append([])
        cells = [*self.rows[row]]
        end = column + len(new)
        if len(cells) < end:
            cells += [None] * (end - len(cells))
        cells[column:end] = [None if cell.empty else cell for cell in new]
        self.rows[row] = cells
        if self._texts.stale:
            self._texts = TextIndex()
        for number, cell in enumerate(new, column):
            self._texts.add(row, number, cell)

    def write(self, row: int, column: int, entered: Cell) -> None:
        """Put a value where one may be: note, format and validation stay."""
        self.put(row, column, self.get(row, column).holding(entered))

    def clear(self, box: Rectangle) -> None:
        """Empty the values; the rest stays."""
        for row, column, cell in list(self.cells_in(box)):
            self.put(row, column, cell.holding(EMPTY))

    def copy(self) -> Self:
        """A sheet that may be changed without changing this one."""
        return evolve(self, rows=[*self.rows], merges=[*self.merges])

    def whole(self) -> Rectangle:
        """All of its grid."""
        return Rectangle(0, 0, self.row_count, self.column_count)

    def clip(self, box: Box) -> Rectangle:
        """The part of `box` on its grid."""
        return box.within(self.row_count, self.column_count)

    def grow(self, rows: int, columns: int) -> None:
        """Make the grid at least so large."""
        self.row_count = max(self.row_count, rows)
        self.column_count = max(self.column_count, columns)

    def move_rows(self, rows: list[Row]) -> None:
        """Take these rows in place of its own, whose cells have changed their places."""
        self.rows = rows
        self.shape = object()
        self._texts = TextIndex()

    def block(self, box: Rectangle) -> list[Row]:
        """The cells of `box`, as many of its rows as there are, each padded to its width."""
        width = box.width
        return [
            cells + [None] * (width - len(cells))
            for cells in (row[box.left : box.right] for row in self.rows[box.top : box.bottom])
        ]

    def set_block(self, box: Rectangle, block: Sequence[Row]) -> None:
        """Put cells in place of those of `box`; where `block` has none, there are none any more."""
        rows = self.rows + [[] for _ in range(box.top + len(block) - len(self.rows))]
        for number in range(box.top, min(box.bottom, len(rows))):
            old, new = rows[number], block[number - box.top] if number - box.top < len(block) else []
            head = old[: box.left] + [None] * (box.left - len(old))
            rows[number] = head + new + [None] * (box.width - len(new)) + old[box.right :]
        self.move_rows(rows)

    def values(self, box: Rectangle, option: str, dates: str = "SERIAL_NUMBER") -> list[list[Any]]:
        """Rows of values, trailing empty cells and rows left out."""
        table = []
        for cells in self.rows[box.top : box.bottom]:
            line = [rendered(cell, option, dates) for cell in cells[box.left : box.right]]
            while line and line[-1] == "":
                line.pop()
            table.append(line)
        while table and not table[-1]:
            table.pop()
        return table

    def last_row_with_data(self, box: Rectangle) -> int:
        """The row behind the last one in `box` that shows anything; the box's top if none does."""
        for row in range(min(box.bottom, len(self.rows)) - 1, box.top - 1, -1):
            if self.fills(Rectangle(row, box.left, row + 1, box.right)):
                return row + 1
        return box.top

    def fills(self, box: Rectangle) -> bool:
        """Whether any cell in `box` holds a value."""
        return any(
            cell is not None and cell.filled
            for cells in self.rows[box.top : box.bottom]
            for cell in cells[box.left : box.right]
        )

    def cells_in(self, box: Rectangle) -> Iterator[tuple[int, int, Cell]]:
        """The cells that hold anything, row by row."""
        for number, cells in enumerate(self.rows[box.top : box.bottom], box.top):
            for column, cell in enumerate(cells[box.left : box.right], box.left):
                if cell is not None:
                    yield number, column, cell

    def showing(self, text: str, box: Rectangle) -> Iterator[tuple[int, int, Cell]]:
        """The cells in `box` that show `text` in any case, column by column."""
        width = max((len(cells) for cells in self.rows), default=0) if box.right > 26 else box.right
        for column in range(box.left, min(box.right, width)):
            for row in self._texts.candidates(self.rows, column, text):
                cell = self.get(row, column)
                if box.top <= row < box.bottom and cell.filled and cell.text.casefold() == text.casefold():
                    yield row, column, cell


@frozen
class Group:
    """Rows or columns folded together."""

    start: int
    end: int
    depth: int


@frozen
class BasicFilter:
    """The filter of a tab; `criteria` by column, `rest` as it came."""

    box: Rectangle
    criteria: Mapping[int, Mapping[str, Any]] = field(factory=dict)
    rest: Mapping[str, Any] = field(factory=dict)

    def hides(self, sheet: Sheet, row: int) -> bool:
        """Whether that row is out of sight because of it."""
        if not self.box.top < row < self.box.bottom:
            return False
        return any(
            sheet.get(row, column).text in criteria.get("hiddenValues", ())
            for column, criteria in self.criteria.items()
        )
