"""What is in a cell, how text that a person types is read, and how a value is shown."""

import re
from datetime import date, timedelta

from attrs import frozen

Value = str | float | int | bool | None

_NUMBER = re.compile(r"[+-]?(\d[\d,]*)?(\.\d+)?([eE][+-]?\d+)?")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_FORMULA = re.compile(r"=\s*([\d.]+)\s*([-+*/])\s*([\d.]+)\s*")
_DAY_ZERO = date(1899, 12, 30)


@frozen
class Cell:
    """`formula` is kept where one was entered, `shown` where the way of showing was (a date, a percentage)."""

    value: Value = None
    formula: str | None = None
    shown: str | None = None
    note: str | None = None

    @property
    def empty(self) -> bool:
        return self.value is None and self.formula is None and self.note is None


def as_entered(text: object) -> Cell:
    """What a cell becomes when a person types `text` (USER_ENTERED)."""
    if not isinstance(text, str):
        return as_raw(text)
    if text.startswith("'"):
        return Cell(text[1:])
    if text.startswith("=") and len(text) > 1:
        return _formula(text)
    stripped = text.strip()
    if stripped.upper() in {"TRUE", "FALSE"}:
        return Cell(stripped.upper() == "TRUE")
    if stripped.endswith("%") and (number := _number(stripped[:-1])) is not None:
        return Cell(number / 100, shown=stripped)
    if (number := _number(stripped)) is not None:
        return Cell(number, shown=stripped if "," in stripped else None)
    if match := _DATE.fullmatch(stripped):
        try:
            day = date(*(int(part) for part in match.groups()))
        except ValueError:
            return Cell(text)
        return Cell((day - _DAY_ZERO).days, shown=stripped)
    return Cell(text or None)


def as_raw(value: object) -> Cell:
    """What a cell becomes under RAW: what was sent."""
    if value is None or isinstance(value, bool | int | float):
        return Cell(value)
    return Cell(str(value) or None)


def _number(text: str) -> float | int | None:
    if not text or not any(c.isdigit() for c in text) or not _NUMBER.fullmatch(text):
        return None
    number = float(text.replace(",", ""))
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def _formula(text: str) -> Cell:
    """Arithmetic of two numbers is worked out; any other formula is kept, and shows that nobody works it out here."""
    match = _FORMULA.fullmatch(text)
    if match is None:
        return Cell("#ERROR!", formula=text)
    left, operator, right = float(match[1]), match[2], float(match[3])
    if operator == "/" and right == 0:
        return Cell("#DIV/0!", formula=text)
    result = {"+": left + right, "-": left - right, "*": left * right}.get(operator)
    result = left / right if result is None else result
    return Cell(int(result) if result.is_integer() else result, formula=text)


def formatted(cell: Cell) -> str:
    """As the grid shows it (FORMATTED_VALUE)."""
    value = cell.value
    if cell.shown is not None:
        return cell.shown
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)


def day_of(serial: float) -> date:
    """The day that a date's number stands for."""
    return _DAY_ZERO + timedelta(days=int(serial))


def rendered(cell: Cell | None, option: str) -> Value:
    """A cell under a valueRenderOption; "" for an empty one."""
    if cell is None or (cell.value is None and cell.formula is None):
        return ""
    if option == "UNFORMATTED_VALUE":
        return cell.value
    if option == "FORMULA":
        return cell.formula if cell.formula is not None else cell.value
    return formatted(cell)
