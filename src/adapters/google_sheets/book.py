"""The spreadsheet as this store last saw it: its tabs, where their columns stand, and windows on their rows."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import define, field, frozen

from adapters.google_sheets.client import SheetsClient
from adapters.google_sheets.failures import Refused
from adapters.google_sheets.layout import ELECTIONS, TABS, TASKS, WORKERS, Column, Header, TabLayout, find_columns
from adapters.google_sheets.requests import Request
from adapters.google_sheets.rows import Cells
from ports.errors import StoreCorrupt

LOOK_FIELDS = (
    "namedRanges(namedRangeId),sheets(properties(title),data(startRow,startColumn,rowData(values(formattedValue))))"
)
VIEW_FIELDS = f"replies(findReplace(occurrencesChanged)),updatedSpreadsheet({LOOK_FIELDS})"
_FENCE = re.compile(r"mutirao_([a-z]\w*)_(\d+)")
_WIDE = 200


@frozen
class Tab:
    """A tab by its number, its title of the moment, and its columns as they stood when last looked at."""

    layout: TabLayout
    sheet: int
    title: str
    header: Header

    def a1(self, first_row: int, end_row: int | None, columns: tuple[int, int] | None = None) -> str:
        """Rows from `first_row` (from 0) to before `end_row`, of all our columns or of `columns`."""
        left, right = columns or self.header.span
        end = "" if end_row is None else str(end_row)
        return f"{_quoted(self.title)}!{_letters(left)}{first_row + 1}:{_letters(right - 1)}{end}"

    @property
    def header_row(self) -> str:
        return f"{_quoted(self.title)}!1:1"


@frozen
class Rows:
    """Rows by place: from `first` to before `end`; those before `detailed` show their Status only."""

    first: int
    end: int
    detailed: int = 0

    def joined(self, other: "Rows") -> "Rows":
        return Rows(min(self.first, other.first), max(self.end, other.end), min(self.detailed, other.detailed))


Wanted = Mapping[TabLayout, Rows]


@frozen
class Window:
    """Rows of a tab in one moment, by place, and what was asked for."""

    header: Header
    rows: Mapping[int, Cells]
    asked: Rows

    @property
    def full(self) -> bool:
        """Whether the last row that was asked for is used, so that there may be more behind it."""
        return self.asked.end - 1 in self.rows


@frozen
class View:
    """What one moment showed. `fences` are the live sessions and how far each has counted."""

    at: float
    fences: Mapping[str, int]
    windows: Mapping[str, Window] = field(factory=lambda: MappingProxyType({}))


def fence_name(session: str, count: int) -> str:
    return f"mutirao_{session}_{count}"


def fences_of(spreadsheet: Mapping[str, Any]) -> dict[str, int]:
    """The fences among the named ranges: of a session that has two, the later."""
    fences: dict[str, int] = {}
    for named in spreadsheet.get("namedRanges", []):
        match = _FENCE.fullmatch(named.get("namedRangeId", ""))
        if match:
            fences[match[1]] = max(int(match[2]), fences.get(match[1], 0))
    return fences


@define
class Book:
    """Finds tabs and columns; makes what is missing."""

    client: SheetsClient
    tabs: dict[str, Tab] = field(factory=dict)

    def __getitem__(self, layout: TabLayout) -> Tab:
        return self.tabs[layout.title]

    async def open(self) -> None:
        """Learn where everything is, and make the tabs and columns that are missing.

        Losing the race for that to somebody else's first start is as good as winning it.

        Raises:
            StoreCorrupt: a tab lacks a column that is not ours to add.
        """
        for _ in range(5):
            missing = await self.reload()
            if not missing:
                return
            try:
                await self.client.change_patiently(missing)
            except Refused as refusal:
                last = refusal
        raise last.explained()

    async def reload(self) -> Sequence[Request]:
        """Learn where everything is; returns the requests that would make what is missing."""
        described = await self.client.describe("sheets.properties(sheetId,title,gridProperties)")
        properties = [sheet["properties"] for sheet in described.get("sheets", [])]
        by_title = {_plain(p["title"]): p for p in properties}
        found = {
            tab.title: next((by_title[_plain(t)] for t in tab.titles if _plain(t) in by_title), None) for tab in TABS
        }
        there = [tab for tab in TABS if found[tab.title]]
        ranges = [f"{_quoted(found[tab.title]['title'])}!1:1" for tab in there]  # type: ignore[index]
        headers = await self.client.read(ranges) if ranges else []
        missing: list[Request] = []
        for tab, rows in zip(there, headers, strict=True):
            at = found[tab.title] or {}
            cells = rows[0] if rows else []
            if not any(cell.strip() for cell in cells):
                missing.append(_write_header(at["sheetId"], 0, tab.columns))
                continue
            header, lacking = find_columns(tab, cells)
            self.tabs[tab.title] = Tab(tab, at["sheetId"], at["title"], header)
            if lacking and tab is not ELECTIONS:
                missing += await self._add_columns(at, len(cells), lacking)
        for tab in TABS:
            if not found[tab.title]:
                missing += _add_tab(tab)
        return missing

    async def _add_columns(
        self, properties: Mapping[str, Any], width: int, columns: Sequence[Column]
    ) -> Sequence[Request]:
        """Put `columns` behind all that is used, a person's notes without a header included."""
        beyond = f"{_quoted(properties['title'])}!{_letters(width)}1:{_letters(_WIDE)}"
        grid = properties["gridProperties"]["columnCount"]
        used = width
        if grid > width:
            (rows,) = await self.client.read([beyond])
            used += max((len(row) for row in rows), default=0)
        sheet, more = properties["sheetId"], used + len(columns) - grid
        grow = {"appendDimension": {"sheetId": sheet, "dimension": "COLUMNS", "length": more}}
        return [*([grow] if more > 0 else []), _write_header(sheet, used, columns)]

    def ranges(self, wanted: Wanted) -> list[str]:
        """What to ask for to see rows of tabs, and their headers."""
        asked = []
        for layout, rows in wanted.items():
            tab = self[layout]
            detailed = max(rows.first, rows.detailed)
            asked += [tab.header_row, tab.a1(detailed, rows.end)]
            if detailed > rows.first:
                asked.append(tab.a1(rows.first, detailed, (tab.header["status"], tab.header["status"] + 1)))
        return asked

    def view(self, spreadsheet: Mapping[str, Any], wanted: Wanted, at: float) -> View:
        """What an answer shows of `wanted`. A tab whose header has changed is left out, and learnt anew."""
        by_title = {sheet["properties"]["title"]: sheet.get("data", []) for sheet in spreadsheet.get("sheets", [])}
        windows = {}
        for layout, asked in wanted.items():
            tab = self[layout]
            texts = _texts(by_title.get(tab.title, []))
            window = self._window(tab, texts, asked)
            if window is not None:
                windows[layout.title] = window
        return View(at, fences_of(spreadsheet), windows)

    def _window(self, tab: Tab, texts: Mapping[int, Mapping[int, str]], asked: Rows) -> Window | None:
        titles = texts.get(0, {})
        header, _ = find_columns(tab.layout, [titles.get(place, "") for place in range(max(titles, default=-1) + 1)])
        known = tab.header.columns == header.columns
        if not known:
            self.tabs[tab.layout.title] = Tab(tab.layout, tab.sheet, tab.title, header)
            return None
        rows = {
            place: {name: cells[column] for name, column in header.columns.items() if column in cells}
            for place, cells in texts.items()
            if place > 0
        }
        return Window(header, {place: cells for place, cells in rows.items() if cells}, asked)

    async def read(
        self, layout: TabLayout, columns: Sequence[str], *, first: int = 1, end: int | None = None
    ) -> dict[int, dict[str, str]]:
        """The named columns of rows from `first` (from 0, below the header) on, by place; empty rows are left out."""
        (rows,) = await self.read_all([(layout, columns)], first=first, end=end)
        return rows

    async def read_all(
        self, wanted: Sequence[tuple[TabLayout, Sequence[str]]], *, first: int = 1, end: int | None = None
    ) -> list[dict[int, dict[str, str]]]:
        """Columns of several tabs in one moment."""
        for _ in range(5):
            ranges = []
            for layout, columns in wanted:
                tab = self[layout]
                ranges.append(tab.header_row)
                ranges += [tab.a1(first, end, (tab.header[name], tab.header[name] + 1)) for name in columns]
            try:
                blocks = iter(await self.client.read(ranges, by_columns=True))
            except Refused:  # a tab is gone, or the grid ends before `first`
                if first == 1:
                    await self.open()
                    continue
                return [{} for _ in wanted]
            result, moved = [], False
            for layout, columns in wanted:
                header, _ = find_columns(layout, [column[0] if column else "" for column in next(blocks)])
                moved = moved or header.columns != self[layout].header.columns
                texts = {name: (block[0] if (block := next(blocks)) else []) for name in columns}
                result.append(_by_row(texts, first))
            if not moved:
                return result
            await self.reload()
        raise StoreCorrupt("the headers of the spreadsheet change all the time: leave its first rows alone for a while")


def _by_row(texts: Mapping[str, Sequence[str]], first: int) -> dict[int, dict[str, str]]:
    rows: dict[int, dict[str, str]] = {}
    for name, column in texts.items():
        for place, text in enumerate(column, first):
            if text:
                rows.setdefault(place, {})[name] = text
    return dict(sorted(rows.items()))


def _texts(blocks: Sequence[Mapping[str, Any]]) -> dict[int, dict[int, str]]:
    texts: dict[int, dict[int, str]] = {}
    for block in blocks:
        left = block.get("startColumn", 0)
        for place, row in enumerate(block.get("rowData", []), block.get("startRow", 0)):
            cells = {
                column: cell["formattedValue"]
                for column, cell in enumerate(row.get("values", []), left)
                if cell.get("formattedValue")
            }
            texts.setdefault(place, {}).update(cells)
    return texts


def _add_tab(layout: TabLayout) -> Sequence[Request]:
    # a number of its own, so that of two who make it at once the second is refused, whole
    sheet = int.from_bytes(hashlib.sha256(layout.title.encode()).digest()[:3], "big") + 1
    grid = {"rowCount": 1000 if layout in (TASKS, WORKERS) else 200, "columnCount": len(layout.columns)}
    properties = {"sheetId": sheet, "title": layout.title, "gridProperties": {**grid, "frozenRowCount": 1}}
    return [{"addSheet": {"properties": properties}}, _write_header(sheet, 0, layout.columns)]


def _write_header(sheet: int, place: int, columns: Sequence[Column]) -> Request:
    return {
        "updateCells": {
            "start": {"sheetId": sheet, "rowIndex": 0, "columnIndex": place},
            "rows": [{"values": [{"userEnteredValue": {"stringValue": column.header}} for column in columns]}],
            "fields": "userEnteredValue",
        }
    }


def _quoted(title: str) -> str:
    return "'" + title.replace("'", "''") + "'"


def _letters(column: int) -> str:
    """A column (from 0) as it is called in A1 notation."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
