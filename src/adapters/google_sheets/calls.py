"""A thread for calls that block, of its own so that they go on while the interpreter is on its way out."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Calls(Protocol):
    """Runs what blocks, one after the other."""

    async def run(self, call: Callable[[], T]) -> T:
        """The result of `call()`."""
        raise NotImplementedError

    def stop(self) -> None:
        """Run nothing more. Idempotent."""


class CallThread(Calls):
    def __init__(self) -> None:
        self._waiting: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: Thread | None = None

    async def run(self, call: Callable[[], T]) -> T:
        if self._thread is None:
            self._thread = Thread(target=self._work, name="google-sheets", daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def work() -> None:
            try:
                result = call()
            except Exception as error:  # noqa: BLE001 - it is raised where it is waited for
                answer: tuple[Callable[[Any], None], Any] = (future.set_exception, error)
            else:
                answer = (future.set_result, result)
            with suppress(RuntimeError):  # the loop has ended, and nobody waits
                loop.call_soon_threadsafe(_give, future, *answer)

        self._waiting.put(work)
        return await future

    def stop(self) -> None:
        if self._thread is not None:
            self._waiting.put(None)
            self._thread = None

    def _work(self) -> None:
        while (call := self._waiting.get()) is not None:
            call()


class InlineCalls(Calls):
    """For calls that do not block: a server within the process, on a clock that a test moves."""

    async def run(self, call: Callable[[], T]) -> T:
        return call()

    def stop(self) -> None:
        pass


def _give(future: asyncio.Future[Any], give: Callable[[Any], None], value: Any) -> None:
    if not future.done():
        give(value)
