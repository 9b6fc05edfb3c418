"""The commands, and how an error ends them."""

import logging
import sys
from collections.abc import Sequence
from importlib.metadata import version as version_of

import typer
from rich.console import Console
from rich.markup import escape

from app.cli import dead_letters, doctor, sheets_emulator, sources, status, tasks, worker
from app.cli.demo import demo
from app.cli.exit_codes import EXIT_CODES, FAILURE, MISUSE, UNAVAILABLE
from app.errors import ConfigurationError, InvalidSource, MutiraoError, PortError

DEFAULT_COMMAND = "worker"

app = typer.Typer(
    name="mutirao",
    help="Share a list of jobs among workers on any machines.\n\n"
    "Put playlists, channels or feeds into the queue with `mutirao sources add URL`, and run `mutirao worker` on as "
    "many machines as you like: one of them expands each source into tasks, all of them work on the tasks.",
    epilog=EXIT_CODES,
    no_args_is_help=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("worker", epilog=worker.EPILOG)(worker.run)
app.command("status", epilog=status.EPILOG)(status.show)
app.command("doctor", epilog=doctor.EPILOG)(doctor.doctor)
app.command("demo")(demo)
app.command("sheets-emulator", epilog=sheets_emulator.EPILOG)(sheets_emulator.serve)
app.add_typer(sources.app, name="sources")
app.add_typer(tasks.app, name="tasks")
app.add_typer(dead_letters.app, name="dlq")


@app.callback(invoke_without_command=True)
def _root(version: bool = typer.Option(False, "--version", help="Show the version and exit.", is_eager=True)) -> None:
    if version:
        typer.echo(f"mutirao {version_of('mutirao')}")
        raise typer.Exit


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit. A user's mistake ends in one clear line, never in a traceback."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or (words[0].startswith("-") and words[0] not in {"-h", "--help", "--version"}):
        words.insert(0, DEFAULT_COMMAND)
    try:
        app(words, prog_name="mutirao")
    except (ConfigurationError, InvalidSource) as error:
        _fail(error, MISUSE)
    except PortError as error:
        _fail(error, UNAVAILABLE if error.retryable else FAILURE)
    except (MutiraoError, OSError) as error:  # OSError: what was to be said cannot be written
        _fail(error, FAILURE)


def _fail(error: Exception, code: int) -> None:
    logging.getLogger(__name__).debug("details", exc_info=error)
    Console(stderr=True, highlight=False).print(f"[bold red]error:[/] {escape(str(error))}", soft_wrap=True)
    sys.exit(code)
