"""A tab to try things out in, and two clients that know nothing of each other."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from attrs import frozen

from adapters.google_sheets.client import SheetsClient
from adapters.google_sheets.failures import OverQuota, Refused
from adapters.google_sheets.pace import TRIES, Meter, Pace, too_often
from adapters.google_sheets.requests import Request, add_fence, drop_fence, write_cells
from domain.errors import MutiraoError
from domain.finding import Finding, Verdict, warning

SCRATCH = "mutirao doctor "
"""How the titles of scratch tabs begin."""

ROWS = 5
HEADER = ("A", "B", "C")
Replies = Sequence[Mapping[str, Any]]


@frozen
class Seen:
    """A cell: what it shows, and the text that it holds, None where it holds no text."""

    shown: str = ""
    text: str | None = None


class Scratch:
    """A small tab of its own, made when entered, and removed with all that is named after it when left.

    Its number is chosen here: so it is removed even when the answer to its making was lost.
    """

    def __init__(self, one: SheetsClient, two: SheetsClient, pace: Pace, unique: str) -> None:
        """`unique` is a name that nobody else uses."""
        self.one, self.two = one, two
        self._pace = pace
        self._prefix = f"scratch_{unique}_"
        self._title = f"{SCRATCH}{unique}"
        self.sheet = int.from_bytes(hashlib.sha256(unique.encode()).digest()[:3], "big") + 1

    async def __aenter__(self) -> Self:
        grid = {"rowCount": ROWS, "columnCount": len(HEADER)}
        try:
            await self.change([self.added(self._title, grid)])
        except BaseException:
            await self._remove()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._remove()

    def added(self, title: str, grid: Mapping[str, int]) -> Request:
        """The request that makes a tab under this one's number."""
        return {"addSheet": {"properties": {"sheetId": self.sheet, "title": title, "gridProperties": dict(grid)}}}

    def name(self, text: str) -> str:
        """The id of a named range that is removed with the tab."""
        return self._prefix + text

    def fence(self, text: str) -> Request:
        return add_fence(self.name(text), self.sheet)

    def filled(self, *rows: Sequence[str]) -> Sequence[Request]:
        """The requests that leave the tab with `rows` below a header, and nothing else."""
        empty = {"updateCells": {"range": {"sheetId": self.sheet}, "fields": "userEnteredValue"}}
        grid = {"sheetId": self.sheet, "gridProperties": {"rowCount": len(rows) + ROWS}}
        room = {"updateSheetProperties": {"properties": grid, "fields": "gridProperties.rowCount"}}
        return [empty, room, *(write_cells(self.sheet, place, 0, row) for place, row in enumerate([HEADER, *rows]))]

    async def change(self, requests: Sequence[Request]) -> Replies:
        """A batchUpdate, its replies. Sent again only when Google says that it has not taken it.

        Raises:
            Refused: nothing was done.
            StoreUnavailable, StoreQuotaExceeded: as the client's.
        """
        return (await self.changed(requests))["replies"]  # type: ignore[no-any-return]

    async def changed(
        self, requests: Sequence[Request], ranges: Sequence[str] = (), fields: str = "replies"
    ) -> Mapping[str, Any]:
        """The same, its whole answer."""
        for attempt in range(1, TRIES + 1):
            await self._pace.wait(Meter.WRITE)
            try:
                return await self.one.change(requests, ranges, fields)
            except OverQuota as refusal:
                self._pace.failed(Meter.WRITE, refusal.wait)
                if attempt == TRIES:
                    raise too_often(refusal) from refusal
        raise AssertionError("the last attempt has returned or raised")

    async def refusal(self, requests: Sequence[Request]) -> str | None:
        """What Google says to a batch that it refuses; None when it takes it."""
        try:
            await self.change(requests)
        except Refused as refusal:
            return str(refusal)
        return None

    async def race(self, ours: Sequence[Request], theirs: Sequence[Request]) -> tuple[Replies, Replies] | None:
        """Both batches at once, from the two clients; their replies. None when one of them was not answered."""
        for _ in range(2):
            await self._pace.wait(Meter.WRITE)
        answers = await asyncio.gather(self.one.change(ours), self.two.change(theirs), return_exceptions=True)
        for answer in answers:
            if isinstance(answer, OverQuota):
                self._pace.failed(Meter.WRITE, answer.wait)
            elif isinstance(answer, BaseException) and not isinstance(answer, MutiraoError):
                raise answer
        first, second = (None if isinstance(answer, BaseException) else answer["replies"] for answer in answers)
        return None if first is None or second is None else (first, second)

    @property
    def everything(self) -> str:
        return f"'{self._title}'"

    async def look(self) -> list[list[Seen]]:
        """The rows below the header; empty ones at the end may be left out."""
        fields = "sheets(data(rowData(values(formattedValue,userEnteredValue))))"
        return rows_of(await self.one.describe(fields, [self.everything]))

    async def _remove(self) -> None:
        described = await self.one.describe("namedRanges(namedRangeId),sheets(properties(sheetId))")
        named = [named["namedRangeId"] for named in described.get("namedRanges", [])]
        requests: list[Request] = [drop_fence(name) for name in named if name.startswith(self._prefix)]
        if any(sheet["properties"]["sheetId"] == self.sheet for sheet in described.get("sheets", [])):
            requests.append({"deleteSheet": {"sheetId": self.sheet}})
        try:
            if requests:
                await self.one.change_patiently(requests)
        except Refused:  # a first sending, whose answer was lost, has removed them
            return


def rows_of(spreadsheet: Mapping[str, Any]) -> list[list[Seen]]:
    """The rows below the header of the one tab that an answer shows."""
    rows: Sequence[Mapping[str, Any]] = spreadsheet["sheets"][0]["data"][0].get("rowData", [])
    return [[_seen(cell) for cell in row.get("values", [])] for row in rows[1:]]


def _seen(cell: Mapping[str, Any]) -> Seen:
    return Seen(cell.get("formattedValue", ""), cell.get("userEnteredValue", {}).get("stringValue"))


def column(rows: Sequence[Sequence[Seen]], place: int) -> list[str]:
    """What a column shows, without empty cells at its end."""
    texts = [row[place].shown if len(row) > place else "" for row in rows]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def relied_on(subject: str, seen: str, *, holds: bool) -> Finding:
    """A finding on what the store would lose work by."""
    fix = "" if holds else "the store relies on it: stop the workers of this spreadsheet, and report this output"
    return Finding(subject, Verdict.GOOD if holds else Verdict.PROBLEM, seen, fix)


def untold(subject: str, why: str) -> Finding:
    """A finding on what could not be tried."""
    return warning(subject, f"could not be tried: {why}", "try again")
