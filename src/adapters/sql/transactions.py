"""One connection in a thread of its own, and group commit: what waits at the same moment shares a transaction."""

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from attrs import define
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from adapters.sql.failures import applied_nothing, translate
from ports.errors import StoreUnavailable

T = TypeVar("T")

GROUP = 64

FAREWELL = 5.0
"""Seconds that what was asked last gets before its connection is left alone: a frozen server would keep us for ever."""


@define(eq=False)
class _Job:
    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    result: Any = None
    failure: Exception | None = None

    def deliver(self) -> None:
        """Tell whoever asked. Runs on its loop."""
        if self.future.done():
            return
        if self.failure is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.failure)


class Transactions:
    """Runs functions of a connection, each within a transaction, for callers on any event loop.

    A function may be run again when others were quicker (a locked database, a deadlock), so it must do nothing but
    SQL. An exception that it raises itself is its caller's alone; raise before writing.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        self._engine = engine
        self._where = where
        self._errors = (SQLAlchemyError, engine.dialect.loaded_dbapi.Error)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._connection: Connection | None = None
        self._maybe_committed = False
        self._opened = False
        self._ended: Callable[[], object] = lambda: None

    async def run(self, work: Callable[[Connection], T]) -> T:
        """The result of `work`, once committed.

        Raises:
            PortError: the database failed.
        """
        if self._thread is None:
            raise StoreUnavailable(f"{self._where} is not open")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(work, future, loop))
        return await future

    def start(self) -> None:
        self._thread = threading.Thread(target=self._serve, name="mutirao-sql", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Finish what was asked, if it does not take `FAREWELL`, and let go of the connection. Idempotent."""
        thread, self._thread = self._thread, None
        if thread is not None:
            # no executor: the interpreter may be on its way out, when none takes work any more
            loop, ended = asyncio.get_running_loop(), asyncio.Event()
            self._ended = lambda: loop.call_soon_threadsafe(ended.set)
            self._jobs.put(None)
            with suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    await ended.wait()
                thread.join()

    def _serve(self) -> None:
        running = True
        while running:
            group = [self._jobs.get()]
            with suppress(queue.Empty):
                while len(group) < GROUP:
                    group.append(self._jobs.get_nowait())
            running = None not in group
            jobs = [job for job in group if job is not None]
            if jobs:
                self._commit(jobs)
                _deliver(jobs)
        self._hang_up()
        self._engine.dispose()
        with suppress(RuntimeError):  # whoever waited for it has gone
            self._ended()

    def _commit(self, jobs: list[_Job]) -> None:
        try:
            try:
                self._transact(jobs)
            except self._errors as error:
                if not applied_nothing(error):
                    raise
                _patient(self._transact, jobs)
        except self._errors as error:
            if len(jobs) > 1 and not self._maybe_committed:
                for job in jobs:  # one of them spoils it for the others
                    self._commit([job])
                return
            for job in jobs:
                job.failure = translate(error, self._where, opened=self._opened)
                job.failure.__cause__ = error

    def _transact(self, jobs: list[_Job]) -> None:
        self._maybe_committed = False
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                for job in jobs:
                    self._run(job, self._connection)
                self._maybe_committed = True
            self._opened = True
        except self._errors:
            # whether it was the database that went away or only this statement that failed: start afresh
            self._hang_up()
            raise

    def _run(self, job: _Job, connection: Connection) -> None:
        job.failure = None
        try:
            job.result = job.work(connection)
        except self._errors:
            raise
        except Exception as error:  # noqa: BLE001 - it is delivered to whoever asked
            job.failure = error

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*self._errors):
                connection.close()


# entered only after a first failure: its own bookkeeping costs as much as a whole transaction
_patient = Retrying(
    retry=retry_if_exception(applied_nothing),
    wait=wait_random_exponential(0.01, max=0.5),
    stop=stop_after_attempt(12),
    reraise=True,
)


def _deliver(jobs: list[_Job]) -> None:
    def body() -> None:
        for job in jobs:
            job.deliver()

    # one wake-up for all: the jobs of a group come from one loop, the store's
    with suppress(RuntimeError):  # whoever asked has gone, and its loop with it
        jobs[0].loop.call_soon_threadsafe(body)
