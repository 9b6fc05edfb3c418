"""Options that several commands share."""

from enum import StrEnum
from typing import Annotated

import typer

MOST = 1_000_000_000
"""Of anything that is counted: databases take no larger numbers than 64 bits hold."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]
Limit = Annotated[int, typer.Option(min=1, max=MOST, help="Records of each state, at most.")]


class Queue(StrEnum):
    """Which of the two queues."""

    SOURCES = "sources"
    TASKS = "tasks"
