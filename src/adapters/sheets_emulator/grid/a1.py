"""A1 notation: reading what callers write, writing what Google answers."""

import re
from typing import Self

from attrs import frozen

_CORNER = re.compile(r"\$?([A-Za-z]{0,3})\$?([1-9]\d*)?")
_R1C1 = re.compile(r"[Rr]([1-9]\d*)[Cc]([1-9]\d*)")
_QUOTED = re.compile(r"'(?P<title>(?:[^']|'')+)'(?:!(?P<cells>.*))?")
_PLAIN_TITLE = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_LOOKS_LIKE_CELL = re.compile(r"[A-Za-z]{1,3}\d+|[rR]\d*[cC]\d*")


@frozen
class Box:
    """A rectangle of cells: zero-based, ends excluded; None where it is open."""

    top: int = 0
    left: int = 0
    bottom: int | None = None
    right: int | None = None

    def within(self, rows: int, columns: int) -> "Rectangle":
        """The part of it on a grid of that size, with no open ends."""
        bottom = rows if self.bottom is None else min(self.bottom, rows)
        right = columns if self.right is None else min(self.right, columns)
        return Rectangle(min(self.top, bottom), min(self.left, right), bottom, right)

    def meets(self, other: "Box") -> bool:
        """Whether the two share a cell."""
        return (
            (other.bottom is None or self.top < other.bottom)
            and (self.bottom is None or other.top < self.bottom)
            and (other.right is None or self.left < other.right)
            and (self.right is None or other.left < self.right)
        )

    def holds(self, row: int, column: int) -> bool:
        """Whether that cell is in it."""
        return self.meets(Box(row, column, row + 1, column + 1))


@frozen
class Rectangle(Box):
    """A box whose ends are known."""

    bottom: int = 0
    right: int = 0

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def width(self) -> int:
        return self.right - self.left

    @classmethod
    def at(cls, row: int, column: int, height: int = 1, width: int = 1) -> Self:
        """The one of that size whose upper left cell that is."""
        return cls(row, column, row + height, column + width)


def column_number(letters: str) -> int:
    """0 for A."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def column_letters(number: int) -> str:
    """A for 0."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def split_title(text: str) -> tuple[str | None, str]:
    """The sheet's title (None if there is none) and the cells of a range."""
    if match := _QUOTED.fullmatch(text):
        return match["title"].replace("''", "'"), match["cells"] or ""
    title, mark, cells = text.rpartition("!")
    return (title, cells) if mark else (None, text)


def parse_cells(text: str) -> Box | None:
    """``B2``, ``A1:C``, ``A:A``, ``2:3``, ``D4:A1``, ``R1C1:R2C2``; None if it is none of them."""
    first, colon, last = text.partition(":")
    start, end = _corner(first), _corner(last if colon else first)
    if start is None or end is None or (not colon and None in start):
        return None
    rows = sorted(value for value in (start[0], end[0]) if value is not None)
    columns = sorted(value for value in (start[1], end[1]) if value is not None)
    open_row = end[0] is None or start[0] is None
    open_column = end[1] is None or start[1] is None
    return Box(
        top=rows[0] if rows else 0,
        left=columns[0] if columns else 0,
        bottom=None if open_row else rows[-1] + 1,
        right=None if open_column else columns[-1] + 1,
    )


def _corner(text: str) -> tuple[int | None, int | None] | None:
    if match := _R1C1.fullmatch(text):
        return int(match[1]) - 1, int(match[2]) - 1
    match = _CORNER.fullmatch(text)
    if match is None or not any(match.groups()):
        return None
    letters, digits = match.groups()
    return (int(digits) - 1 if digits else None, column_number(letters) if letters else None)


def render(title: str, box: Box) -> str:
    """As Google answers: ``Sheet1!A1:B2``, ``Sheet1!A2:B``, one cell without a colon, the title quoted if need be."""
    first = f"{column_letters(box.left)}{box.top + 1}"
    last = ("" if box.right is None else column_letters(max(box.left, box.right - 1))) + (
        "" if box.bottom is None else str(max(box.top, box.bottom - 1) + 1)
    )
    return f"{quoted(title)}!{first}" + (f":{last}" if last not in (first, "") else "")


def quoted(title: str) -> str:
    """A title as it stands in a range."""
    if _PLAIN_TITLE.fullmatch(title) and not _LOOKS_LIKE_CELL.fullmatch(title):
        return title
    return "'" + title.replace("'", "''") + "'"
