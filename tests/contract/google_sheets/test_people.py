"""What people do to the spreadsheet while workers run, and what becomes of it."""

import pytest

from adapters.google_sheets.store import SheetsCoordinationStore
from domain.lifecycle import Failed, State
from domain.session import Session
from domain.work import Task
from ports.testing.scenario import scenario
from ports.testing.store_backend import TTL, keys, settle, tasks, worker
from tests.contract.google_sheets.spreadsheet import Spreadsheet

PRIOR_TASKS = (
    *("ID", "ID da Fonte", "URL", "Nome", "Duração", "Timestamp de Criação"),
    *("Timestamp de Reivindicação", "Timestamp de Conclusão", "Status", "Worker Atribuído"),
)
VIDEO = "https://www.youtube.com/watch?v="


@pytest.fixture
def sheet() -> Spreadsheet:
    return Spreadsheet()


async def leading(store: SheetsCoordinationStore, name: str = "maria") -> Session:
    """A session that leads, and so has looked after what people typed."""
    session = await store.workers.open(worker(name))
    assert await store.leases.acquire("Source", session, TTL)
    return session


async def tend(store: SheetsCoordinationStore, session: Session) -> None:
    assert await store.leases.acquire("Source", session, TTL)


def column(sheet: Spreadsheet, tab: str, header: str) -> list[str]:
    return [row.get(header, "") for row in sheet.rows(tab)]


@scenario
async def test_a_spreadsheet_of_yt_gsheet_orchestrator_is_taken_over_with_its_rows_in_flight(
    sheet: Spreadsheet,
) -> None:
    person = sheet.person
    person.add_tab("Tasks")
    person.type("Tasks", "A1", *PRIOR_TASKS, "Minhas notas")
    person.type("Tasks", "A2", "", "", f"{VIDEO}aaaaaaaaaa1", "um", "10", "", "", "", "PENDING", "", "nota 1")
    person.type("Tasks", "A4", "x", "", f"{VIDEO}aaaaaaaaaa2", "dois", "10", "", "", "", "claimed ", "old", "nota 2")
    async with sheet.store() as store:
        session = await leading(store)
        claims = await store.tasks.claim(session, 10)
        assert [claim.item.name for claim in claims] == ["um", "dois"]
        for claim in claims:
            await settle(store.tasks, session, claim)
        assert await keys(store.tasks, State.COMPLETED) == ["youtube aaaaaaaaaa1", "youtube aaaaaaaaaa2"]
    assert person.rows("Tasks")[0][: len(PRIOR_TASKS) + 1] == [*PRIOR_TASKS, "Minhas notas"]
    assert column(sheet, "Tasks History", "Nome") == ["um", "dois"]


@scenario
async def test_a_note_without_a_header_is_not_taken_for_a_free_column(sheet: Spreadsheet) -> None:
    sheet.person.add_tab("Tasks")
    sheet.person.type("Tasks", "A1", *PRIOR_TASKS)
    sheet.person.type("Tasks", "L2", "a note")
    async with sheet.store():
        header, row = sheet.person.rows("Tasks")
        assert (header[12], row[11]) == ("Mensagem de Erro", "a note")


@scenario
async def test_a_source_that_a_person_types_is_scanned(sheet: Spreadsheet) -> None:
    async with sheet.store() as store:
        session = await leading(store)
        sheet.person.type("Sources", "B2", "https://www.youtube.com/playlist?list=PLabc")
        await tend(store, session)
        (claim,) = await store.sources.claim(session, 1)
        assert claim.item.key == "youtube:playlist PLabc"
        assert column(sheet, "Sources", "URL") == ["https://www.youtube.com/playlist?list=PLabc"]
        assert column(sheet, "Sources", "Status")[0].startswith("EXTRACTING ")


@scenario
async def test_what_a_person_writes_under_options_is_asked_of_the_source(sheet: Spreadsheet) -> None:
    async with sheet.store() as store:
        session = await leading(store)
        header = sheet.person.rows("Sources")[0]
        sheet.person.type("Sources", "B2", "https://www.youtube.com/playlist?list=PLabc")
        sheet.person.type("Sources", f"{chr(ord('A') + header.index('Opções'))}2", '{"limit": 3}')
        await tend(store, session)
        (claim,) = await store.sources.claim(session, 1)
        assert claim.item.options.limit == 3


@scenario
async def test_a_url_that_is_known_is_marked_and_not_done_again(sheet: Spreadsheet) -> None:
    async with sheet.store() as store:
        session = await leading(store)
        await store.tasks.add([Task("youtube aaaaaaaaaa1", f"{VIDEO}aaaaaaaaaa1")])
        (claim,) = await store.tasks.claim(session, 1)
        await settle(store.tasks, session, claim)
        await store.tasks.list(State.COMPLETED)
        sheet.person.append("Tasks", "", "", "https://youtu.be/aaaaaaaaaa1", "outra vez")
        await tend(store, session)
        assert await store.tasks.claim(session, 1) == []
        (row,) = [row for row in sheet.rows("Tasks") if row["Nome"] == "outra vez"]
        assert row["Status"].startswith("DUPLICATE")


@scenario
async def test_sorting_and_inserting_rows_loses_no_claim(sheet: Spreadsheet) -> None:
    async with sheet.store() as store:
        await store.tasks.add(tasks(6))
        session = await store.workers.open(worker())
        claims = await store.tasks.claim(session, 3)
        sheet.person.sort("Tasks", 3, descending=True)
        sheet.person.insert_rows("Tasks", 2, 3)
        for claim in claims:
            assert (await settle(store.tasks, session, claim)).recorded
        rest = await store.tasks.claim(session, 10)
        assert {c.item.key for c in [*claims, *rest]} == {task.key for task in tasks(6)}


@scenario
async def test_a_row_that_is_deleted_is_not_recorded(sheet: Spreadsheet) -> None:
    async with sheet.store() as store:
        await store.tasks.add(tasks(2))
        session = await store.workers.open(worker())
        claims = await store.tasks.claim(session, 2)
        sheet.person.delete_rows("Tasks", 2)
        assert [(await settle(store.tasks, session, claim)).recorded for claim in claims] == [False, True]
        assert await keys(store.tasks, State.COMPLETED) == ["youtube video1"]


@scenario
async def test_a_claim_that_a_person_resets_is_worked_on_by_whoever_claims_it_next(sheet: Spreadsheet) -> None:
    async with sheet.store() as store:
        await store.tasks.add(tasks(1))
        session = await leading(store)
        (claim,) = await store.tasks.claim(session, 1)
        sheet.person.type("Tasks", "I2", "pending")
        assert not (await settle(store.tasks, session, claim)).recorded
        await tend(store, session)
        (again,) = await store.tasks.claim(session, 1)
        assert again.item.key == claim.item.key
        assert (await settle(store.tasks, session, again)).recorded


@scenario
async def test_a_row_cut_from_the_dlq_back_into_the_queue_is_tried_again(sheet: Spreadsheet) -> None:
    async with sheet.store() as store:
        await store.tasks.add(tasks(1))
        session = await leading(store)
        (claim,) = await store.tasks.claim(session, 1)
        await settle(store.tasks, session, claim, Failed("no"))
        assert await keys(store.tasks, State.FAILED) == [claim.item.key]
        sheet.person.cut_row("Tasks DLQ", 2, into="Tasks")
        await tend(store, session)
        (again,) = await store.tasks.claim(session, 1)
        assert (again.item.key, again.attempt) == (claim.item.key, 1)


@scenario
async def test_columns_that_move_are_found_again(sheet: Spreadsheet) -> None:
    async with sheet.store() as store:
        await store.tasks.add(tasks(4))
        session = await store.workers.open(worker())
        claims = list(await store.tasks.claim(session, 2))
        sheet.person.insert_columns("Tasks", 1, 2)
        claims += await store.tasks.claim(session, 2)
        for claim in claims:
            assert (await settle(store.tasks, session, claim)).recorded
        assert len(await keys(store.tasks, State.COMPLETED)) == 4


@scenario
async def test_a_fence_that_a_person_deletes_is_put_back_while_its_rows_are_ours(sheet: Spreadsheet) -> None:
    async with sheet.store() as store:
        await store.tasks.add(tasks(1))
        session = await store.workers.open(worker())
        (claim,) = await store.tasks.claim(session, 1)
        for named in list(sheet.person.book.named_ranges):
            sheet.person.do({"deleteNamedRange": {"namedRangeId": named}})
        assert (await settle(store.tasks, session, claim)).recorded
