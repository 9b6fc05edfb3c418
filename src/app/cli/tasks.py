"""`mutirao tasks`: what there is to do, and what was done."""

import typer

from app.cli.listing import StateOption, list_records
from app.cli.options import Json, Limit
from app.cli.session import with_app
from app.composition import App

app = typer.Typer(help="List tasks: the queue, the History and the DLQ.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keeps `list` a command of its own, though it is the only one."""


@app.command("list", epilog="Example: `mutirao tasks list --state failed --json`")
def list_(state: StateOption = None, limit: Limit = 50, as_json: Json = False) -> None:
    """Show tasks, oldest first."""

    async def command(opened: App) -> None:
        await list_records(opened, opened.store.tasks, "tasks", state, limit, as_json=as_json)

    with_app(command)
