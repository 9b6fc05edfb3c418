"""One tab: its grid and all that hangs on it."""

import copy
from collections.abc import Iterator
from typing import Any, Self

from attrs import define, evolve, field

from adapters.sheets_emulator.a1 import Box
from adapters.sheets_emulator.cells import Cell, rendered

Row = list[Cell | None]


@define
class Sheet:
    """`rows` holds as many rows, and each as many cells, as were ever written; the grid is larger."""

    id: int
    title: str
    row_count: int = 1000
    column_count: int = 26
    rows: list[Row] = field(factory=list)
    merges: list[Box] = field(factory=list)
    frozen_rows: int = 0
    frozen_columns: int = 0
    properties: dict[str, Any] = field(factory=dict)
    hidden: dict[str, set[int]] = field(factory=lambda: {"ROWS": set(), "COLUMNS": set()})
    basic_filter: dict[str, Any] | None = None
    groups: dict[str, list[dict[str, Any]]] = field(factory=lambda: {"ROWS": [], "COLUMNS": []})

    def get(self, row: int, column: int) -> Cell | None:
        cells = self.rows[row] if row < len(self.rows) else []
        return cells[column] if column < len(cells) else None

    def put(self, row: int, column: int, cell: Cell | None) -> None:
        while len(self.rows) <= row:
            self.rows.append([])
        cells = [*self.rows[row]]  # rows are never changed in place: copies of the sheet share them
        if len(cells) <= column:
            cells += [None] * (column + 1 - len(cells))
        cells[column] = cell
        self.rows[row] = cells

    def write(self, row: int, column: int, cell: Cell) -> None:
        """Put a value where one may be: the note stays."""
        before = self.get(row, column)
        if before is not None and before.note is not None:
            cell = evolve(cell, note=before.note)
        self.put(row, column, None if cell.empty else cell)

    def clear(self, box: Box) -> None:
        """Empty the values; notes stay."""
        for row, column, cell in list(self.cells_in(box)):
            self.put(row, column, Cell(note=cell.note) if cell.note is not None else None)

    def copy(self) -> Self:
        """A sheet that may be changed without changing this one."""
        return evolve(
            self,
            rows=[*self.rows],
            merges=[*self.merges],
            properties=copy.deepcopy(self.properties),
            hidden={dimension: {*places} for dimension, places in self.hidden.items()},
            groups=copy.deepcopy(self.groups),
        )

    def values(self, box: Box, option: str) -> list[list[Any]]:
        """Rows of values, trailing empty cells and rows left out."""
        table = []
        for row in range(box.top, min(box.bottom or 0, len(self.rows))):
            cells = self.rows[row][box.left : box.right]
            line = [rendered(cell, option) for cell in cells]
            while line and line[-1] == "":
                line.pop()
            table.append(line)
        while table and not table[-1]:
            table.pop()
        return table

    def grow(self, rows: int, columns: int) -> None:
        self.row_count = max(self.row_count, rows)
        self.column_count = max(self.column_count, columns)

    def whole(self) -> Box:
        return Box(0, 0, self.row_count, self.column_count)

    def last_row_with_data(self, box: Box) -> int:
        """The row behind the last one in `box` that shows anything; the box's top if none does."""
        for row in range(min(box.bottom or 0, len(self.rows)) - 1, box.top - 1, -1):
            cells = self.rows[row][box.left : box.right]
            if any(cell is not None and (cell.value is not None or cell.formula is not None) for cell in cells):
                return row + 1
        return box.top

    def insert(self, dimension: str, start: int, count: int) -> None:
        if dimension == "ROWS":
            if start < len(self.rows):
                self.rows[start:start] = [[] for _ in range(count)]
            self.row_count += count
        else:
            self.rows = [
                [*cells[:start], *([None] * count), *cells[start:]] if start < len(cells) else cells
                for cells in self.rows
            ]
            self.column_count += count

    def delete(self, dimension: str, start: int, end: int) -> None:
        if dimension == "ROWS":
            del self.rows[start:end]
            self.row_count -= end - start
        else:
            self.rows = [[*cells[:start], *cells[end:]] for cells in self.rows]
            self.column_count -= end - start

    def resize(self, rows: int | None, columns: int | None) -> None:
        """Make the grid so large; what is beyond it is gone."""
        if rows is not None:
            del self.rows[rows:]
            self.row_count = rows
        if columns is not None:
            self.rows = [cells[:columns] for cells in self.rows]
            self.column_count = columns

    def cells_in(self, box: Box) -> Iterator[tuple[int, int, Cell]]:
        """The cells that hold anything."""
        for row in range(box.top, min(box.bottom or 0, len(self.rows))):
            cells = self.rows[row]
            for column in range(box.left, min(box.right or 0, len(cells))):
                cell = cells[column]
                if cell is not None:
                    yield row, column, cell
