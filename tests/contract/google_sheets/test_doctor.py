"""`mutirao doctor` on a spreadsheet over HTTP, with genuine google-auth: each thing that may be wrong, and its fix."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve

from adapters.google_sheets.assumptions import tried
from adapters.google_sheets.client import SheetsClient
from adapters.google_sheets.credentials import GoogleAccount
from adapters.google_sheets.experiments_on_batches import race_for_a_word
from adapters.google_sheets.pace import Pace
from adapters.google_sheets.scratch import Scratch
from adapters.memory.time import FixedRandom, ManualClock
from adapters.sheets_emulator.faults import Fault
from adapters.sheets_emulator.grid.workbook import Workbook
from adapters.sheets_emulator.server import EmulatorServer
from app import Settings, create_app
from app.cli.main import main
from domain.finding import Verdict
from domain.pacing import PacingPolicy
from ports.testing.scenario import scenario


@define
class Patient:
    """A spreadsheet, the account that is to use it, and what the doctor says."""

    server: EmulatorServer
    book: Workbook
    account: dict[str, Any]
    monkeypatch: pytest.MonkeyPatch
    capfd: pytest.CaptureFixture[str]

    def set(self, **variables: str) -> None:
        for name, value in variables.items():
            self.monkeypatch.setenv(name, value)

    def doctor(self, *options: str) -> tuple[int, dict[str, dict[str, str]]]:
        """The exit status, and what was found, by subject."""
        with pytest.raises(SystemExit) as ending:
            main(["doctor", "--json", *options])
        said = json.loads(self.capfd.readouterr().out)
        assert said["works"] is (ending.value.code in (None, 0))
        return int(ending.value.code or 0), {finding["subject"]: finding for finding in said["findings"]}

    @property
    def person(self) -> Any:
        return self.server.person(self.book.id)


@pytest.fixture
def patient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Patient]:
    """All is well: the spreadsheet is shared with the account, and a worker has made the tabs."""
    with EmulatorServer(ManualClock(), authenticate=True) as server:
        account = server.service_account("maria")
        book = server.create("Aulas", shared_with=account)
        (tmp_path / "key.json").write_text(json.dumps(account))
        patient = Patient(server, book, account, monkeypatch, capfd)
        monkeypatch.chdir(tmp_path)
        for row in Settings().describe():
            monkeypatch.delenv(row.name, raising=False)
        patient.set(
            SPREADSHEET_ID=book.id,
            SERVICE_ACCOUNT_FILE="key.json",
            SHEETS_API_URL=server.url,
            SHEETS_MIN_INTERVAL="0",
            MUTIRAO_STATE_DIR=str(tmp_path),
        )
        asyncio.run(_open_once())
        yield patient


async def _open_once() -> None:
    async with create_app():
        pass


def test_a_spreadsheet_that_is_well(patient: Patient) -> None:
    status, found = patient.doctor()
    assert status == 0
    assert found["account"]["seen"] == "maria@emulated.iam.gserviceaccount.com (from SERVICE_ACCOUNT_FILE=key.json)"
    assert "Aulas" in found["spreadsheet"]["seen"]
    assert {found[subject]["verdict"] for subject in ("writing", "tab “Tasks”", "tab “Eleição de Líderes”")} == {"good"}


def test_looking_changes_nothing(patient: Patient) -> None:
    before = patient.server.workbook(patient.book.id).copy()
    patient.doctor()
    after = patient.server.workbook(patient.book.id)
    assert [sheet.title for sheet in after.sheets] == [sheet.title for sheet in before.sheets]
    assert after.named_ranges == before.named_ranges


def unshare(patient: Patient) -> None:
    patient.server.desk.service.store.files[patient.book.id].permissions = []


def share_for_reading(patient: Patient) -> None:
    permissions = patient.server.desk.service.store.files[patient.book.id].permissions
    permissions[0] = evolve(permissions[0], role="reader")


def another_key(patient: Patient) -> None:
    """The account's key was replaced: what is in the file is not valid any more."""
    patient.server.service_account("maria")


def no_key(patient: Patient) -> None:
    Path("key.json").write_text('{"type": "service_account", "client_email": "maria@x.example"}')


def no_json(patient: Patient) -> None:
    Path("key.json").write_text("hello")


ADDRESS = "maria@emulated.iam.gserviceaccount.com"


@pytest.mark.parametrize(
    ("harm", "subject", "words"),
    [
        (unshare, "spreadsheet", ["no access", f"share it with {ADDRESS} as editor"]),
        (share_for_reading, "writing", ["no access", f"share it with {ADDRESS} as editor"]),
        (
            lambda patient: patient.set(SPREADSHEET_ID="none"),
            "spreadsheet",
            ["no spreadsheet 'none'", "SPREADSHEET_ID"],
        ),
        (another_key, "spreadsheet", [f"no token to {ADDRESS}", "make a new key"]),
        (no_key, "spreadsheet", ["key.json holds no key of a service account", "download the key anew"]),
        (no_json, "spreadsheet", ["key.json holds no JSON"]),
        (
            lambda patient: patient.person.type("Tasks", "I1", "Estado"),
            "tab “Tasks”",
            ["no column “Status”", "put the header back"],
        ),
        (
            lambda patient: patient.person.protect("Sources DLQ", editors=["owner@x.example"]),
            "tab “Sources DLQ”",
            ["protected", "let the account edit it"],
        ),
    ],
    ids=["403", "read only", "404", "wrong key", "no key", "no JSON", "renamed header", "protected"],
)
def test_what_is_wrong_is_said_with_its_fix(
    harm: Callable[[Patient], None], subject: str, words: list[str], patient: Patient
) -> None:
    harm(patient)
    status, found = patient.doctor()
    assert status == 1
    assert found[subject]["verdict"] == "problem"
    assert all(word in f"{found[subject]['seen']} {found[subject]['fix']}" for word in words), found[subject]


@pytest.mark.parametrize(
    ("change", "subject", "verdict", "words"),
    [
        (lambda patient: patient.person.delete_tab("Tasks"), "tab “Tasks”", "note", "is made when a worker starts"),
        (lambda patient: patient.person.delete_columns("Tasks", 12), "tab “Tasks”", "note", "lacks “Chave”"),
        (lambda patient: patient.person.type("Tasks", "L1", "Status"), "tab “Tasks”", "warning", "twice"),
        (lambda patient: patient.person.add_tab("mutirao doctor x1"), "tab “mutirao doctor x1”", "warning", "left"),
    ],
    ids=["deleted tab", "deleted column of ours", "header twice", "left scratch tab"],
)
def test_what_workers_get_along_with_is_said_too(
    change: Callable[[Patient], None], subject: str, verdict: str, words: str, patient: Patient
) -> None:
    change(patient)
    status, found = patient.doctor()
    assert status == 0
    assert found[subject]["verdict"] == verdict
    assert words in found[subject]["seen"]


def test_every_assumption_holds_on_the_emulator(patient: Patient) -> None:
    status, found = patient.doctor("--spreadsheet")
    assert status == 0
    assert found["rows that two append at once are all there"]["verdict"] == "good"
    assert "1e10 → 1.00E+10 (no text)" in found["what a replacement is read as (the store uses none of these)"]["seen"]
    assert no_scratch_is_left(patient)


@scenario
async def test_two_who_are_told_that_they_won_are_no_problem(patient: Patient) -> None:
    other = patient.server.service_account("joao")
    permissions = patient.server.desk.service.store.files[patient.book.id].permissions
    permissions.append(evolve(permissions[0], address=other["client_email"]))
    clock = ManualClock()
    pace = Pace(PacingPolicy(base=0.0, spread=0.0), clock=clock, random=FixedRandom())
    one, two = (
        SheetsClient(
            patient.book.id,
            GoogleAccount(content=json.dumps(account)),
            clock=clock,
            pace=pace,
            api_url=patient.server.url,
        )
        for account in (patient.account, other)
    )
    async with Scratch(one, two, pace, "x1") as scratch:
        patient.server.faults.lay(Fault.STALE)
        (race,) = await tried(scratch, [race_for_a_word])
    await one.close()
    await two.close()
    assert race.verdict is Verdict.NOTE
    assert "0 belong to nobody" in race.seen
    assert "5 told both" in race.seen


def test_an_assumption_that_does_not_hold_is_a_problem(patient: Patient) -> None:
    def wipe(_method: str, _path: str) -> None:
        """Whatever stands in the scratch tab is gone at once, as if appends overwrote each other."""
        for sheet in patient.server.workbook(patient.book.id).sheets:
            if sheet.title.startswith("mutirao doctor") and len(patient.person.rows(sheet.title)) > 10:
                patient.person.delete_rows(sheet.title, 2, 3)

    patient.server.desk.before_call = wipe
    status, found = patient.doctor("--spreadsheet")
    lost = found["rows that two append at once are all there"]
    assert (status, lost["verdict"]) == (1, "problem")
    assert "report this output" in lost["fix"]
    assert no_scratch_is_left(patient)


def test_the_scratch_tab_is_removed_whatever_happens(patient: Patient) -> None:
    writes = 0

    def end_in_the_middle(_method: str, path: str) -> None:
        nonlocal writes
        writes += path.endswith(":batchUpdate")
        if writes == 4:
            patient.server.faults.lay(Fault.INTERNAL)
            patient.server.faults.lay(
                Fault.UNAVAILABLE_AFTER, strikes=lambda _method, path: path.endswith(":batchUpdate")
            )

    patient.server.desk.before_call = end_in_the_middle
    status, found = patient.doctor("--spreadsheet")
    assert status == 0
    assert [finding["verdict"] for finding in found.values()].count("warning") >= 1
    assert no_scratch_is_left(patient)


def test_a_spreadsheet_that_is_wrong_is_not_tried_out(patient: Patient) -> None:
    share_for_reading(patient)
    writes = patient.server.desk.calls["write"]
    status, _ = patient.doctor("--spreadsheet")
    assert (status, patient.server.desk.calls["write"] - writes) == (1, 1), "only what showed that it may not write"


def no_scratch_is_left(patient: Patient) -> bool:
    book = patient.server.workbook(patient.book.id)
    return len(book.sheets) == 9 and not book.named_ranges
