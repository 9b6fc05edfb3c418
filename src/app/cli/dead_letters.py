"""`mutirao dlq`: what has failed for good, and what to do about it."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import typer

from app.cli.exit_codes import FAILURE
from app.cli.listing import StateName, list_records
from app.cli.options import Json, Limit, Queue
from app.cli.output import complaints, console, print_json
from app.cli.session import with_app
from app.composition import App
from app.use_cases.intervene import discard as discard_dead
from app.use_cases.intervene import every as every_record
from app.use_cases.intervene import redrive as redrive_dead
from domain.lifecycle import State
from ports.errors import ConfigurationError

app = typer.Typer(help="List dead tasks or sources, send them back, or give them up.", no_args_is_help=True)

Which = Annotated[Queue, typer.Option("--queue", help="Dead tasks, or dead sources.")]
Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID…]", help="As `dlq list` shows them, a key, or a URL.")]
Every = Annotated[bool, typer.Option("--all", help="All that are dead.")]
Contains = Annotated[str | None, typer.Option("--error", help="Those whose error contains this text.")]


@app.command("list", epilog="Example: `mutirao dlq list --queue sources`")
def list_(which: Which = Queue.TASKS, limit: Limit = 50, as_json: Json = False) -> None:
    """Show what has failed for good, with the error."""

    async def command(opened: App) -> None:
        await list_records(opened, _queue(opened, which), which, StateName.FAILED, limit, as_json=as_json)

    with_app(command)


@app.command(epilog="Examples: `mutirao dlq redrive --all` · `mutirao dlq redrive dQw4w9WgXcQ` · `… --error timeout`")
def redrive(
    ids: Ids = None,
    every: Every = False,
    error: Contains = None,
    which: Which = Queue.TASKS,
    as_json: Json = False,
) -> None:
    """Send dead tasks (or sources) back to the queue, their attempts counted afresh."""
    _apply(redrive_dead, "redriven", ids or [], every, error, which, as_json)


@app.command(epilog="Example: `mutirao dlq discard dQw4w9WgXcQ`")
def discard(
    ids: Ids = None,
    every: Every = False,
    error: Contains = None,
    which: Which = Queue.TASKS,
    as_json: Json = False,
) -> None:
    """Give dead tasks (or sources) up for good. They stay known: no later scan brings them back."""
    _apply(discard_dead, "discarded", ids or [], every, error, which, as_json)


def _apply(
    action: Callable[..., Awaitable[frozenset[str]]],
    done: str,
    ids: list[str],
    every: bool,
    error: str | None,
    which: Queue,
    as_json: bool,
) -> None:
    if [bool(ids), every, error is not None].count(True) != 1:
        raise ConfigurationError("say which: ids, --all, or --error TEXT")

    async def command(opened: App) -> frozenset[str]:
        queue = _queue(opened, which)
        if every:
            return await action(queue)
        dead = [record async for record in every_record(queue, State.FAILED)]
        keys = [
            record.item.key
            for record in dead
            if (error is not None and error in record.error)
            or {record.item.key, record.item.url, getattr(record.item, "id", "")} & set(ids)
        ]
        return await action(queue, keys)

    changed = with_app(command)
    if as_json:
        print_json({done: changed})
    elif changed:
        console.print(f"{len(changed)} {done}")
    if not changed:
        if not as_json:
            complaints.print("nothing dead matches")
        raise typer.Exit(FAILURE)


def _queue(opened: App, which: Queue) -> Any:
    return opened.store.tasks if which is Queue.TASKS else opened.store.sources
