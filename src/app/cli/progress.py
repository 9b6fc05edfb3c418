"""Progress bars for a worker on a terminal: what is being expanded, and how far the tasks are."""

import logging
import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.logging import RichHandler
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from app.composition import App
from app.events import PageStored, SourceFinished, SourceStarted, TaskFinished, WorkerEvent
from app.printable import one_line
from domain.lifecycle import Failed, State
from ports.errors import PortError

WATCH_EVERY = 2.0


class ProgressView:
    """One bar for all tasks, one for each source in expansion, and the log above them. On stderr."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),  # titles are other people's: [brackets] are text
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("[red]{task.fields[note]}"),
            TimeRemainingColumn(),
            console=self._console,
            # what the handler prints goes to a file or a pipe untouched
            redirect_stdout=sys.stdout.isatty(),
        )
        self._tasks = self._progress.add_task("tasks", total=None, note="")
        self._sources: dict[str, TaskID] = {}
        self._failed = 0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def log_handler(self) -> logging.Handler:
        return RichHandler(console=self._console, show_path=False, log_time_format="%H:%M:%S", rich_tracebacks=False)

    def hear(self, event: WorkerEvent) -> None:
        """A `Listener`."""
        match event:
            case SourceStarted(source):
                bar = self._progress.add_task(one_line(source.name or source.url), total=None, note="")
                self._sources[source.key] = bar
            case PageStored(source, name, new, known, expected):
                bar = self._sources[source.key]
                self._progress.update(bar, description=one_line(name), completed=new + known, total=expected)
            case SourceFinished(source):
                self._progress.remove_task(self._sources.pop(source.key))
            case TaskFinished(_, outcome):
                self._failed += isinstance(outcome, Failed)
                note = f"{self._failed} failed" if self._failed else ""
                self._progress.update(self._tasks, advance=1, note=note)
            case _:
                pass

    async def watch(self, app: App) -> None:
        """Keep the bar of all tasks to what the store says: others work on them too."""
        while True:
            try:
                counts = await app.store.tasks.counts()
            except PortError:
                pass  # the worker itself tells of it
            else:
                done = counts[State.COMPLETED] + counts[State.FAILED] + counts[State.DISCARDED]
                self._progress.update(self._tasks, completed=done, total=counts.total or None)
            await app.clock.sleep(max(WATCH_EVERY, app.store.idle_pause))
