"""`mutirao doctor`: what is set, whether it works, and what to do where it does not."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Annotated

import typer
from attrs import asdict
from rich.text import Text

from app.cli.exit_codes import FAILURE
from app.cli.options import Json
from app.cli.output import complaints, console, print_json, print_table
from app.doctor import Part, examine, examine_assumptions
from app.log import configure_logging
from app.settings import Settings, load_settings
from domain.finding import Finding, Verdict

EPILOG = (
    "Exits with 1 if something does not work.\n\n"
    "Examples: `mutirao doctor` · `mutirao doctor --json | jq '.findings[] | select(.verdict == \"problem\")'` · "
    "`mutirao doctor --spreadsheet`"
)

MARKS = {
    Verdict.GOOD: ("✓", "green"),
    Verdict.NOTE: ("·", "dim"),
    Verdict.WARNING: ("!", "yellow"),
    Verdict.PROBLEM: ("✗", "bold red"),
}


def doctor(
    spreadsheet: Annotated[
        bool,
        typer.Option(
            "--spreadsheet",
            help="Try out on the spreadsheet what the store takes for granted of Google, in a tab that is removed "
            "afterwards. Takes about a minute, and as much of the account's quota.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the settings, check each backend that they name, and say what to do about what is wrong.

    Passwords and keys are not shown.
    """
    settings = load_settings()
    if settings.log_level == "debug":
        configure_logging(settings.log_level, settings.log_format)
    else:  # the findings say it
        logging.getLogger().addHandler(logging.NullHandler())
    parts = asyncio.run(_examined(settings, spreadsheet=spreadsheet))
    if as_json:
        print_json(as_dict(settings, parts))
    else:
        render(settings, parts)
    if not all(part.works for part in parts):
        raise typer.Exit(FAILURE)


async def _examined(settings: Settings, *, spreadsheet: bool) -> Sequence[Part]:
    parts = list(await examine(settings))
    if spreadsheet and parts[0].works:
        complaints.print("trying out the spreadsheet in a tab of its own: about a minute")
        parts.append(await examine_assumptions(settings))
    return parts


def as_dict(settings: Settings, parts: Sequence[Part]) -> dict[str, object]:
    """The stable JSON form of an examination."""
    return {
        "works": all(part.works for part in parts),
        "settings": [asdict(row) for row in settings.describe()],
        "findings": [{"part": part.name, **asdict(finding)} for part in parts for finding in part.findings],
    }


def render(settings: Settings, parts: Sequence[Part]) -> None:
    """Settings, then a table for each part; a fix stands below what it mends."""
    rows = [
        (Text(row.name, style="dim" if row.origin == "default" else ""), row.value, Text(row.origin, style="dim"))
        for row in settings.describe()
        if row.value or row.origin != "default"
    ]
    print_table("Settings", ["name", "value", "from"], rows)
    for part in parts:
        console.print()
        lines = [line for finding in part.findings for line in _lines(finding)]
        print_table(part.name.capitalize(), ["", "what", "seen"], lines)
    console.print()
    wrong = sum(finding.verdict is Verdict.PROBLEM for part in parts for finding in part.findings)
    console.print(f"[bold red]{wrong} to put right[/]" if wrong else "[green]all of it works[/]")


def _lines(finding: Finding) -> Sequence[Sequence[object]]:
    mark, style = MARKS[finding.verdict]
    line = (Text(mark, style=style), finding.subject, finding.seen)
    return [line, ("", "", Text(f"→ {finding.fix}", style="cyan"))] if finding.fix else [line]
