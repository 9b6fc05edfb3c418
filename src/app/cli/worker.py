"""`mutirao worker`: the command that most machines run."""

import asyncio
import logging
import os
import signal
import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Annotated

import typer

from app.cli.exit_codes import INTERRUPTED
from app.cli.output import complaints
from app.cli.progress import ProgressView
from app.composition import create_app
from app.events import Listener, TaskFinished, WorkerEvent
from app.handlers import UrlPrinter, as_handler, load_handler
from app.log import configure_logging, log_event
from app.settings import Settings, load_settings
from app.use_cases.run_task import Handler
from app.workers.coordination import CoordinationWorker
from domain.lifecycle import Completed

log = logging.getLogger("mutirao")

ECHO = 0.3
"""Seconds: `timeout` and wrappers like npm pass on a signal that the terminal has sent too. That is no second one."""

EPILOG = (
    "Examples: `mutirao worker --handler jobs:process_video -c 4` · `mutirao worker --drain` · "
    "`LEASE_TTL=10m LOG_FORMAT=json mutirao worker --handler jobs:process_video 2> worker.log`"
)


def run(
    handler: Annotated[
        str | None,
        typer.Option(
            "--handler",
            metavar="MODULE:FUNCTION",
            help="Called with each task's URL (or with the task, if its parameter is named `task`); plain or async. "
            "To fail a task, raise. Without it, URLs are printed.",
        ),
    ] = None,
    concurrency: Annotated[int, typer.Option("--concurrency", "-c", min=1, max=10_000, help="Tasks at a time.")] = 1,
    drain: Annotated[bool, typer.Option("--drain", help="Stop when nothing is left for anybody.")] = False,
    name: Annotated[str | None, typer.Option("--name", help="Shown to people. Default: WORKER_NAME, or host.")] = None,
    grace: Annotated[float, typer.Option(min=0, help="Seconds that running tasks get to finish on a stop.")] = 30.0,
    progress: Annotated[bool, typer.Option(help="Progress bars on a terminal.")] = True,
) -> None:
    """Expand sources and work on tasks, until stopped. This is the default command.

    Ctrl-C or SIGTERM stops in good order: nothing new is started, what runs may finish within the grace period, the
    rest is given back. A second Ctrl-C stops at once; the others take over after the lease's time.
    """
    settings = load_settings(**({"worker_name": name} if name else {}))
    function = load_handler(handler) if handler else UrlPrinter()
    view = ProgressView() if progress and sys.stderr.isatty() and settings.log_format == "text" else None
    configure_logging(settings.log_level, settings.log_format, view.log_handler() if view else None)
    showing: AbstractContextManager[object] = view or nullcontext()
    with showing:
        asyncio.run(_work(settings, as_handler(function), concurrency, drain, grace, view))
    _end_now(0)  # a handler's thread that never ends must not keep the process


async def _work(
    settings: Settings,
    handler: Handler,
    concurrency: int,
    drain: bool,
    grace: float,
    view: ProgressView | None,
) -> None:
    async with create_app(settings) as app:
        listener: Listener = log_event
        if view is not None:
            shown = view

            def listener(event: WorkerEvent) -> None:
                shown.hear(event)
                if not isinstance(event, TaskFinished) or not isinstance(event.outcome, Completed):
                    log_event(event)  # the bar says it of those that went well

        worker = app.worker(handler, slots=concurrency, drain=drain, grace=grace, listener=listener)
        _stop_on_signals(worker)
        watcher = asyncio.create_task(view.watch(app)) if view else None
        try:
            await worker.run()
        finally:
            if watcher is not None:
                watcher.cancel()


def _stop_on_signals(worker: CoordinationWorker) -> None:
    loop = asyncio.get_running_loop()
    asked: float | None = None

    def stop(number: signal.Signals) -> None:
        nonlocal asked
        now = loop.time()
        if asked is not None and now - asked < ECHO:
            return
        if asked is not None:
            complaints.print("stopped at once")
            _end_now(INTERRUPTED)
        asked = now
        log.warning("%s: stopping in good order (again to stop at once)", number.name)
        worker.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop, number)
        except NotImplementedError:  # Windows: Ctrl-C only
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop, signal.SIGINT))


def _end_now(code: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it any more, or a handler has closed it
            stream.flush()
    logging.shutdown()
    os._exit(code)
