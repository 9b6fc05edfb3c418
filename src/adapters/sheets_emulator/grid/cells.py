"""What is in a cell, and how it is shown."""

from collections.abc import Mapping
from typing import Any, Self

from attrs import evolve, frozen

Value = str | float | int | bool | None


@frozen
class Cell:
    """`formula` is kept where one was entered, `shown` where what was entered says how to show it (50%, a date).

    `dated`: the value is a day's number. `format` and `validation` are kept as they came.
    """

    value: Value = None
    formula: str | None = None
    shown: str | None = None
    dated: bool = False
    note: str | None = None
    format: Mapping[str, Any] | None = None
    validation: Mapping[str, Any] | None = None

    @property
    def filled(self) -> bool:
        """Whether it holds a value."""
        return self.value is not None or self.formula is not None

    @property
    def empty(self) -> bool:
        """Whether nothing is kept of it at all."""
        return not (self.filled or self.note or self.format or self.validation)

    def holding(self, entered: Self) -> Self:
        """What was `entered`, in this cell's dress: note, format and validation stay."""
        if self.note is None and self.format is None and self.validation is None:
            return entered
        return evolve(entered, note=self.note, format=self.format, validation=self.validation)

    @property
    def text(self) -> str:
        """As the grid shows it (FORMATTED_VALUE)."""
        value = self.value
        if self.shown is not None:
            return self.shown
        if isinstance(value, str):
            return value
        if value is None:
            return ""
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        return general(value)


EMPTY = Cell()


def general(number: float) -> str:
    """A number without a format: ten significant digits at most where it is no whole number."""
    if isinstance(number, int) or (number.is_integer() and abs(number) < 1e15):
        return str(int(number))
    return f"{number:.10g}".replace("e", "E")


def rendered(cell: Cell | None, option: str, dates: str = "SERIAL_NUMBER") -> Value:
    """A cell under a valueRenderOption and a dateTimeRenderOption; "" for an empty one."""
    if cell is None or not cell.filled:
        return ""
    if option == "FORMULA" and cell.formula is not None:
        return cell.formula
    if option in ("UNFORMATTED_VALUE", "FORMULA"):
        return cell.shown if cell.dated and dates == "FORMATTED_STRING" else cell.value
    return cell.text
