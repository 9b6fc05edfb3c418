"""Showing records of either queue."""

from enum import StrEnum
from typing import Annotated

import typer
from rich.text import Text

from app.cli.output import ago, console, duration, first_line, print_json, print_table, record_as_dict
from app.composition import App
from domain.lifecycle import State
from domain.work import ItemT, Record, Source
from ports.coordination import WorkQueue


class StateName(StrEnum):
    """How states are written on the command line."""

    PENDING = "pending"
    CLAIMED = "claimed"
    COMPLETED = "completed"
    FAILED = "failed"
    DISCARDED = "discarded"


StateOption = Annotated[StateName | None, typer.Option("--state", help="Only those in this state.")]

COLOURS = {
    State.PENDING: "",
    State.CLAIMED: "cyan",
    State.COMPLETED: "green",
    State.FAILED: "red",
    State.DISCARDED: "dim",
}


async def list_records(
    app: App, queue: WorkQueue[ItemT], kind: str, state: StateName | None, limit: int, *, as_json: bool
) -> None:
    """Print up to `limit` records of each state asked for, as a table or as JSON."""
    states = [State(state.upper())] if state else [s for s in State if s is not State.DISCARDED]
    records: list[Record[ItemT]] = []
    cut = False
    for wanted in states:
        page = await queue.list(wanted, limit=limit)
        records += page.records
        cut = cut or page.after is not None
    if as_json:
        print_json([record_as_dict(record) for record in records])
        return
    if not records:
        console.print(f"no {kind}")
        return
    now = app.clock.now()
    print_table(
        kind.capitalize(),
        [
            "state",
            "URL" if kind == "sources" else "id",
            "name",
            "entries" if kind == "sources" else "duration",
            "worker",
            "attempts",
            "when",
            "error",
        ],
        [
            (
                Text(record.state.lower(), style=COLOURS[record.state]),
                record.item.url if isinstance(record.item, Source) else record.item.id,
                record.item.name,
                _size(record),
                record.worker,
                record.attempts,
                ago(record.finished_at or record.claimed_at or record.created_at, now),
                first_line(record.error),
            )
            for record in records
        ],
    )
    if cut:
        console.print(f"[dim]… only the first {limit} of a state are shown: see --limit and --state[/]")


def _size(record: Record[ItemT]) -> str:
    item = record.item
    if isinstance(item, Source):
        return "" if item.entries is None else str(item.entries)
    return duration(item.duration)
