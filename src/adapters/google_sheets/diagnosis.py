"""What is wrong with a spreadsheet, or with the way to it, and what to do about it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from adapters.google_sheets.book import Tab, fences_of
from adapters.google_sheets.client import SheetsClient
from adapters.google_sheets.credentials import GoogleAccount
from adapters.google_sheets.failures import Refused
from adapters.google_sheets.layout import ELECTIONS, TABS, Header, TabLayout, find_columns, plain
from adapters.google_sheets.requests import add_fence, drop_fence
from adapters.google_sheets.scratch import SCRATCH
from domain.errors import MutiraoError
from domain.finding import Finding, good, note, problem, warning
from ports.errors import StoreCorrupt

MOST_CELLS = 10_000_000
"""That a spreadsheet may hold (Sheets API, "Usage limits")."""

_FIELDS = (
    "properties.title,namedRanges(namedRangeId),sheets(properties(sheetId,title,gridProperties(rowCount,columnCount)),"
    "protectedRanges(range,warningOnly,requestingUserCanEdit))"
)


class Diagnosis:
    """Looks at the spreadsheet of `client`; what it makes to see whether it may write is gone with the same call."""

    def __init__(self, client: SheetsClient, account: GoogleAccount, probe: str) -> None:
        """`probe` is a name that nobody else uses."""
        self._client = client
        self._account = account
        self._probe = f"probe_{probe}"

    async def findings(self) -> Sequence[Finding]:
        """Whatever there is to say."""
        try:
            described = await self._client.describe(_FIELDS)
        except Refused as refusal:
            return [problem("spreadsheet", str(refusal), _fix_of_refusal(refusal))]
        except MutiraoError as error:
            return [problem("spreadsheet", str(error))]
        sheets = described.get("sheets", [])
        return [
            self._account_used(),
            *self._clock(),
            good("spreadsheet", f"“{described['properties']['title']}” ({self._client.spreadsheet}) can be read"),
            await self._writing(sheets[0]["properties"]["sheetId"]),
            *_size(sheets),
            *await self._tabs(sheets),
            *_leftovers(sheets),
            _sessions(described),
        ]

    def _account_used(self) -> Finding:
        address = self._client.address
        return good("account", f"{address} ({self._account.origin})" if address else self._account.origin)

    def _clock(self) -> Sequence[Finding]:
        if not self._client.skew:
            return []
        seen = (
            f"this machine's clock is {abs(self._client.skew):.0f} s {'behind' if self._client.skew > 0 else 'ahead'}"
        )
        fix = "set it by the network's time (NTP): from some minutes on, Google gives no token"
        return [warning("clock", seen, fix)]

    async def _writing(self, sheet: int) -> Finding:
        try:
            await self._client.change_patiently([add_fence(self._probe, sheet), drop_fence(self._probe)])
        except Refused as refusal:
            return problem("writing", str(refusal), _fix_of_refusal(refusal))
        except MutiraoError as error:
            return problem("writing", str(error))
        return good("writing", "the account may edit")

    async def _tabs(self, sheets: Sequence[Mapping[str, Any]]) -> Sequence[Finding]:
        by_title = {plain(sheet["properties"]["title"]): sheet for sheet in sheets}
        found = {
            layout: next((by_title[plain(title)] for title in layout.titles if plain(title) in by_title), None)
            for layout in TABS
        }
        there = {layout: sheet for layout, sheet in found.items() if sheet is not None}
        rows = await self._client.read([_header_row(layout, sheet) for layout, sheet in there.items()]) if there else []
        headers = {layout: (block[0] if block else []) for layout, block in zip(there, rows, strict=True)}
        findings: list[Finding] = []
        for layout in TABS:
            if layout in there:
                findings += _tab(layout, there[layout], headers[layout])
            else:
                findings.append(note(_tab_name(layout), "is not there; it is made when a worker starts"))
        return findings


def _tab(layout: TabLayout, sheet: Mapping[str, Any], cells: Sequence[str]) -> Sequence[Finding]:
    name = _tab_name(layout)
    if not any(cell.strip() for cell in cells):
        return [note(name, "is empty; its header is written when a worker starts")]
    try:
        _, lacking = find_columns(layout, cells)
    except StoreCorrupt as error:
        return [problem(name, str(error))]
    findings = []
    if lacking and layout is not ELECTIONS:
        names = ", ".join(f"“{column.header}”" for column in lacking)
        findings.append(note(name, f"lacks {names}, which a worker adds behind the last column when it starts"))
    twice = [title for title, count in Counter(plain(cell) for cell in cells if cell.strip()).items() if count > 1]
    ours = {plain(header): header for column in layout.columns for header in (column.header, *column.aliases)}
    findings += [
        warning(name, f"has the header “{ours[title]}” twice; the first counts", "give the second another name")
        for title in twice
        if title in ours
    ]
    if any(_shut(protected) for protected in sheet.get("protectedRanges", [])):
        fix = "let the account edit it, or remove the protection (Data, Protect sheets and ranges)"
        findings.append(problem(name, "has protected cells that the account may not edit", fix))
    return findings or [good(name, "all columns are there")]


def _shut(protected: Mapping[str, Any]) -> bool:
    return not protected.get("requestingUserCanEdit") and not protected.get("warningOnly")


def _size(sheets: Sequence[Mapping[str, Any]]) -> Sequence[Finding]:
    grids = [sheet["properties"].get("gridProperties", {}) for sheet in sheets]
    cells = sum(grid.get("rowCount", 0) * grid.get("columnCount", 0) for grid in grids)
    if cells < 0.8 * MOST_CELLS:
        return []
    fix = "delete empty rows and columns, or move old rows of the History tabs to another spreadsheet"
    return [warning("size", f"{cells:,} of the {MOST_CELLS:,} cells that a spreadsheet may have are in use", fix)]


def _leftovers(sheets: Sequence[Mapping[str, Any]]) -> Sequence[Finding]:
    titles = [sheet["properties"]["title"] for sheet in sheets]
    return [
        warning(f"tab “{title}”", "was left by a doctor that was killed, or is at work", "delete it if none is")
        for title in titles
        if title.startswith(SCRATCH)
    ]


def _sessions(described: Mapping[str, Any]) -> Finding:
    sessions = fences_of(described)
    return note("workers", f"{len(sessions)} have a session here" + (f": {', '.join(sessions)}" if sessions else ""))


def _header_row(layout: TabLayout, sheet: Mapping[str, Any]) -> str:
    properties = sheet["properties"]
    return Tab(layout, properties["sheetId"], properties["title"], Header({}, 0)).header_row


def _tab_name(layout: TabLayout) -> str:
    return f"tab “{layout.title}”"


def _fix_of_refusal(refusal: Refused) -> str:
    if "not supported for this document" in str(refusal):
        return "it is an Office file: open it in Google Sheets and choose File, Save as Google Sheets; take the new id"
    return ""
