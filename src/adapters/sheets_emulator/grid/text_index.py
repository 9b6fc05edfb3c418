"""Where a text may stand in a column, so that finding a word does not read the whole of it."""

from collections.abc import Iterator, Sequence

from adapters.sheets_emulator.grid.cells import Cell

Row = list[Cell | None]


class TextIndex:
    """Rows by column and folded text. Entries are only ever added: whoever reads them looks at the cell again.

    So copies of a sheet may share one, as long as no row changes its place. A sheet whose rows move takes a new one.
    """

    def __init__(self) -> None:
        self._columns: dict[int, dict[str, set[int]]] = {}
        self._added = 0

    @property
    def stale(self) -> bool:
        """Whether so much was added since it was built that it should be built again."""
        return self._added > 100_000

    def candidates(self, rows: Sequence[Row], column: int, text: str) -> Iterator[int]:
        """The rows, in order, whose cell in `column` may show `text` in any case."""
        known = self._columns.get(column)
        if known is None:
            known = self._columns[column] = {}
            for number, cells in enumerate(rows):
                if column < len(cells) and (cell := cells[column]) is not None and cell.filled:
                    known.setdefault(cell.text.casefold(), set()).add(number)
        return iter(sorted(known.get(text.casefold(), ())))

    def add(self, row: int, column: int, cell: Cell) -> None:
        """Take note of what was written."""
        known = self._columns.get(column)
        if known is not None and cell.filled:
            known.setdefault(cell.text.casefold(), set()).add(row)
            self._added += 1
