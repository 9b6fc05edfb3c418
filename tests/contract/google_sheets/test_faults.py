"""The spreadsheet store while Google is unwell, and under its quota."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from itertools import count

import pytest

from adapters.google_sheets.store import SheetsCoordinationStore
from adapters.sheets_emulator.faults import Fault
from adapters.sheets_emulator.quota import Quota
from domain.lifecycle import Completed, Failed, Retried, State
from domain.retry import RetryPolicy
from domain.session import Session, WorkerStats
from domain.work import Claim, Receipt, Settlement, Task
from ports.errors import ConfigurationError, StoreCorrupt, StoreQuotaExceeded, StoreUnavailable
from ports.testing.coordination import CoordinationStoreContract, StoreBackend
from ports.testing.scenario import scenario
from ports.testing.store_backend import keys, only, settle, tasks, worker
from tests.contract.google_sheets.spreadsheet import Spreadsheet
from tests.passing_time import passing_time


@pytest.fixture
def sheet() -> Spreadsheet:
    return Spreadsheet()


class TestLostAnswers(CoordinationStoreContract):
    """Each third batch of a session takes effect and loses its answer: every promise holds all the same."""

    @pytest.fixture
    def backend(self, sheet: Spreadsheet) -> StoreBackend:
        fenced = count(1)

        def lose(body: bytes) -> None:
            if b"addNamedRange" in body and (number := next(fenced)) % 3 == 0:
                sheet.desk.faults.lay(Fault.DROPPED_AFTER if number % 2 else Fault.UNAVAILABLE_AFTER)

        sheet.before_send = lose
        at_once = RetryPolicy(min_backoff=0, max_backoff=0)
        return StoreBackend(lambda: sheet.store(backoff=at_once), sheet.clock)


class TestStaleSnapshots(CoordinationStoreContract):
    """Whenever two write one after the other, the second searches what the first has changed already."""

    @pytest.fixture
    def backend(self, sheet: Spreadsheet) -> StoreBackend:
        sheet.desk.faults.lay(Fault.STALE, times=10_000)
        return StoreBackend(sheet.store, sheet.clock)


def is_batch(_method: str, path: str) -> bool:
    return path.endswith(":batchUpdate")


@pytest.mark.parametrize("fault", [Fault.UNAVAILABLE, Fault.UNAVAILABLE_AFTER, Fault.DROPPED, Fault.DROPPED_AFTER])
def test_a_settlement_that_was_not_answered_is_recorded_once(sheet: Spreadsheet, fault: Fault) -> None:
    async def body() -> None:
        async with sheet.store() as store:
            await store.tasks.add(tasks(3))
            session = await store.workers.open(worker())
            claims = await store.tasks.claim(session, 3)
            sheet.desk.faults.lay(fault, strikes=is_batch, times=3)
            receipts = await store.tasks.settle(session, [Settlement(claim, Completed()) for claim in claims])
            assert all(receipt.recorded for receipt in receipts)
            assert len(await keys(store.tasks, State.COMPLETED)) == 3

    passing_time(body(), sheet.clock)
    assert len(sheet.rows("Tasks History")) == 3


def test_an_hour_without_google_is_ridden_out(sheet: Spreadsheet) -> None:
    async def body() -> None:
        async with sheet.store() as store:
            await store.tasks.add(tasks(1))
            session = await store.workers.open(worker())
            (claim,) = await store.tasks.claim(session, 1)
            sheet.desk.faults.lay(Fault.UNAVAILABLE, times=2000)
            until = sheet.clock.now() + timedelta(hours=1)
            assert (await patiently(store, session, claim)).recorded
            await store.workers.close(session)
            assert sheet.clock.now() >= until

    async def patiently(store: SheetsCoordinationStore, session: Session, claim: Claim[Task]) -> Receipt:
        back_at = sheet.clock.now() + timedelta(hours=1)
        while True:
            if sheet.clock.now() >= back_at:
                sheet.desk.faults.laid.clear()
            try:
                return await settle(store.tasks, session, claim)
            except StoreUnavailable:
                await sheet.clock.sleep(30)

    passing_time(body(), sheet.clock)
    assert len(sheet.rows("Tasks History")) == 1


def test_a_store_that_never_answers_is_unavailable(sheet: Spreadsheet) -> None:
    async def body() -> None:
        async with sheet.store() as store:
            session = await store.workers.open(worker())
            sheet.desk.faults.lay(Fault.DROPPED, times=1000)
            with pytest.raises(StoreUnavailable):
                await store.workers.beat(session, WorkerStats(tasks=1))

    passing_time(body(), sheet.clock)


def test_a_quota_that_stays_used_up_is_told(sheet: Spreadsheet) -> None:
    async def body() -> None:
        async with sheet.store() as store:
            session = await store.workers.open(worker())
            sheet.desk.faults.lay(Fault.QUOTA, times=1000, retry_after=7)
            with pytest.raises(StoreQuotaExceeded) as told:
                await store.tasks.claim(session, 1)
            assert told.value.retry_after == 7

    passing_time(body(), sheet.clock)


def test_a_burst_of_calls_stays_within_the_quota_and_nothing_is_dropped(sheet: Spreadsheet) -> None:
    sheet.desk.quota = Quota(sheet.clock, per_user=20, per_project=40)

    async def body() -> None:
        async with sheet.store(min_interval=1.0) as store:
            await store.tasks.add(tasks(40))
            session = await store.workers.open(worker())
            claims = await store.tasks.claim(session, 40)
            receipts = await asyncio.gather(*(settle(store.tasks, session, claim) for claim in claims))
            assert all(receipt.recorded for receipt in receipts)
            assert len(await keys(store.tasks, State.COMPLETED)) == 40

    passing_time(body(), sheet.clock)


def refused(sheet: Spreadsheet, **options: object) -> str:
    async def body() -> None:
        async with sheet.store(**options):
            pass

    with pytest.raises((ConfigurationError, StoreCorrupt)) as error:
        passing_time(body(), sheet.clock)
    return str(error.value)


def test_a_column_that_was_renamed_is_named_with_its_tab(sheet: Spreadsheet) -> None:
    passing_time(opened(sheet.store), sheet.clock)
    sheet.person.type("Tasks", "C1", "Endereço")
    assert "“Tasks” has no column “URL”" in refused(sheet)


async def opened(connect: Callable[[], SheetsCoordinationStore]) -> None:
    async with connect():
        pass


def test_a_spreadsheet_that_is_not_there_is_named(sheet: Spreadsheet) -> None:
    sheet.id = "nowhere"
    assert "'nowhere'" in refused(sheet)


def test_a_tab_that_is_deleted_meanwhile_is_made_anew(sheet: Spreadsheet) -> None:
    async def body() -> None:
        async with sheet.store() as store:
            await store.tasks.add(tasks(2))
            session = await store.workers.open(worker())
            (claim, other) = await store.tasks.claim(session, 2)
            sheet.person.delete_tab("Tasks History")
            await settle(store.tasks, session, claim)
            sheet.clock.advance(120)
            await settle(store.tasks, session, other)
            assert await keys(store.tasks, State.COMPLETED) == ["youtube video0", "youtube video1"]

    passing_time(body(), sheet.clock)


def test_an_error_longer_than_a_cell_is_cut_with_a_mark(sheet: Spreadsheet) -> None:
    async def body() -> None:
        async with sheet.store() as store:
            await store.tasks.add(tasks(1))
            session = await store.workers.open(worker())
            (claim,) = await store.tasks.claim(session, 1)
            await settle(store.tasks, session, claim, Failed("x" * 60_000))
            error = (await only(store.tasks, State.FAILED)).error
            assert error.endswith("x…")
            assert 40_000 < len(error) < 50_000

    passing_time(body(), sheet.clock)


@scenario
async def test_a_long_batch_is_sent_in_parts() -> None:
    sheet = Spreadsheet()
    async with sheet.store() as store:
        await store.tasks.add(tasks(120))
        session = await store.workers.open(worker())
        claims = await store.tasks.claim(session, 120)
        due = sheet.clock.now()
        sizes = sheet.desk.uploaded["write"], sheet.desk.calls["write"]
        receipts = await store.tasks.settle(session, [Settlement(c, Retried("é" * 20_000, due)) for c in claims])
        assert all(receipt.recorded for receipt in receipts)
        sent, calls = sheet.desk.uploaded["write"] - sizes[0], sheet.desk.calls["write"] - sizes[1]
        assert sent / calls < 2_000_000


@scenario
async def test_google_s_time_is_shown_where_this_machine_s_is_wrong() -> None:
    sheet = Spreadsheet()
    now = sheet.clock.now()
    async with sheet.store() as store:
        sheet.desk.clock = type(sheet.clock)(now + timedelta(hours=3))
        await store.tasks.list(State.PENDING)
        await store.tasks.add(tasks(1))
        created = (await only(store.tasks, State.PENDING)).created_at
        assert created == now + timedelta(hours=3)
