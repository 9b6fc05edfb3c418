"""One connection in a thread of its own, and group commit: what waits at the same moment shares a transaction."""

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from attrs import frozen
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError
from tenacity import retry, retry_if_exception, stop_after_attempt, wait_random_exponential

from adapters.sql.failures import applied_nothing, translate
from ports.errors import StoreUnavailable

T = TypeVar("T")

GROUP = 64


@frozen
class _Job:
    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop

    def succeed(self, result: object) -> None:
        self._deliver(lambda: self.future.set_result(result))

    def fail(self, error: BaseException) -> None:
        self._deliver(lambda: self.future.set_exception(error))

    def _deliver(self, settle: Callable[[], None]) -> None:
        def body() -> None:
            if not self.future.done():
                settle()

        with suppress(RuntimeError):  # whoever asked has gone, and its loop with it
            self.loop.call_soon_threadsafe(body)


class Transactions:
    """Runs functions of a connection, each within a transaction, for callers on any event loop.

    A function may be run again when others were quicker (a locked database, a deadlock), so it must do nothing but
    SQL. An exception that it raises itself is its caller's alone; raise before writing.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        self._engine = engine
        self._where = where
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

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
        """Finish what was asked, and let go of the connection. Idempotent."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            await asyncio.get_running_loop().run_in_executor(None, thread.join)
            self._engine.dispose()

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            group = [job]
            try:
                while len(group) < GROUP:
                    another = self._jobs.get_nowait()
                    if another is None:
                        self._jobs.put(None)
                        break
                    group.append(another)
            except queue.Empty:
                pass
            self._commit(group)

    def _commit(self, group: list[_Job]) -> None:
        try:
            answers = self._transact(group)
        except SQLAlchemyError as error:
            for job in group:
                translated = translate(error, self._where)
                translated.__cause__ = error
                job.fail(translated)
            return
        for job, (result, failure) in zip(group, answers, strict=True):
            if failure is None:
                job.succeed(result)
            else:
                job.fail(failure)

    @retry(
        retry=retry_if_exception(lambda error: isinstance(error, SQLAlchemyError) and applied_nothing(error)),
        wait=wait_random_exponential(0.01, max=0.5),
        stop=stop_after_attempt(12),
        reraise=True,
    )
    def _transact(self, group: list[_Job]) -> list[tuple[Any, Exception | None]]:
        answers: list[tuple[Any, Exception | None]] = []
        with self._engine.begin() as connection:
            for job in group:
                try:
                    answers.append((job.work(connection), None))
                except SQLAlchemyError:
                    raise
                except Exception as error:  # noqa: BLE001 - it is delivered to whoever asked
                    answers.append((None, error))
        return answers
