"""The demo's live view, and its last word."""

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from app.use_cases.overview import Overview
from domain.lifecycle import State
from domain.work import Counts

COLUMNS = (State.PENDING, State.CLAIMED, State.COMPLETED, State.FAILED)


def render(snapshot: Overview) -> RenderableType:
    """Queues and workers at one moment."""
    queues = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("", *(state.lower() for state in COLUMNS), "progress"):
        queues.add_column(column, justify="right" if column and column != "progress" else "left", min_width=8)
    for name, counts in (("sources", snapshot.sources), ("tasks", snapshot.tasks)):
        bar = ProgressBar(total=max(1, counts.total), completed=counts.total - counts.left, width=30)
        queues.add_row(name, *(str(counts[state]) for state in COLUMNS), bar)
    leader = snapshot.leader.session.id if snapshot.leader else None
    names = [
        f"{view.session.worker.name} ({view.stats.tasks} done{', leads' if view.session.id == leader else ''})"
        for view in snapshot.workers
    ]
    return Group(queues, Text(f"workers: {', '.join(names) or '–'}", style="cyan"))


def print_equation(console: Console, name: str, put_in: int, counts: Counts) -> None:
    """``in = done + dead``, and what is left."""
    done, dead = counts[State.COMPLETED], counts[State.FAILED]
    holds = put_in == done + dead and counts.left == 0
    mark = Text("✓", style="green") if holds else Text("✗", style="bold red")
    console.print(mark, f"{name}: {put_in} in = {done} done + {dead} dead, {counts.left} left")
