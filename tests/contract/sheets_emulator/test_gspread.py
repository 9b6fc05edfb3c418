"""The genuine gspread client and google-auth, against the emulator over HTTP."""

from collections.abc import Iterator
from typing import Any

import gspread
import pytest
import requests
from google.auth.exceptions import RefreshError

from adapters.memory.time import ManualClock
from adapters.sheets_emulator.client import gspread_client
from adapters.sheets_emulator.faults import Fault
from adapters.sheets_emulator.server import EmulatorServer


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def server(clock: ManualClock) -> Iterator[EmulatorServer]:
    with EmulatorServer(clock, authenticate=True, metered=True) as server:
        yield server


@pytest.fixture
def account(server: EmulatorServer) -> dict[str, Any]:
    return server.service_account("maria")


@pytest.fixture
def book(server: EmulatorServer, account: dict[str, Any]) -> Iterator[gspread.Spreadsheet]:
    client = gspread_client(server.url, account)
    yield client.open_by_key(server.create("Aulas", shared_with=account).id)
    client.http_client.session.close()


def test_a_sheet_is_written_and_read(book: gspread.Spreadsheet) -> None:
    tab = book.add_worksheet("Tarefas", rows=10, cols=3)
    tab.append_row(["ID", "URL", "Status"])
    tab.append_rows([["a", "https://x", "PENDING"], ["b", "https://y", "PENDING"]])
    tab.update_acell("C2", "CLAIMED")
    assert tab.get_all_records() == [
        {"ID": "a", "URL": "https://x", "Status": "CLAIMED"},
        {"ID": "b", "URL": "https://y", "Status": "PENDING"},
    ]
    tab.delete_rows(2)
    assert tab.col_values(1) == ["ID", "b"]
    assert tab.find("https://y").row == 2
    assert [sheet.title for sheet in book.worksheets()] == ["Sheet1", "Tarefas"]


def test_a_client_makes_finds_and_deletes_spreadsheets(server: EmulatorServer, account: dict[str, Any]) -> None:
    client = gspread_client(server.url, account)
    made = client.create("Nova")
    assert client.open("Nova").id == made.id
    client.del_spreadsheet(made.id)
    with pytest.raises(gspread.SpreadsheetNotFound):
        client.open("Nova")
    client.http_client.session.close()


def test_a_token_that_has_expired_is_refreshed_on_the_way(server: EmulatorServer, book: gspread.Spreadsheet) -> None:
    assert server.desk.calls["token"] == 1
    assert server.desk.access is not None
    server.desk.access.expire_tokens()
    assert book.sheet1.get_all_values() == [[]]
    assert server.desk.calls["token"] == 2


def test_a_key_of_somebody_elses_gets_no_token(server: EmulatorServer, account: dict[str, Any]) -> None:
    forged = {**server.service_account("joao"), "client_email": account["client_email"]}
    with pytest.raises(RefreshError, match="Invalid JWT Signature"):
        gspread_client(server.url, forged).open_by_key("whatever")


def test_a_spreadsheet_that_is_not_shared_is_forbidden(server: EmulatorServer, account: dict[str, Any]) -> None:
    book = server.create("Privada", shared_with=server.service_account("joao"))
    client = gspread_client(server.url, account)
    with pytest.raises(PermissionError) as refused:
        client.open_by_key(book.id)
    assert "The caller does not have permission" in str(refused.value.__cause__)
    client.http_client.session.close()


def test_the_quota_is_google_s_and_reads_and_writes_are_metered_apart(
    server: EmulatorServer, book: gspread.Spreadsheet, clock: ManualClock
) -> None:
    tab = book.sheet1
    for _ in range(60):
        tab.update_acell("A1", "x")
    with pytest.raises(gspread.exceptions.APIError) as exceeded:
        tab.update_acell("A1", "x")
    assert exceeded.value.code == 429
    detail = exceeded.value.response.json()["error"]["details"][0]["metadata"]
    assert detail["quota_metric"] == "sheets.googleapis.com/write_requests"
    assert detail["quota_limit"] == "WriteRequestsPerMinutePerUser"
    assert tab.acell("A1").value == "x"
    clock.advance(60)
    tab.update_acell("A1", "y")


@pytest.mark.parametrize(
    ("fault", "applied"),
    [
        (Fault.QUOTA, False),
        (Fault.UNAVAILABLE, False),
        (Fault.UNAVAILABLE_AFTER, True),
        (Fault.DROPPED, False),
        (Fault.DROPPED_AFTER, True),
    ],
)
def test_a_fault_strikes_before_or_after_the_effect(
    server: EmulatorServer, book: gspread.Spreadsheet, fault: Fault, applied: bool
) -> None:
    tab = book.sheet1
    server.desk.faults.lay(fault)
    with pytest.raises((gspread.exceptions.APIError, requests.ConnectionError)):
        tab.update_acell("A1", "x")
    assert (tab.acell("A1").value == "x") is applied


def test_a_person_may_edit_between_two_calls(server: EmulatorServer, book: gspread.Spreadsheet) -> None:
    tab = book.sheet1
    service = server.desk.service

    def person(method: str, path: str) -> None:
        server.desk.before = lambda *_: None
        service.books[book.id].sheets[0].insert("ROWS", 0, 1)

    server.desk.before = person
    tab.update_acell("A1", "x")
    assert tab.get_all_values() == [["x"]]
    assert service.books[book.id].sheets[0].row_count == 1001


def test_calls_are_counted_by_kind(server: EmulatorServer, book: gspread.Spreadsheet) -> None:
    before = server.desk.calls.copy()
    book.sheet1.get_all_values()
    book.sheet1.update_acell("A1", "x")
    assert server.desk.calls["write"] - before["write"] == 1
    assert server.desk.calls["read"] > before["read"]
    assert server.desk.traffic["answered"] > 0
