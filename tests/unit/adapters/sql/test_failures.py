"""What each of a database's complaints means to whoever has called."""

import sqlite3

import pytest
from sqlalchemy.exc import OperationalError

from adapters.sql.failures import applied_nothing, translate
from ports.errors import ConfigurationError, MutiraoError, StoreCorrupt, StoreUnavailable

psycopg = pytest.importorskip("psycopg")


def postgres(said: str, state: str | None = None) -> Exception:
    """As psycopg raises it: with a SQLSTATE within a session, without one where there is no session yet."""
    error = psycopg.OperationalError(said) if state is None else psycopg.errors.lookup(state)(said)
    return OperationalError("SELECT 1", {}, error)


def sqlite(code: int, said: str = "oh") -> Exception:
    error = sqlite3.OperationalError(said)
    error.sqlite_errorcode = code
    return OperationalError("SELECT 1", {}, error)


AT_THE_DOOR = 'connection failed: connection to server on socket "/run/does not exist/.s.PGSQL.5432" failed: '

PASSING = [
    postgres(AT_THE_DOOR + "FATAL:  the database system is starting up"),
    postgres(AT_THE_DOOR + "FATAL:  the database system is shutting down"),
    postgres(AT_THE_DOOR + "FATAL:  sorry, too many clients already"),
    postgres(AT_THE_DOOR + "No such file or directory\n\tIs the server running locally and accepting connections?"),
    postgres("failed to resolve host 'db': [Errno -3] Temporary failure in name resolution"),
    postgres("consuming input failed: server closed the connection unexpectedly"),
    postgres("terminating connection due to administrator command", "57P01"),
    postgres("terminating connection because of crash of another server process", "57P02"),
    postgres("the database system is starting up", "57P03"),
    postgres("terminating connection due to idle-in-transaction timeout", "25P03"),
    postgres("cannot execute UPDATE in a read-only transaction", "25006"),
    postgres("could not extend file: No space left on device", "53100"),
    sqlite(sqlite3.SQLITE_BUSY, "database is locked"),
    sqlite(sqlite3.SQLITE_FULL, "database or disk is full"),
    sqlite(sqlite3.SQLITE_IOERR, "disk I/O error"),
]
MISNAMED = [
    postgres(AT_THE_DOOR + 'FATAL:  database "nope" does not exist'),
    postgres(AT_THE_DOOR + 'FATAL:  role "nobody" does not exist'),
    postgres(AT_THE_DOOR + 'FATAL:  password authentication failed for user "postgres"'),
    postgres(AT_THE_DOOR + "fe_sendauth: no password supplied"),
    postgres(AT_THE_DOOR + 'FATAL:  no pg_hba.conf entry for host "10.0.0.1"'),
    postgres('invalid connection option "foo"'),
    postgres('connection is bad: invalid integer value "abc" for connection option "port"'),
    postgres("no such database", "3D000"),
    postgres("not this password", "28P01"),
    postgres("not this role", "28000"),
    postgres("permission denied for table mutirao_tasks", "42501"),
    sqlite(sqlite3.SQLITE_CANTOPEN, "unable to open database file"),
    sqlite(sqlite3.SQLITE_READONLY_DBMOVED, "attempt to write a readonly database"),
]
NOT_OURS = [
    postgres('relation "mutirao_tasks" does not exist', "42P01"),
    postgres('column "epoch" does not exist', "42703"),
    sqlite(sqlite3.SQLITE_NOTADB, "file is not a database"),
    sqlite(sqlite3.SQLITE_CORRUPT, "database disk image is malformed"),
    sqlite(sqlite3.SQLITE_ERROR, "no such table: mutirao_tasks"),
]


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize(
    ("error", "meaning"),
    [(error, StoreUnavailable) for error in PASSING] + [(error, StoreCorrupt) for error in NOT_OURS],
    ids=str,
)
def test_what_passes_is_told_from_what_does_not(error: Exception, meaning: type[MutiraoError], opened: bool) -> None:
    assert type(translate(error, "postgresql://db", opened=opened)) is meaning


@pytest.mark.parametrize("error", MISNAMED, ids=str)
def test_a_store_that_is_named_wrongly_is_a_mistake_until_it_was_open(error: Exception) -> None:
    assert type(translate(error, "postgresql://db")) is ConfigurationError
    assert type(translate(error, "postgresql://db", opened=True)) is StoreUnavailable


@pytest.mark.parametrize("error", [postgres("deadlock detected", "40P01"), sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT)])
def test_a_race_that_was_lost_is_run_again(error: Exception) -> None:
    assert applied_nothing(error)
