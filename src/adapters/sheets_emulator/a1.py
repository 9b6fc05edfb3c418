"""A1 notation: reading what callers write, writing what Google answers."""

import re
from typing import Self

from attrs import frozen

_CELL = re.compile(r"\$?([A-Za-z]*)\$?(\d*)")
_PLAIN_TITLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOOKS_LIKE_CELL = re.compile(r"[A-Za-z]{1,3}\d+|[rR]\d*[cC]\d*")


@frozen
class Box:
    """A rectangle of cells: zero-based, ends excluded; None where it is open."""

    top: int = 0
    left: int = 0
    bottom: int | None = None
    right: int | None = None

    def within(self, rows: int, columns: int) -> Self:
        """The part of it on a grid of that size, with no open ends."""
        bottom = rows if self.bottom is None else min(self.bottom, rows)
        right = columns if self.right is None else min(self.right, columns)
        return type(self)(min(self.top, bottom), min(self.left, right), bottom, right)


def column_number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def column_letters(number: int) -> str:
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def split_title(text: str) -> tuple[str | None, str]:
    """The sheet's title (None if there is none) and the cells of a range."""
    if text.startswith("'"):
        end = text.find("'", 1)
        while text[end + 1 : end + 2] == "'":
            end = text.find("'", end + 2)
        title, rest = text[1:end].replace("''", "'"), text[end + 1 :]
        return title, rest.removeprefix("!")
    title, mark, cells = text.rpartition("!")
    return (title, cells) if mark else (None, text)


def parse_cells(text: str) -> Box | None:
    """``B2``, ``A1:C``, ``A:A``, ``2:3``, ``D4:A1``; None if it is none of them."""
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
    match = _CELL.fullmatch(text)
    if match is None or not text:
        return None
    letters, digits = match.groups()
    if len(letters) > 3 or digits == "0":
        return None
    return (int(digits) - 1 if digits else None, column_number(letters) if letters else None)


def render(title: str, box: Box) -> str:
    """As Google answers: ``Sheet1!A1:B2``, a single cell without a colon, the title quoted where it must be."""
    bottom, right = (box.bottom or 1) - 1, (box.right or 1) - 1
    first = f"{column_letters(box.left)}{box.top + 1}"
    last = f"{column_letters(right)}{bottom + 1}"
    return f"{quoted(title)}!{first}" + (f":{last}" if last != first else "")


def quoted(title: str) -> str:
    if _PLAIN_TITLE.fullmatch(title) and not _LOOKS_LIKE_CELL.fullmatch(title):
        return title
    return "'" + title.replace("'", "''") + "'"
