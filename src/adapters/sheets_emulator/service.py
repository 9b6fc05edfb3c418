"""A request in, an answer out: the whole emulator without a network."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from attrs import frozen

from adapters.sheets_emulator import metadata, values
from adapters.sheets_emulator.batch import Ids
from adapters.sheets_emulator.errors import ApiError, invalid, not_found
from adapters.sheets_emulator.requests import run_batch
from adapters.sheets_emulator.sheet import Sheet
from adapters.sheets_emulator.workbook import Workbook
from ports.time import Clock

SHEETS = re.compile(r"/v4/spreadsheets(?:/(?P<id>[^/:]+))?(?P<rest>[/:].*)?")
FILES = re.compile(r"/drive/v3/files(?:/(?P<id>[^/]+))?(?P<rest>/.*)?")
MIME = "application/vnd.google-apps.spreadsheet"


@frozen
class Answer:
    """`body` is None where there is none (204)."""

    status: int
    body: dict[str, Any] | None


Query = dict[str, str]


class SheetsService:
    """Spreadsheets by id. One call at a time: whoever serves it over a network takes turns."""

    def __init__(self, clock: Clock) -> None:
        self.books: dict[str, Workbook] = {}
        self._clock = clock
        self._ids = Ids()

    def create(self, title: str, *, sheet: str = "Sheet1", identifier: str = "") -> Workbook:
        """A new spreadsheet with one empty tab."""
        identifier = identifier or f"emulated_{self._ids.draw()}_{'x' * 24}"
        now = self._now()
        book = Workbook(identifier, title, sheets=[Sheet(0, sheet)], created=now, modified=now)
        self.books[identifier] = book
        return book

    def handle(self, method: str, target: str, body: bytes = b"") -> Answer:
        """Answer `method` on `target` (path and query), as Google would."""
        parts = urlsplit(target)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        ranges = [value for name, value in parse_qsl(parts.query) if name == "ranges"]
        try:
            content = json.loads(body) if body else {}
            return Answer(200, self._route(method, parts.path, query, ranges, content))
        except ValueError:
            return _failed(invalid("Invalid JSON payload received. Unexpected token."))
        except _Empty:
            return Answer(204, None)
        except ApiError as error:
            return _failed(error)

    def _route(self, method: str, path: str, query: Query, ranges: list[str], body: Any) -> dict[str, Any]:
        if match := SHEETS.fullmatch(path):
            identifier, rest = match["id"], match["rest"] or ""
            if identifier is None:
                return self._create_spreadsheet(body)
            return self._spreadsheet(method, self._book(unquote(identifier)), rest, (query, ranges), body)
        if match := FILES.fullmatch(path):
            return self._files(method, match["id"], query, body)
        raise not_found()

    def _book(self, identifier: str) -> Workbook:
        if identifier not in self.books:
            raise not_found()
        return self.books[identifier]

    def _create_spreadsheet(self, body: Mapping[str, Any]) -> dict[str, Any]:
        book = self.create(body.get("properties", {}).get("title", "Untitled spreadsheet"))
        return metadata.spreadsheet(book, None, with_data=False)

    def _spreadsheet(
        self, method: str, book: Workbook, rest: str, query: tuple[Query, list[str]], body: Any
    ) -> dict[str, Any]:
        options, ranges = query
        if rest == "":
            return self._metadata(book, options, ranges)
        if rest == ":batchUpdate":
            return self._batch_update(book, body)
        if rest.startswith("/values"):
            return self._changing(book, lambda copy: self._values(method, copy, rest, query, body))
        raise not_found()

    def _metadata(self, book: Workbook, options: Query, ranges: list[str]) -> dict[str, Any]:
        boxes = [book.resolve(text) for text in ranges] if ranges else None
        fields = options.get("fields", "")
        with_data = options.get("includeGridData", "").lower() == "true" or "data" in fields
        answer = metadata.spreadsheet(book, boxes, with_data=with_data)
        return metadata.masked(answer, fields) if fields else answer

    def _batch_update(self, book: Workbook, body: Mapping[str, Any]) -> dict[str, Any]:
        changed, replies = run_batch(book, body.get("requests", []), self._ids)
        self._keep(changed)
        answer: dict[str, Any] = {"spreadsheetId": book.id, "replies": replies}
        if body.get("includeSpreadsheetInResponse"):
            ranges = body.get("responseRanges")
            boxes = [changed.resolve(text) for text in ranges] if ranges else None
            with_data = bool(body.get("responseIncludeGridData"))
            answer["updatedSpreadsheet"] = metadata.spreadsheet(changed, boxes, with_data=with_data)
        return answer

    def _changing(self, book: Workbook, call: Callable[[Workbook], dict[str, Any]]) -> dict[str, Any]:
        """All of a call's writes, or none."""
        changed = book.copy()
        answer = call(changed)
        self._keep(changed)
        return answer

    def _values(
        self, method: str, book: Workbook, rest: str, query: tuple[Query, list[str]], body: Any
    ) -> dict[str, Any]:
        options, ranges = query
        name, _, action = unquote(rest.removeprefix("/values")).rpartition(":")
        if rest.startswith("/values/") and action not in ("append", "clear"):
            name, action = unquote(rest.removeprefix("/values")), ""
        text = name.removeprefix("/")
        match method, action:
            case "GET", "":
                return values.get(book, text, options)
            case "PUT", "":
                return values.update(book, text, body, options)
            case "POST", "append":
                return values.append(book, text, body, options)
            case "POST", "clear":
                return {"spreadsheetId": book.id, "clearedRange": values.clear(book, text)}
            case "GET", "batchGet":
                found = [values.get(book, one, options) for one in ranges]
                return {"spreadsheetId": book.id, "valueRanges": found}
            case "POST", "batchClear":
                cleared = [values.clear(book, one) for one in body.get("ranges", [])]
                return {"spreadsheetId": book.id, "clearedRanges": cleared}
            case "POST", "batchUpdate":
                return self._batch_update_values(book, body)
        raise not_found()

    def _batch_update_values(self, book: Workbook, body: Mapping[str, Any]) -> dict[str, Any]:
        answers = [values.update(book, data["range"], data, body) for data in body.get("data", [])]
        totals = {
            total: sum(answer.get(part, 0) for answer in answers)
            for total, part in (
                ("totalUpdatedRows", "updatedRows"),
                ("totalUpdatedColumns", "updatedColumns"),
                ("totalUpdatedCells", "updatedCells"),
            )
        }
        sheets = {answer["updatedRange"].rpartition("!")[0] for answer in answers}
        return {"spreadsheetId": book.id, **totals, "totalUpdatedSheets": len(sheets), "responses": answers}

    def _files(self, method: str, identifier: str | None, query: Query, body: Mapping[str, Any]) -> dict[str, Any]:
        if identifier is None and method == "POST":
            book = self.create(body.get("name", "Untitled"))
            return {"kind": "drive#file", "id": book.id, "name": book.title, "mimeType": MIME}
        if identifier is None:
            name = re.search(r'name = "((?:[^"\\]|\\.)*)"', query.get("q", ""))
            files = [
                {"id": book.id, "name": book.title, "createdTime": book.created, "modifiedTime": book.modified}
                for book in self.books.values()
                if name is None or book.title == name[1]
            ]
            return {"kind": "drive#fileList", "files": files}
        book = self.books.get(identifier) or self._missing_file(identifier)
        if method == "DELETE":
            del self.books[identifier]
            raise _Empty
        return {"id": book.id, "name": book.title, "createdTime": book.created, "modifiedTime": book.modified}

    def _missing_file(self, identifier: str) -> Workbook:
        raise not_found(f"File not found: {identifier}.")

    def _keep(self, book: Workbook) -> None:
        book.modified = self._now()
        self.books[book.id] = book

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Empty(Exception):
    """204 No Content."""


def _failed(error: ApiError) -> Answer:
    return Answer(error.code, error.body())
