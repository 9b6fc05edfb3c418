"""`mutirao demo`."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from app.cli.exit_codes import FAILURE
from app.cli.output import console
from app.demo.run import run_demo
from app.demo.view import print_equation


def demo(
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Leave the database, the journal and the logs in this directory.")
    ] = None,
) -> None:
    """Show the main job on this machine: feeds, three workers, one of them killed, and the count at the end.

    Needs no network and no configuration. The exit status is 0 only if nothing was lost and nothing recorded twice.
    """
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    outcome = asyncio.run(run_demo(console, directory=keep and keep.absolute()))
    console.print()
    print_equation(console, "sources", outcome.sources_in, outcome.final.sources)
    print_equation(console, "tasks", outcome.tasks_in, outcome.final.tasks)
    again = outcome.runs - outcome.tasks_in
    console.print(
        f"each of {len(set(outcome.recorded))} tasks is recorded once ({len(outcome.recorded)} records); "
        f"handlers ran {outcome.runs} times, {again} of them again because their worker was killed"
    )
    if not outcome.holds:
        console.print("[bold red]the equation does not hold[/]")
        raise typer.Exit(FAILURE)
