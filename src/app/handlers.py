"""Turning what a user hands in into a `Handler`: a function of a URL, or of a task, plain or async."""

import asyncio
import importlib
import inspect
import logging
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from app.errors import InvalidHandler
from app.use_cases.run_task import Handler, HandlerFailed, HandlerStopped
from domain.work import Task

log = logging.getLogger(__name__)


def load_handler(spec: str) -> Callable[..., object]:
    """The callable that `spec` (``module:function``) names; the working directory is searched too.

    Raises:
        InvalidHandler: it cannot be imported, or is not callable with one argument.
    """
    module_name, separator, attribute = spec.partition(":")
    if not (module_name and separator and attribute):
        raise InvalidHandler(f"handler {spec!r} should read module:function, for example jobs:process_video")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        target: Any = importlib.import_module(module_name)
        for name in attribute.split("."):
            target = getattr(target, name)
    except ModuleNotFoundError as error:
        if error.name and module_name.startswith(error.name):
            raise InvalidHandler(f"handler {spec!r}: there is no module {error.name!r} here or installed") from error
        raise InvalidHandler(f"handler {spec!r}: importing it failed: {error}") from error
    except AttributeError as error:
        raise InvalidHandler(f"handler {spec!r}: module {module_name!r} has no {attribute!r}") from error
    except (Exception, SystemExit) as error:
        raise InvalidHandler(f"handler {spec!r}: importing it failed: {type(error).__name__}: {error}") from error
    if not callable(target):
        raise InvalidHandler(f"handler {spec!r} is a {type(target).__name__}, not a function")
    if inspect.isgeneratorfunction(target) or inspect.isasyncgenfunction(target):
        raise InvalidHandler(f"handler {spec!r} is a generator: nothing would run it; work without `yield`")
    try:
        inspect.signature(target).bind("url")
    except TypeError as error:
        raise InvalidHandler(f"handler {spec!r} must take one argument, the URL (or `task`): {error}") from error
    except ValueError:
        pass  # a builtin without a signature: calling it will tell
    return target  # type: ignore[no-any-return]


def as_handler(function: Callable[..., object]) -> Handler:
    """`function` as a handler. It is given the task if its first parameter is called ``task``, else the URL.

    A plain function runs in a thread of its own, so that it may block for as long as it likes; an async one runs on
    the worker's loop, and must not block. So does what a plain one returns to be awaited (a decorated async function).
    """
    argument = _argument_of(function)
    warn = _WarnOnce(function)

    if inspect.iscoroutinefunction(function):

        async def run_async(task: Task) -> None:
            warn(await _on_loop(function(argument(task))))

        return run_async

    async def run_in_thread(task: Task) -> None:
        result = await in_thread(function, argument(task))
        warn(await _on_loop(result) if inspect.isawaitable(result) else result)

    return run_in_thread


async def _on_loop(handling: Awaitable[object]) -> object:
    try:
        return await handling
    except asyncio.CancelledError as error:
        current = asyncio.current_task()
        if current is not None and current.cancelling():
            raise
        raise HandlerFailed(error) from error
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        raise HandlerFailed(error) from error


def _argument_of(function: Callable[..., object]) -> Callable[[Task], object]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    wants_task = bool(parameters) and (parameters[0].name == "task" or parameters[0].annotation in (Task, "Task"))
    return (lambda task: task) if wants_task else (lambda task: task.url)


class _WarnOnce:
    """A handler that returns something may mean to say something; it is not heard, and is told so once."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._name = getattr(function, "__qualname__", repr(function))
        self._warned = False

    def __call__(self, result: object) -> None:
        if result is None or self._warned:
            return
        self._warned = True
        log.warning(
            "handler %s returned a %s: it is ignored. A handler that returns has succeeded; to fail, raise.",
            self._name,
            type(result).__name__,
        )


async def in_thread(function: Callable[..., object], *args: object) -> object:
    """Await `function(*args)` in a daemon thread: one that never ends does not keep the process from ending.

    Raises:
        HandlerFailed: whatever else `function` raised, SystemExit and KeyboardInterrupt included.
        HandlerStopped: `function` raised it.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[object] = loop.create_future()

    def deliver(result: object, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)
        elif isinstance(error, HandlerStopped):
            future.set_exception(error)
        else:
            failure = HandlerFailed(error)
            failure.__cause__ = error
            future.set_exception(failure)

    def body() -> None:
        result, failure = None, None
        try:
            result = function(*args)
        except BaseException as error:  # noqa: BLE001 - SystemExit in a handler must not take the worker's thread
            failure = error
        try:
            loop.call_soon_threadsafe(deliver, result, failure)
        except RuntimeError:
            log.debug("a handler ended after its worker had stopped")

    threading.Thread(target=body, name="mutirao-handler", daemon=True).start()
    return await future


class UrlPrinter:
    """The default handler: shows what would be worked on. Once nobody reads it any more, it stops the worker."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def __call__(self, url: str) -> None:
        if not self._stopped.is_set():
            try:
                sys.stdout.write(f"{url}\n")  # one write, so that lines of several threads stay whole
                sys.stdout.flush()
            except OSError as error:  # a closed pipe, a full disk
                self._stopped.set()
                log.warning("nothing more can be printed (%s)", error.strerror)
                os.kill(os.getpid(), signal.SIGTERM)
            else:
                return
        raise HandlerStopped
