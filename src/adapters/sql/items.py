"""Sources, tasks and records as rows, and back."""

import json
from collections.abc import Callable, Mapping
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

Row = Mapping[str, Any]


def micros(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment(value: int | None) -> datetime | None:
    return None if value is None else EPOCH + timedelta(microseconds=value)


def storable(text: str) -> str:
    """`text` as any database takes it: without NUL and half surrogate pairs, which PostgreSQL refuses."""
    return text.replace("\x00", "�").encode("utf-8", "replace").decode("utf-8")


@frozen
class ItemMapping(Generic[ItemT]):
    """How one kind of item is stored: its table, and the columns that are the item's own."""

    table: Table
    to_row: Callable[[ItemT], dict[str, Any]]
    from_row: Callable[[Any], ItemT]

    def record(self, row: Any) -> Record[ItemT]:
        return Record(
            item=self.from_row(row),
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


def _source_from_row(row: Any) -> Source:
    return Source(
        key=row.key,
        url=row.url,
        name=row.name,
        entries=row.entries,
        options=ScanOptions(**json.loads(row.options)),
        scans=row.scans,
        full=bool(row.full),
    )


def _task_to_row(task: Task) -> dict[str, Any]:
    return {
        "key": storable(task.key),
        "url": storable(task.url),
        "id": storable(task.id),
        "source": storable(task.source),
        "name": storable(task.name),
        "duration": task.duration,
    }


def _task_from_row(row: Any) -> Task:
    return Task(key=row.key, url=row.url, id=row.id, source=row.source, name=row.name, duration=row.duration)


SOURCES = ItemMapping[Source](schema.sources, _source_to_row, _source_from_row)
TASKS = ItemMapping[Task](schema.tasks, _task_to_row, _task_from_row)
