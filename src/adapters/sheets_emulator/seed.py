"""Filling a spreadsheet from a file."""

import json
from pathlib import Path
from typing import Any

from adapters.sheets_emulator.grid.entry import as_entered
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.workbook import Workbook
from ports.errors import ConfigurationError


def seed(book: Workbook, path: Path) -> None:
    """Give `book` the tabs of a JSON file: ``{"Tasks": [["ID", "URL"], ["", "https://…"]], …}``, typed as by a person.

    Raises:
        ConfigurationError: the file cannot be read, or is something else.
    """
    try:
        tabs: Any = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"--seed-from {path}: {error}") from error
    if not isinstance(tabs, dict) or not tabs or not all(_is_table(rows) for rows in tabs.values()):
        raise ConfigurationError(f"--seed-from {path} should hold {{\"a tab's title\": [[a row's cells], …], …}}")
    book.sheets.clear()
    for number, (title, rows) in enumerate(tabs.items()):
        sheet = Sheet(number, title)
        sheet.grow(len(rows), max((len(row) for row in rows), default=0))
        for row, cells in enumerate(rows):
            sheet.put_row(row, 0, [as_entered(text, book.writing) for text in cells])
        book.sheets.append(sheet)


def _is_table(rows: object) -> bool:
    return isinstance(rows, list) and all(isinstance(row, list) for row in rows)
