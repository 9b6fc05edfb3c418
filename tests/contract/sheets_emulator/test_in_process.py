"""The genuine gspread and google-auth within the process: no network, and time that a test holds in its hand."""

from typing import Any

import gspread
import pytest
import requests

from adapters.memory.time import ManualClock
from adapters.sheets_emulator.access import Access
from adapters.sheets_emulator.api.service import SheetsService
from adapters.sheets_emulator.client import gspread_client_in_process, transport
from adapters.sheets_emulator.desk import Desk
from adapters.sheets_emulator.faults import Fault


@pytest.fixture
def desk(clock: ManualClock) -> Desk:
    return Desk(clock, SheetsService(clock))


@pytest.fixture
def book(desk: Desk) -> gspread.Spreadsheet:
    return gspread_client_in_process(desk).open_by_key(desk.service.create("Aulas").id)


def test_a_sheet_is_written_and_read(book: gspread.Spreadsheet) -> None:
    book.sheet1.update([["Eleição", "=1+1"]], "A1", raw=True)
    assert book.sheet1.get_all_values() == [["Eleição", "=1+1"]]


def test_tokens_are_fetched_and_refreshed_here_too(desk: Desk, clock: ManualClock) -> None:
    desk.access = Access(clock)
    account: dict[str, Any] = desk.access.service_account("http://emulator.invalid")
    client = gspread_client_in_process(desk, account)
    made = client.create("Nova")
    desk.access.expire_tokens()
    assert client.open("Nova").id == made.id
    assert desk.calls["token"] == 2


@pytest.mark.parametrize("fault", [Fault.DROPPED, Fault.DROPPED_AFTER])
def test_a_dropped_connection_is_an_error_of_requests(desk: Desk, book: gspread.Spreadsheet, fault: Fault) -> None:
    tab = book.sheet1
    desk.faults.lay(fault)
    with pytest.raises(requests.ConnectionError):
        tab.update_acell("A1", "x")


def test_errors_arrive_as_google_s(desk: Desk, book: gspread.Spreadsheet) -> None:
    tab = book.sheet1
    desk.faults.lay(Fault.UNAVAILABLE, retry_after=7)
    with pytest.raises(gspread.exceptions.APIError) as failed:
        tab.get_all_values()
    assert (failed.value.code, failed.value.response.headers["Retry-After"]) == (503, "7")


def test_a_late_answer_costs_the_time_that_it_takes_and_no_more_than_the_timeout(
    desk: Desk, clock: ManualClock
) -> None:
    session = requests.Session()
    session.mount("https://", transport(desk, wait=clock.advance))
    url = f"https://sheets.googleapis.com/v4/spreadsheets/{desk.service.create('Aulas').id}"
    desk.faults.lay(Fault.SLOW, times=2, delay=20)
    assert session.get(url, timeout=30).status_code == 200
    assert clock.monotonic() == 20
    with pytest.raises(requests.ReadTimeout):
        session.get(url, timeout=5)
    assert clock.monotonic() == 25
