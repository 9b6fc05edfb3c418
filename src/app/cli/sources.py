"""`mutirao sources`: put playlists, channels, feeds and videos into the queue, and see what became of them."""

from typing import Annotated

import typer

from app.cli.exit_codes import FAILURE
from app.cli.listing import StateOption, list_records
from app.cli.options import MOST, Json, Limit
from app.cli.output import complaints, console, print_json
from app.cli.session import with_app
from app.composition import App
from app.errors import InvalidSource
from domain.scan import ScanOptions
from domain.work import Added
from ports.errors import ConfigurationError

app = typer.Typer(help="Add playlists, channels, feeds or videos, list them, scan them again.", no_args_is_help=True)

FILTERS = "Which entries become tasks"


@app.command(
    epilog="Examples: `mutirao sources add https://www.youtube.com/playlist?list=PL…` · "
    "`mutirao sources add https://www.youtube.com/@channel --min-duration 600 --no-shorts` · "
    "`mutirao sources add - < urls.txt`"
)
def add(
    urls: Annotated[list[str], typer.Argument(metavar="URL…", help="What to expand; `-` reads one a line from stdin.")],
    title: Annotated[
        str | None, typer.Option(help="Only titles that match this regular expression.", rich_help_panel=FILTERS)
    ] = None,
    min_duration: Annotated[
        float | None, typer.Option(min=0, help="Seconds, at least.", rich_help_panel=FILTERS)
    ] = None,
    max_duration: Annotated[
        float | None, typer.Option(min=0, help="Seconds, at most.", rich_help_panel=FILTERS)
    ] = None,
    shorts: Annotated[bool, typer.Option(help="Take shorts too.", rich_help_panel=FILTERS)] = True,
    live: Annotated[bool, typer.Option(help="Take streams too.", rich_help_panel=FILTERS)] = True,
    limit: Annotated[
        int | None, typer.Option(min=1, max=MOST, help="The first N only.", rich_help_panel=FILTERS)
    ] = None,
    newest_first: Annotated[bool, typer.Option(help="The newest first.", rich_help_panel=FILTERS)] = False,
    single_video: Annotated[
        bool, typer.Option(help="Read watch?v=…&list=… as the video, not the playlist.", rich_help_panel=FILTERS)
    ] = False,
    as_json: Json = False,
) -> None:
    """Put sources into the queue. Those that are known already are left as they are."""
    try:
        options = ScanOptions(title, min_duration, max_duration, shorts, live, limit, newest_first, single_video)
    except ValueError as error:
        raise ConfigurationError(str(error)) from error
    wanted = _read(urls)

    async def command(opened: App) -> Added:
        return await opened.add_sources(wanted, options)

    added = with_app(command)
    if as_json:
        print_json({"new": added.new, "duplicates": added.duplicates})
    else:
        known = f", {len(added.duplicates)} known already" if added.duplicates else ""
        console.print(f"{len(added.new)} added{known}")


def _read(urls: list[str]) -> list[str]:
    wanted = []
    for url in urls:
        if url == "-":
            lines = (line.strip() for line in _piped().splitlines())
            wanted += [line for line in lines if line and not line.startswith("#")]
        else:
            wanted.append(url)
    return wanted


def _piped() -> str:
    try:
        return typer.get_binary_stream("stdin").read().decode("utf-8-sig")  # Windows' editors begin with a mark
    except UnicodeDecodeError as error:
        raise InvalidSource(f"what comes from stdin is no text in UTF-8: {error}") from error


@app.command("list", epilog="Example: `mutirao sources list --state completed --json`")
def list_(state: StateOption = None, limit: Limit = 50, as_json: Json = False) -> None:
    """Show sources: the queue, the History and the DLQ, or one state of them."""

    async def command(opened: App) -> None:
        await list_records(opened, opened.store.sources, "sources", state, limit, as_json=as_json)

    with_app(command)


@app.command(epilog="Examples: `mutirao sources rescan --all` · `mutirao sources rescan URL --full`")
def rescan(
    urls: Annotated[list[str] | None, typer.Argument(metavar="[URL…]", help="Which finished sources.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All finished sources.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Go through the whole list, not only to what is known.")] = False,
    as_json: Json = False,
) -> None:
    """Send finished sources back to the queue, to find what is new in them."""
    if bool(urls) == every:
        raise ConfigurationError("sources rescan takes either URLs or --all")

    async def command(opened: App) -> frozenset[str]:
        return await opened.rescan_sources(None if every else urls, full=full)

    changed = with_app(command)
    if as_json:
        print_json({"rescanned": changed})
    elif changed:
        console.print(f"{len(changed)} to be scanned again")
    if not changed:
        if not as_json:
            complaints.print("no finished source matches")
        raise typer.Exit(FAILURE)
