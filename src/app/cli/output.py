"""Tables for people, JSON for scripts."""

import json
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import attrs
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.printable import one_line
from domain.work import Record

PIPE_WIDTH = 240
"""Columns for tables that go to a file or a pipe, where nothing is gained by folding."""

console = Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)
complaints = Console(stderr=True, highlight=False)

ERROR_WIDTH = 120


def print_json(value: Any) -> None:
    """`value` as one JSON document: times in ISO 8601, states by name."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2, default=_plain)
    sys.stdout.write("\n")
    sys.stdout.flush()  # a command that goes on (the emulator) is read while it runs


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, frozenset | set):
        return sorted(value)
    if attrs.has(type(value)):
        return attrs.asdict(value, recurse=False)
    return str(value)


def record_as_dict(record: Record[Any]) -> dict[str, Any]:
    """A record as scripts see it: the item's own fields beside those of its state."""
    state = attrs.asdict(record, recurse=False)
    item = state.pop("item")
    return {**attrs.asdict(item, recurse=False), **state}


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        right = column in {"tasks", "entries", "attempts", "failures", "sources", "seconds"}
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(one_line(str(cell))) for cell in row))
    console.print(table)


def ago(moment: datetime | None, now: datetime) -> str:
    """How long before `now` something was, in words; empty for None."""
    return "" if moment is None else f"{span(now - moment)} ago"


def span(length: timedelta) -> str:
    seconds = max(0, int(length.total_seconds()))
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def first_line(error: str) -> str:
    line = error.strip().partition("\n")[0]
    return line if len(line) <= ERROR_WIDTH else line[: ERROR_WIDTH - 1] + "…"


def duration(seconds: float | None) -> str:
    if seconds is None:
        return ""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
