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
def client(server: EmulatorServer, account: dict[str, Any]) -> Iterator[gspread.Client]:
    client = gspread_client(server.url, account)
    yield client
    client.http_client.session.close()


@pytest.fixture
def book(server: EmulatorServer, account: dict[str, Any], client: gspread.Client) -> gspread.Spreadsheet:
    return client.open_by_key(server.create("Aulas", shared_with=account).id)


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


def test_everything_that_gspread_does_to_a_tab_is_understood(book: gspread.Spreadsheet) -> None:
    tab = book.sheet1
    tab.update([["b", 2], ["a", 1]], "A1:B2")
    tab.batch_update([{"range": "C1", "values": [["x"]]}])
    tab.sort((1, "asc"))
    tab.insert_row(["head", "n"], 1)
    tab.insert_cols([["left"]], 1)
    tab.insert_note("A1", "a note")
    tab.format("A1:B1", {"textFormat": {"bold": True}})
    tab.freeze(rows=1)
    tab.hide_rows(2, 3)
    tab.copy_range("A1:B1", "A9:B9")
    tab.cut_range("A9", "C9")
    tab.merge_cells("D1:E1")
    tab.set_basic_filter("A1:C3")
    tab.define_named_range("A1:A1", "fence_1")
    tab.add_validation("F1", gspread.utils.ValidationConditionType.boolean, [])
    tab.add_protected_range("Z1", editor_users_emails=["x@y.example"])
    tab.columns_auto_resize(0, 1)
    tab.duplicate(new_sheet_name="Copy")
    tab.update_title("Main")
    assert tab.get_all_values()[:4] == [
        ["left", "head", "n", ""],
        ["", "a", "1", ""],
        ["", "b", "2", "x"],
        ["", "", "", ""],
    ]
    assert tab.get_note("A1") == "a note"
    assert [one["name"] for one in book.list_named_ranges()] == ["fence_1"]
    assert book.worksheet("Copy").acell("B1").value == "head"


def test_a_client_makes_finds_copies_shares_and_deletes_spreadsheets(client: gspread.Client) -> None:
    made = client.create("Nova")
    made.sheet1.update_acell("A1", "x")
    made.share("joao@x.example", perm_type="user", role="writer")
    assert {one["emailAddress"] for one in made.list_permissions()} == {
        "joao@x.example",
        "maria@emulated.iam.gserviceaccount.com",
    }
    copied = client.copy(made.id, title="Cópia", copy_permissions=True, copy_comments=True)
    assert client.open("Cópia").sheet1.acell("A1").value == copied.sheet1.acell("A1").value == "x"
    client.import_csv(copied.id, "a,b\n1,2")
    assert copied.sheet1.get_all_values() == [["a", "b"], ["1", "2"]]
    assert client.export(copied.id, gspread.utils.ExportFormat.CSV) == b"a,b\r\n1,2"
    assert {one["name"] for one in client.list_spreadsheet_files()} == {"Nova", "Cópia"}
    client.del_spreadsheet(made.id)
    with pytest.raises(gspread.SpreadsheetNotFound):
        client.open("Nova")


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


def test_a_spreadsheet_that_is_not_shared_is_forbidden(server: EmulatorServer, client: gspread.Client) -> None:
    book = server.create("Privada", shared_with=server.service_account("joao"))
    with pytest.raises(PermissionError) as refused:
        client.open_by_key(book.id)
    assert "The caller does not have permission" in str(refused.value.__cause__)


def test_a_spreadsheet_that_is_not_there_is_not_found(client: gspread.Client) -> None:
    with pytest.raises(gspread.SpreadsheetNotFound):
        client.open_by_key("nowhere")


def test_the_quota_is_google_s_and_reads_and_writes_are_metered_apart(
    book: gspread.Spreadsheet, clock: ManualClock
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
        (Fault.INTERNAL, False),
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
    server.faults.lay(fault)
    with pytest.raises((gspread.exceptions.APIError, requests.ConnectionError)):
        tab.update_acell("A1", "x")
    assert (tab.acell("A1").value == "x") is applied


def test_an_answer_that_comes_too_late_has_taken_effect(server: EmulatorServer, book: gspread.Spreadsheet) -> None:
    tab = book.sheet1
    tab.client.timeout = 0.05
    server.faults.lay(Fault.SLOW, delay=600)
    with pytest.raises(requests.ReadTimeout):
        tab.update_acell("A1", "x")
    tab.client.timeout = 30
    assert tab.acell("A1").value == "x"


def test_a_person_may_edit_between_two_calls(server: EmulatorServer, book: gspread.Spreadsheet) -> None:
    tab, person = book.sheet1, server.person(book.id)

    def once(_method: str, _path: str) -> None:
        server.desk.before_call = lambda *_call: None
        person.insert_rows("Sheet1", 1)

    server.desk.before_call = once
    tab.update_acell("A1", "x")
    assert tab.get_all_values() == [["x"]]
    assert server.workbook(book.id).sheets[0].row_count == 1001


def test_calls_and_bytes_are_counted_by_kind(server: EmulatorServer, book: gspread.Spreadsheet) -> None:
    tab, before = book.sheet1, server.desk.calls.copy()
    tab.get_all_values()
    tab.update_acell("A1", "x")
    assert server.desk.calls - before == {"read": 1, "write": 1}
    assert server.desk.downloaded["read"] > 0
