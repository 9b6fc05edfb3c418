"""Opening the store by its URL."""

from types import TracebackType
from typing import Any, Self

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import StaticPool

from adapters.sql import schema
from adapters.sql.items import SOURCES, TASKS
from adapters.sql.transactions import Transactions
from adapters.sql.work_queue import SqlWorkQueue
from adapters.sql.workers import SqlLeaseStore, SqlWorkerRegistry
from domain.lifecycle import MAX_CRASHES
from domain.work import Source, Task
from ports.coordination import CoordinationStore, LeaseStore, WorkerRegistry, WorkQueue
from ports.errors import ConfigurationError
from ports.time import Clock, IdGenerator

BUSY_TIMEOUT = 30.0


class SqlCoordinationStore(CoordinationStore):
    """A `CoordinationStore` in the database at `url`: ``sqlite:///file.db`` or ``postgresql://user@host/name``.

    SQLite is for the processes of one machine (its locks do not cross a network); PostgreSQL for any number.
    """

    def __init__(self, url: str, *, clock: Clock, ids: IdGenerator, max_crashes: int = MAX_CRASHES) -> None:
        parsed = _parse(url)
        self._transactions = Transactions(_engine(parsed), _shown(parsed))
        sources: SqlWorkQueue[Source] = SqlWorkQueue(self._transactions, SOURCES, clock, max_crashes)
        tasks: SqlWorkQueue[Task] = SqlWorkQueue(self._transactions, TASKS, clock, max_crashes)
        self.sources: WorkQueue[Source] = sources
        self.tasks: WorkQueue[Task] = tasks
        self.leases: LeaseStore = SqlLeaseStore(self._transactions, clock)
        self.workers: WorkerRegistry = SqlWorkerRegistry(self._transactions, clock, ids, sources, tasks)

    async def __aenter__(self) -> Self:
        self._transactions.start()
        try:
            await self._transactions.run(schema.ensure)
        except BaseException:
            await self._transactions.stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._transactions.stop()


def _parse(url: str) -> URL:
    scheme, separator, rest = url.partition("://")
    try:
        parsed = make_url(scheme.lower() + separator + rest)
    except (SQLAlchemyError, ValueError):
        # what is wrong with it may be the password, so nothing is quoted, and nothing is chained
        raise ConfigurationError(
            "COORDINATION_URL is no database URL: it should read like sqlite:///work.db or "
            "postgresql://user:password@host:5432/name, with / @ : # ? in a password written as %2F %40 %3A %23 %3F"
        ) from None
    if parsed.get_backend_name() == "sqlite":
        if parsed.database in (None, "", ":memory:"):
            raise ConfigurationError("a SQLite store needs a file to share: sqlite:///work.db (or use memory://)")
        return parsed.set(drivername="sqlite+pysqlite")
    return parsed.set(drivername="postgresql+psycopg")


def _shown(url: URL) -> str:
    """`url` as people write it, without its passwords."""
    masked = {name: "***" for name in url.query if "password" in name}
    plain = url.set(drivername=url.get_backend_name()).update_query_dict(masked)
    return plain.render_as_string(hide_password=True)


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        patient = {"timeout": BUSY_TIMEOUT, "check_same_thread": False}
        engine = create_engine(url, poolclass=StaticPool, connect_args=patient)
        _prepare_sqlite(engine)
        return engine
    try:
        options = "-c idle_in_transaction_session_timeout=10s -c lock_timeout=10s"  # a frozen client holds nobody up
        return create_engine(
            url,
            pool_size=1,
            max_overflow=0,
            pool_pre_ping=True,  # the connection may have been idle for a night
            connect_args={"connect_timeout": 10, "options": options},
        )
    except ModuleNotFoundError as error:
        raise ConfigurationError("PostgreSQL needs its driver: pip install 'mutirao[postgres]'") from error


def _prepare_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        # what was recorded outlasts a power cut, too; commits are shared (see `Transactions`), so this costs little
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        # a transaction that reads first and writes later could not wait for its turn
        connection.connection.dbapi_connection.execute("BEGIN IMMEDIATE")
