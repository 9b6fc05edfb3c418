"""Sources, tasks and records as rows, and back."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Generic

import attrs
from attrs import frozen
from sqlalchemy import Table

from adapters.sql import schema
from domain.lifecycle import State
from domain.scan import ScanOptions
from domain.work import ItemT, Record, Source, Task

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment(value: int | None) -> datetime | None:
    return None if value is None else EPOCH + timedelta(microseconds=value)


def storable(text: str) -> str:
    """`text` as any database takes it: without NUL and half surrogate pairs, which PostgreSQL refuses."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.replace("\x00", "�").encode("utf-8", "replace").decode("utf-8")


@frozen
class ItemMapping(Generic[ItemT]):
    """How one kind of item is stored: its table, and the columns that are the item's own, in `from_columns`' order.

    `unchanging` items are the same when they are settled as when they were claimed.
    """

    table: Table
    columns: tuple[str, ...]
    to_row: Callable[[ItemT], dict[str, Any]]
    from_columns: Callable[[Sequence[Any]], ItemT]
    unchanging: bool

    def record(self, row: Any) -> Record[ItemT]:
        return Record(
            item=self.from_columns([getattr(row, column) for column in self.columns]),
            state=State(row.state),
            attempts=row.attempts,
            crashes=row.crashes,
            worker=row.worker,
            created_at=moment(row.created_at),
            claimed_at=moment(row.claimed_at),
            finished_at=moment(row.finished_at),
            not_before=moment(row.not_before),
            error=row.error,
        )


def _source_to_row(source: Source) -> dict[str, Any]:
    given = attrs.asdict(source.options, filter=lambda attribute, value: value != attribute.default)
    return {
        "key": storable(source.key),
        "url": storable(source.url),
        "name": storable(source.name),
        "entries": source.entries,
        "options": json.dumps(given, ensure_ascii=False),
        "scans": source.scans,
        "full": source.full,
    }


def _source_from_columns(values: Sequence[Any]) -> Source:
    key, url, name, entries, options, scans, full = values
    return Source(key, url, name, entries, ScanOptions(**json.loads(options)), scans, bool(full))


def _task_to_row(task: Task) -> dict[str, Any]:
    return {
        "key": storable(task.key),
        "url": storable(task.url),
        "id": storable(task.id),
        "source": storable(task.source),
        "name": storable(task.name),
        "duration": task.duration,
    }


def _task_from_columns(values: Sequence[Any]) -> Task:
    return Task(*values)


SOURCES = ItemMapping[Source](
    schema.sources,
    ("key", "url", "name", "entries", "options", "scans", "full"),
    _source_to_row,
    _source_from_columns,
    unchanging=False,
)
TASKS = ItemMapping[Task](
    schema.tasks,
    ("key", "url", "id", "source", "name", "duration"),
    _task_to_row,
    _task_from_columns,
    unchanging=True,
)
