"""Spreadsheets for the tests of the emulator."""

import pytest

from tests.unit.adapters.sheets_emulator.book import Book


@pytest.fixture
def book() -> Book:
    return Book()
