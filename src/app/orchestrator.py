"""The synchronous façade: what yt-gsheet-orchestrator's `Orchestrator` was, on any store."""

import asyncio
import atexit
import inspect
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Self

from app.composition import App, Crew, create_app
from app.config import Config
from app.log import log_event
from app.loop_thread import LoopThread
from app.use_cases.run_task import HandlerFailed
from domain.work import Task


class Orchestrator:
    """Works in the caller's thread, one task a call; heartbeats run beside it, however long a callback blocks.

    A context manager; without one it closes itself when the process ends. In the main thread, SIGINT and SIGTERM
    release what is held, mark the worker INACTIVE, give the leadership up, and end the process with status 0.
    """

    def __init__(self, config: Config | None = None, **adapters: Any) -> None:
        """Open the store and join the others. `adapters` are those of `create_app`.

        Raises:
            ConfigurationError: names every setting that is missing or wrong.
            PortError: the store cannot be used.
        """
        self.config = config or Config()
        self._app: App = create_app(self.config.settings, **adapters)
        self._desk = _Desk()
        self._crew: Crew | None = None
        self._stopping = False
        self._loop = LoopThread("mutirao-orchestrator")
        try:
            self._loop.run(self._join())
        except BaseException:
            self._loop.stop()
            raise
        atexit.register(self.close)
        self._previous_handlers = self._catch_signals()

    def process_next_task(self, callback: Callable[[str], object]) -> bool:
        """Run `callback`, plain or async, with the URL of the next task; expand a source first if there is none.

        True if a task was worked on: it is in the History, or in the DLQ with `str(e)` when `callback` raised (with
        attempts left, it is due again). False if there is nothing to do at the moment. Leaving `callback` by a
        signal or KeyboardInterrupt gives the task back untouched.

        Raises:
            MutiraoError: the store cannot be used.
        """
        crew = self._open_crew()
        task = self._loop.run(self._next(crew))
        if task is None:
            return False
        failure: BaseException | None = None
        try:
            result = callback(task.url)
            if inspect.iscoroutine(result):
                self._loop.run(result)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the task's
            failure = error
        except SystemExit as error:
            if self._stopping:
                raise
            failure = error  # the callback's own sys.exit() ends the task, not the worker
        except BaseException:
            self.close()
            raise
        self._loop.run(self._report(crew, failure))
        return True

    def send_heartbeat(self) -> None:
        """Send a heartbeat now. They are sent by themselves, too: nobody needs to call this."""
        if self._crew is not None:
            self._loop.run(self._crew.membership.beat())

    def close(self) -> None:
        """Release what is held, mark the worker INACTIVE, give the leadership up. Idempotent."""
        if self._crew is None:
            return
        crew, self._crew = self._crew, None
        atexit.unregister(self.close)
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)
        try:
            self._loop.run(self._leave(crew))
        finally:
            self._loop.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _join(self) -> None:
        await self._app.__aenter__()
        try:
            crew = self._app.crew(self._desk.handle, listener=log_event)
            await crew.membership.__aenter__()
        except BaseException:
            await self._app.__aexit__(None, None, None)
            raise
        self._crew = crew

    async def _leave(self, crew: Crew) -> None:
        await crew.runner.drain(grace=0)
        await crew.expander.step_down()
        await crew.membership.__aexit__(None, None, None)
        await self._app.__aexit__(None, None, None)

    async def _next(self, crew: Crew) -> Task | None:
        while True:
            await crew.runner.step()
            if crew.runner.busy:
                return await self._desk.offered()
            expanded = await crew.expander.expand_next()
            await crew.expander.step_down()
            if not expanded:
                return None

    async def _report(self, crew: Crew, failure: BaseException | None) -> None:
        self._desk.report(failure)
        while not crew.runner.unsettled:
            await crew.runner.wait(1.0)
        await crew.runner.step(claim=False)

    def _open_crew(self) -> Crew:
        if self._crew is None:
            raise RuntimeError("this orchestrator is closed")
        return self._crew

    def _catch_signals(self) -> dict[int, Any]:
        if threading.current_thread() is not threading.main_thread():
            return {}
        return {number: signal.signal(number, self._on_signal) for number in (signal.SIGINT, signal.SIGTERM)}

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True
        self.close()
        sys.exit(0)


class _Desk:
    """Where the worker's loop lays a task down, and a thread outside picks it up and says how it went."""

    def __init__(self) -> None:
        self._offered: asyncio.Queue[Task] = asyncio.Queue()
        self._outcome: asyncio.Future[None] | None = None

    async def handle(self, task: Task) -> None:
        """The handler, as the loop sees it."""
        self._outcome = asyncio.get_running_loop().create_future()
        self._offered.put_nowait(task)
        await self._outcome

    async def offered(self) -> Task:
        return await self._offered.get()

    def report(self, failure: BaseException | None) -> None:
        if self._outcome is None or self._outcome.done():
            return
        if failure is None:
            self._outcome.set_result(None)
        else:
            error = HandlerFailed(failure)
            error.__cause__ = failure
            self._outcome.set_exception(error)
