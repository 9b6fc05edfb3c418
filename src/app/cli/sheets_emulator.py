"""`mutirao sheets-emulator`: a Google Sheets on this machine, for development and tests."""

import json
import threading
from pathlib import Path
from typing import Annotated

import typer

from app.cli.output import complaints, print_json

SPREADSHEET = "emulated"

EPILOG = (
    "Examples: `mutirao sheets-emulator --port 8089` · "
    "`mutirao sheets-emulator --seed-from tabs.json --account account.json --quota`"
)


def serve(
    port: Annotated[int, typer.Option(help="Where to listen on 127.0.0.1; 0 takes a free port.")] = 8089,
    seed_from: Annotated[
        Path | None, typer.Option(help='A JSON file of tabs: {"Tasks": [["ID", "URL"], ["", "https://…"]]}.')
    ] = None,
    account: Annotated[
        Path | None,
        typer.Option(help="Write a service account's JSON here, and ask every call for a token of it."),
    ] = None,
    quota: Annotated[
        bool, typer.Option("--quota", help="Meter calls as Google does: 60 reads, 60 writes a minute.")
    ] = False,
) -> None:
    """Serve one spreadsheet, with the id `emulated`, until stopped: the Sheets API v4 and a little of Drive's.

    Everything is kept in memory. `docs/sheets-emulator.md` says what it knows, and how to point a client at it.
    """
    from adapters.sheets_emulator.seed import seed
    from adapters.sheets_emulator.server import EmulatorServer
    from adapters.system.time import SystemClock

    with EmulatorServer(SystemClock(), port=port, authenticate=account is not None, metered=quota) as server:
        book = server.create("Emulated", identifier=SPREADSHEET)
        if seed_from is not None:
            seed(book, seed_from)
        if account is not None:
            account.write_text(json.dumps(server.service_account(), indent=2), "utf-8")
        print_json({"url": server.url, "spreadsheet": book.id, "account": str(account) if account else None})
        complaints.print("serving until Ctrl-C")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            complaints.print("stopped")
