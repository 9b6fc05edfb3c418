"""Answers that are lost on the way, connections that break, and one bad call among good ones."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest
from sqlalchemy import create_engine, text

from adapters.sql.store import SqlCoordinationStore
from adapters.system.time import SystemClock, SystemIds
from domain.lifecycle import State
from domain.session import Session
from domain.work import Task
from ports.errors import PortError, StoreUnavailable
from ports.testing.scenario import scenario
from ports.testing.store_backend import settle, tasks, worker
from tests.contract.postgres import PostgresServer


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[tuple[SqlCoordinationStore, Session]]:
    async with SqlCoordinationStore(url, clock=SystemClock(), ids=SystemIds()) as store:
        yield store, await store.workers.open(worker())


HANG_UP_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname <> '' AND pid <> pg_backend_pid()"


def administer(url: str, *statements: str) -> None:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


@scenario
async def test_what_a_cancelled_claim_took_comes_with_the_next(sql_url: str) -> None:
    async with opened(sql_url) as (store, session):
        await store.tasks.add(tasks(20))
        for _ in range(5):
            claiming = asyncio.create_task(store.tasks.claim(session, 2))
            await asyncio.sleep(0)  # it is on its way
            claiming.cancel()
            await asyncio.wait({claiming})
        claims = list(await store.tasks.claim(session, 20))
        assert [claim.item.key for claim in claims] == [task.key for task in tasks(20)]
        assert all(claim.attempt == 1 for claim in claims)
        for claim in claims:
            assert (await settle(store.tasks, session, claim)).recorded
        assert (await store.tasks.counts())[State.COMPLETED] == 20


@scenario
async def test_a_bad_call_spoils_nothing_for_those_beside_it(sql_url: str) -> None:
    async with opened(sql_url) as (store, _session):
        bad = [Task(key="url bad", url="https://x.example", duration="no number")]  # type: ignore[arg-type]
        calls = [store.tasks.add(tasks(1)), store.tasks.add(bad), store.tasks.add(tasks(1, start=1))]
        first, second, third = await asyncio.gather(*calls, return_exceptions=True)
        if isinstance(second, BaseException):  # SQLite takes any value in any column
            assert isinstance(second, PortError)
        assert not isinstance(first, BaseException)
        assert not isinstance(third, BaseException)
        assert (len(first.new), len(third.new)) == (1, 1)


@scenario
async def test_a_broken_connection_is_a_failure_that_passes(postgres_url: str) -> None:
    async with opened(postgres_url) as (store, session):
        await store.tasks.add(tasks(3))
        administer(postgres_url, HANG_UP_ALL)
        with pytest.raises(StoreUnavailable):
            await store.tasks.claim(session, 1)
        assert len(await store.tasks.claim(session, 3)) == 3


@scenario
async def test_a_server_that_restarts_loses_nothing(postgres_server: PostgresServer) -> None:
    async with opened(postgres_server.create_database()) as (store, session):
        await store.tasks.add(tasks(5))
        (claim, *_) = await store.tasks.claim(session, 2)
        postgres_server.restart()
        with pytest.raises(StoreUnavailable):
            await settle(store.tasks, session, claim)
        assert (await settle(store.tasks, session, claim)).recorded
        counts = await store.tasks.counts()
        assert (counts[State.COMPLETED], counts[State.CLAIMED], counts[State.PENDING]) == (1, 1, 3)


@scenario
async def test_a_database_that_is_put_aside_for_a_while_was_not_named_wrongly(postgres_server: PostgresServer) -> None:
    url = postgres_server.create_database()
    name, elsewhere = urlsplit(url).path[1:], urlsplit(url)._replace(path="/postgres").geturl()
    async with opened(url) as (store, session):
        await store.tasks.add(tasks(1))
        administer(elsewhere, HANG_UP_ALL, f"ALTER DATABASE {name} RENAME TO aside")
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await store.tasks.claim(session, 1)
        administer(elsewhere, f"ALTER DATABASE aside RENAME TO {name}")
        assert len(await store.tasks.claim(session, 1)) == 1


@scenario
async def test_a_statement_that_never_ends_keeps_no_store_from_closing(sql_url: str) -> None:
    stuck, released = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def work(_connection: object) -> None:
        loop.call_soon_threadsafe(stuck.set)
        released.wait()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adapters.sql.transactions.FAREWELL", 0.05)
        async with asyncio.timeout(20), opened(sql_url) as (store, _session):
            asking = asyncio.create_task(store._transactions.run(work))
            await stuck.wait()
    released.set()
    await asking
