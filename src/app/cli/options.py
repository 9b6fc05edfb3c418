"""Options that several commands share."""

from enum import StrEnum
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]


class Queue(StrEnum):
    """Which of the two queues."""

    SOURCES = "sources"
    TASKS = "tasks"
