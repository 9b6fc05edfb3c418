"""A request in, an answer out: the whole emulator without a network."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from attrs import frozen

from adapters.sheets_emulator.api import metadata
from adapters.sheets_emulator.api.drive import Drive
from adapters.sheets_emulator.api.spreadsheets import Call, answer
from adapters.sheets_emulator.api.store import Store, StoredFile
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.sheet_properties import sheet_properties
from adapters.sheets_emulator.grid.workbook import Workbook
from adapters.sheets_emulator.wire.checking import checked
from adapters.sheets_emulator.wire.errors import ApiError, malformed, not_found
from adapters.sheets_emulator.wire.masks import masked, parse_mask
from ports.time import Clock

SHEETS = re.compile(r"/v4/spreadsheets(?:/(?P<id>[^/:]+))?(?P<rest>[/:].*)?")
_FILES = re.compile(r"/drive/v3/files(?P<rest>(?:/[^/]+)*)")
_UPLOAD = re.compile(r"/upload/drive/v[23]/files/(?P<id>[^/]+)")
_COPY_TAB = re.compile(r"/sheets/(?P<sheet>\d+):copyTo")


@frozen
class Answer:
    """`body` is JSON, or bytes of another kind, or None where there is none (204)."""

    status: int
    body: dict[str, Any] | bytes | None
    retry_after: int | None = None


class SheetsService:
    """Spreadsheets by id. One call at a time: whoever serves it over a network takes turns."""

    def __init__(self, clock: Clock) -> None:
        self.store = Store(clock)

    @property
    def books(self) -> Mapping[str, Workbook]:
        """The spreadsheets as they are now."""
        return {identifier: file.book for identifier, file in self.store.files.items()}

    def create(self, title: str, *, owner: str = "", identifier: str = "") -> Workbook:
        """A new spreadsheet with one empty tab, for its owner only; for anyone if it has none."""
        return self.store.create(title, owner=owner, identifier=identifier).book

    def handle(self, method: str, target: str, body: bytes = b"", *, user: str = "", stale: bool = False) -> Answer:
        """Answer `method` on `target` (path and query) for `user`, as Google would; "" is the owner of everything.

        `stale`: the searches of a batchUpdate see the spreadsheet as it was before somebody else's write, if that was
        the last call on it (see `can_be_stale`).
        """
        parts = urlsplit(target)
        try:
            found = self._route(method, parts.path, parse_qsl(parts.query, keep_blank_values=True), body, user, stale)
        except ApiError as error:
            return Answer(error.code, error.body(), error.retry_after)
        return Answer(204 if found is None else 200, found)

    def can_be_stale(self, method: str, path: str, user: str) -> bool:
        """Whether this call, a batchUpdate, may have raced the last one on its spreadsheet: one of somebody else's."""
        match = SHEETS.fullmatch(path)
        file = self.store.files.get(unquote(match["id"])) if match and match["id"] else None
        if file is None or file.raced is None or not match or (method, match["rest"]) != ("POST", ":batchUpdate"):
            return False
        return not user or file.raced[1] != user

    def _route(
        self,
        method: str,
        path: str,
        pairs: list[tuple[str, str]],
        body: bytes,
        user: str,
        stale: bool,  # noqa: FBT001
    ) -> dict[str, Any] | bytes | None:
        query = dict(pairs)
        if match := SHEETS.fullmatch(path):
            content = _json(body)
            if match["id"] is None:
                return self._create(content, query, user)
            file = self._permitted(unquote(match["id"]), method, user)
            rest = match["rest"] or ""
            if copying := _COPY_TAB.fullmatch(rest):
                return self._copy_tab(file, int(copying["sheet"]), content, user)
            ranges = [value for name, value in pairs if name == "ranges"]
            seen = file.raced[0] if stale and file.raced else None
            return self._answer(file, Call(method, rest, query, ranges, content, user, seen))
        if match := _UPLOAD.fullmatch(path):
            return Drive(self.store, user).upload(unquote(match["id"]), body)
        if match := _FILES.fullmatch(path):
            parts = [unquote(part) for part in match["rest"].split("/")[1:]]
            found = Drive(self.store, user).answer(method, parts, query, _json(body))
            return masked(found, parse_mask(query.get("fields", "")))  # type: ignore[no-any-return]
        raise not_found()

    def _answer(self, file: StoredFile, call: Call) -> dict[str, Any]:
        body, changed = answer(file.book, call, self.store.ids)
        before, file.raced = file.book, None
        if changed is not None:
            self.store.keep(changed)
            file.raced = (before, call.user) if call.rest == ":batchUpdate" else None
        return body

    def _permitted(self, identifier: str, method: str, user: str) -> StoredFile:
        file = self.store.files.get(identifier)
        if file is None:
            raise not_found()
        role = file.role(user)
        if not role or (method != "GET" and role not in ("writer", "owner")):
            raise ApiError(403, "PERMISSION_DENIED", "The caller does not have permission")
        return file

    def _create(self, content: Any, query: Mapping[str, str], user: str) -> dict[str, Any]:
        wanted = checked(content, "Spreadsheet")
        properties = wanted.get("properties", {})
        book = self.create(properties.get("title", "Untitled spreadsheet"), owner=user)
        book.locale = properties.get("locale", book.locale)
        book.time_zone = properties.get("timeZone", book.time_zone)
        for number, tab in enumerate(wanted.get("sheets", [])):
            given = tab.get("properties", {})
            grid = given.get("gridProperties", {})
            sheet = Sheet(given.get("sheetId", number), given.get("title", f"Sheet{number + 1}"))
            sheet.row_count, sheet.column_count = grid.get("rowCount", 1000), grid.get("columnCount", 26)
            book.sheets = [*(book.sheets if number else []), sheet]
        return masked(metadata.spreadsheet(book, None, None), parse_mask(query.get("fields", "")))  # type: ignore[no-any-return]

    def _copy_tab(self, file: StoredFile, sheet_id: int, content: Any, user: str) -> dict[str, Any]:
        wanted = checked(content, "CopySheetToAnotherSpreadsheetRequest")
        target = self._permitted(wanted.get("destinationSpreadsheetId", ""), "POST", user)
        book, source = target.book.copy(), file.book.sheet(sheet_id)
        copied = source.copy()
        copied.id, copied.title = self.store.ids.draw(), f"Copy of {source.title}"
        while book.titled(copied.title) is not None:
            copied.title += " 1"
        book.sheets.append(copied)
        book.check_size()
        self.store.keep(book)
        return sheet_properties(copied, len(book.sheets) - 1)


def _json(body: bytes) -> Any:
    if not body:
        return {}
    try:
        return json.loads(body)
    except ValueError as error:
        text = "Invalid JSON payload received. Unexpected token."
        raise malformed([("", text)]) from error
