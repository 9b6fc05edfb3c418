"""Rows of the queues as records, and back."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Generic, Protocol

from attrs import asdict, define, field, fields_dict, frozen

from adapters.google_sheets.layout import (
    SOURCES,
    SOURCES_DLQ,
    SOURCES_HISTORY,
    TASKS,
    TASKS_DLQ,
    TASKS_HISTORY,
    Header,
    TabLayout,
)
from adapters.google_sheets.words import TOMBSTONE, Word, moment, parse, stamp, tag_of
from domain.dedupe import display_id, source_key, task_key
from domain.lifecycle import State
from domain.scan import ScanOptions
from domain.work import ItemT, Record, Source, Task

DUPLICATE = "DUPLICATE"
"""The Status of a row whose URL is known already. It stays where it is, for whoever has pasted it to see."""

Cells = Mapping[str, str]
"""Texts by the names that `layout` gives their columns."""


class QueueKind(Protocol[ItemT]):
    """What sets sources and tasks apart."""

    queue: TabLayout
    history: TabLayout
    dlq: TabLayout
    held: str
    prompt: bool
    """Whether what is settled is recorded at once: its row does not hold all that was found out."""

    def key_of(self, url: str) -> str:
        """The key of a row that shows no other."""

    def item(self, key: str, cells: Cells) -> ItemT:
        """What a row says of its item."""

    def cells(self, item: ItemT) -> dict[str, str]:
        """What a row shows of `item`."""


@frozen
class TaskKind(QueueKind[Task]):
    queue: TabLayout = TASKS
    history: TabLayout = TASKS_HISTORY
    dlq: TabLayout = TASKS_DLQ
    held: str = "CLAIMED"
    prompt: bool = False

    def key_of(self, url: str) -> str:
        return task_key(url)

    def item(self, key: str, cells: Cells) -> Task:
        return Task(
            key=key,
            url=cells["url"],
            id=cells.get("id", "") or display_id(key),
            source=cells.get("source", ""),
            name=cells.get("name", ""),
            duration=_number(cells.get("duration", "")),
        )

    def cells(self, item: Task) -> dict[str, str]:
        return {
            "id": item.id,
            "source": item.source,
            "url": item.url,
            "name": item.name,
            "duration": "" if item.duration is None else f"{item.duration:.15g}",
        }


@frozen
class SourceKind(QueueKind[Source]):
    queue: TabLayout = SOURCES
    history: TabLayout = SOURCES_HISTORY
    dlq: TabLayout = SOURCES_DLQ
    held: str = "EXTRACTING"
    prompt: bool = True

    def key_of(self, url: str) -> str:
        return source_key(url)

    def item(self, key: str, cells: Cells) -> Source:
        wanted = _json(cells.get("options", ""))
        entries = _number(cells.get("entries", ""))
        options = {name: value for name, value in wanted.items() if name in fields_dict(ScanOptions)}
        return Source(
            key=key,
            url=cells["url"],
            name=cells.get("name", ""),
            entries=None if entries is None else int(entries),
            options=_options(options),
            scans=int(wanted.get("scans", 0)),
            full=bool(wanted.get("full", False)),
        )

    def cells(self, item: Source) -> dict[str, str]:
        default = ScanOptions()
        wanted = {name: value for name, value in asdict(item.options).items() if value != getattr(default, name)}
        wanted |= {"scans": item.scans} if item.scans else {}
        wanted |= {"full": True} if item.full else {}
        return {
            "id": display_id(item.key),
            "url": item.url,
            "name": item.name,
            "entries": "" if item.entries is None else str(item.entries),
            "options": json.dumps(wanted, ensure_ascii=False) if wanted else "",
        }


GONE = "-"
"""The key of a row that was archived and keeps its URL."""


@define
class Row(Generic[ItemT]):
    """A row of a queue as it was read: `place` is its number (from 0) at that moment only."""

    place: int
    cells: Cells
    key: str
    url: str
    tag: str = field(init=False)
    word: Word | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.tag = tag_of(self.key) if self.key else ""
        word = parse(self.status)
        # a word of another key: somebody has copied a row, and typed another URL into it
        self.word = word if word is not None and word.tag == self.tag else None

    @property
    def status(self) -> str:
        return self.cells.get("status", "")

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it to work on, whatever its Status says."""
        return not self.url or self.key == GONE

    @property
    def bare(self) -> bool:
        """Whether it is a person's, and not adopted yet."""
        return not self.empty and self.word is None

    @property
    def duplicate(self) -> bool:
        """Whether a person was told that its URL is known already."""
        return not self.empty and self.status.startswith(f"{DUPLICATE} {self.tag}")

    @property
    def tombstone(self) -> bool:
        return self.empty and self.status == TOMBSTONE


def row_of(kind: QueueKind[ItemT], place: int, cells: Cells) -> Row[ItemT]:
    cell = cells.get("url", "").strip()
    key, url = _stated(cells.get("key", ""), cell)
    return Row(place, cells, key or (kind.key_of(url) if url else ""), url)


def key_cell(kind: QueueKind[ItemT], key: str, url: str) -> str:
    """What stands under Chave: nothing where the URL says it, else the key, bound to that URL."""
    return "" if kind.key_of(url) == key else f"{key} @{tag_of(url)}"


def url_cell(kind: QueueKind[ItemT], key: str, url: str) -> str:
    """What stands under URL in a queue.

    Two items of a feed may share a URL that is not their key. What tells them apart is appended, so that a row can be
    emptied by its content without emptying another.
    """
    return url if kind.key_of(url) == key else f"{url}#{tag_of(key)}"


def gone_cell(cell: str) -> str:
    """What comes under Chave in place of `cell` when a row is archived whose URL may not be its alone."""
    _, separator, bound = cell.rpartition(" @")
    return f"{GONE}{separator}{bound}"


def states_key(cell: str, url: str) -> bool:
    """Whether what stands under Chave is the key of a row that shows `url`."""
    return bool(_stated(cell, url.strip())[0])


def _stated(cell: str, url: str) -> tuple[str, str]:
    """The key under Chave, and the URL without what was appended; no key once that is another one."""
    key, _, bound = cell.rpartition(" @")
    plain = url.removesuffix(f"#{tag_of(key)}")
    return (key, plain) if bound == tag_of(plain) else ("", url)


def queue_cells(kind: QueueKind[ItemT], item: ItemT, created_at: datetime | None, word: Word) -> dict[str, str]:
    """A row of a queue."""
    return {
        **kind.cells(item),
        "url": url_cell(kind, item.key, item.url),
        "key": key_cell(kind, item.key, item.url),
        "created_at": stamp(created_at) if created_at else "",
        "status": str(word),
    }


def record_cells(kind: QueueKind[ItemT], record: Record[ItemT]) -> dict[str, str]:
    """A row of a History or DLQ."""
    times = {name: getattr(record, name) for name in ("created_at", "claimed_at", "finished_at")}
    return {
        **kind.cells(record.item),
        **{name: stamp(time) if time else "" for name, time in times.items()},
        "key": key_cell(kind, record.item.key, record.item.url),
        "status": str(record.state),
        "worker": record.worker,
        "tries": str(record.attempts),
        "crashes": str(record.crashes or ""),
        "error": record.error,
    }


def finished(kind: QueueKind[ItemT], cells: Cells, state: State) -> Record[ItemT]:
    """What a row of a History or DLQ tells."""
    row: Row[ItemT] = row_of(kind, 0, cells)
    return Record(
        kind.item(row.key, {**cells, "url": row.url}),
        state,
        attempts=int(_number(cells.get("tries", "")) or 1),
        crashes=int(_number(cells.get("crashes", "")) or 0),
        worker=cells.get("worker", ""),
        created_at=moment(cells.get("created_at", "")),
        claimed_at=moment(cells.get("claimed_at", "")),
        finished_at=moment(cells.get("finished_at", "")),
        error=cells.get("error", ""),
    )


def queued(kind: QueueKind[ItemT], row: Row[ItemT], worker: str) -> Record[ItemT]:
    """What a row of a queue tells. A person's row is PENDING."""
    word = row.word or Word("PENDING", row.tag, 0)
    return Record(
        kind.item(row.key, {**row.cells, "url": row.url}),
        word.state,
        attempts=word.tries,
        crashes=word.crashes,
        worker=worker,
        created_at=moment(row.cells.get("created_at", "")),
        claimed_at=word.at,
        not_before=word.due,
        error=word.error,
    )


def by_place(header: Header, cells: Mapping[str, str]) -> dict[int, str]:
    """Texts by the place of their column; those without a column are left out."""
    return {header[name]: text for name, text in cells.items() if text and name in header.columns}


def _number(text: str) -> float | None:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None


def _json(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text) if text.strip() else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _options(values: Mapping[str, Any]) -> ScanOptions:
    try:
        return ScanOptions(**values)
    except (TypeError, ValueError):  # somebody has typed what selects nothing
        return ScanOptions()
