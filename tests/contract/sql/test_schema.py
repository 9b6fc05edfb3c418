"""The store makes its tables once, and leaves alone what is not its own."""

import asyncio
import sqlite3
import traceback
from pathlib import Path

import pytest

from adapters.sql.store import SqlCoordinationStore
from adapters.system.time import SystemClock, SystemIds
from domain.errors import MutiraoError
from ports.errors import ConfigurationError, StoreCorrupt
from ports.testing.scenario import scenario
from ports.testing.store_backend import tasks


def store(url: str) -> SqlCoordinationStore:
    return SqlCoordinationStore(url, clock=SystemClock(), ids=SystemIds())


@scenario
async def test_many_first_starts_at_once_make_the_tables_once(sql_url: str) -> None:
    stores = [store(sql_url) for _ in range(8)]
    await asyncio.gather(*(one.__aenter__() for one in stores))
    added = await asyncio.gather(*(one.tasks.add(tasks(10)) for one in stores))
    assert sum(len(result.new) for result in added) == 10
    for one in stores:
        await one.__aexit__(None, None, None)


WITHOUT_OUR_MARK = "CREATE TABLE mutirao_tasks (id INTEGER PRIMARY KEY, note TEXT)"
WITHOUT_OUR_COLUMNS = """
    CREATE TABLE mutirao_schema (version INTEGER);
    INSERT INTO mutirao_schema VALUES (1);
    CREATE TABLE mutirao_tasks (seq INTEGER PRIMARY KEY, note TEXT)
"""


@pytest.mark.parametrize("statement", [WITHOUT_OUR_MARK, WITHOUT_OUR_COLUMNS], ids=["no mark", "no columns"])
@scenario
async def test_tables_of_somebody_elses_are_left_alone(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "theirs.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(statement + "; INSERT INTO mutirao_tasks VALUES (1, 'mine')")
    connection.close()
    with pytest.raises(StoreCorrupt, match="name another database"):
        async with store(f"sqlite:///{path}"):
            pass
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT note FROM mutirao_tasks").fetchall() == [("mine",)]
    connection.close()


@scenario
async def test_other_tables_in_the_same_database_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY)")
    connection.close()
    async with store(f"sqlite:///{path}") as opened:
        assert len((await opened.tasks.add(tasks(3))).new) == 3


@scenario
async def test_a_database_that_is_not_there_says_so_without_the_password(postgres_url: str) -> None:
    missing = postgres_url.replace("postgres@/", "postgres:hunter2@/no_").replace("@/no_test", "@/no_such_test")
    with pytest.raises(ConfigurationError, match="does not exist") as problem:
        async with store(missing):
            pass
    assert "hunter2" not in str(problem.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://maria:hunter2/hash@127.0.0.1:1/work",
        "postgresql://maria@127.0.0.1:1/work?password=hunter2",
        "postgresql://maria:hunter2@127.0.0.1:1/work?sslpassword=hunter2",
    ],
)
@scenario
async def test_no_password_is_shown_wherever_it_stands(url: str) -> None:
    with pytest.raises(MutiraoError) as problem:
        async with store(url):
            pass
    assert "hunter2" not in "".join(traceback.format_exception(problem.value))


@scenario
async def test_a_scheme_may_be_in_capitals(tmp_path: Path) -> None:
    async with store(f"SQLite:///{tmp_path}/Work.db"):
        pass
    assert (tmp_path / "Work.db").exists()
