"""Spreadsheets from a file."""

import json
from pathlib import Path

import pytest

from adapters.sheets_emulator.seed import seed
from ports.errors import ConfigurationError
from tests.unit.adapters.sheets_emulator.book import Book


def test_tabs_are_typed_from_a_file(book: Book, tmp_path: Path) -> None:
    tabs = {"Sources": [["ID", "N"], ["", "42"]], "Notes": []}
    (tmp_path / "tabs.json").write_text(json.dumps(tabs))
    seed(book.person.book, tmp_path / "tabs.json")
    assert [sheet.title for sheet in book.person.book.sheets] == ["Sources", "Notes"]
    assert book.rows(query="?valueRenderOption=UNFORMATTED_VALUE") == [["ID", "N"], ["", 42]]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"Tab": 1}', '{"Tab": ["row"]}'])
def test_a_file_that_is_something_else_is_refused(book: Book, tmp_path: Path, content: str) -> None:
    (tmp_path / "tabs.json").write_text(content)
    with pytest.raises(ConfigurationError, match=r"--seed-from .*tabs\.json"):
        seed(book.person.book, tmp_path / "tabs.json")
