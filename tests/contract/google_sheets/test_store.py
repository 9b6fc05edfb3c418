"""The coordination suites on a spreadsheet: genuine gspread, answered by the emulator within the process."""

import pytest

from ports.testing.coordination import CoordinationStoreContract, StoreBackend
from tests.contract.google_sheets.spreadsheet import Spreadsheet


class TestOverTheEmulator(CoordinationStoreContract):
    @pytest.fixture
    def backend(self) -> StoreBackend:
        spreadsheet = Spreadsheet()
        return StoreBackend(spreadsheet.store, spreadsheet.clock)
