"""The few calls of the Drive API that find, make, copy, share and delete spreadsheets."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import define

from adapters.sheets_emulator.api.store import Permission, Store, StoredFile
from adapters.sheets_emulator.grid.entry import as_entered
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.wire.errors import ApiError

MIME = "application/vnd.google-apps.spreadsheet"
_NAME = re.compile(r"""name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""")
_PARENT = re.compile(r"""["']([^"']+)["']\s+in\s+parents""")


class DriveError(ApiError):
    """An error as the Drive API tells it."""

    def __init__(self, code: int, reason: str, message: str, location: str = "") -> None:
        super().__init__(code, "", message)
        where = {"locationType": "parameter", "location": location} if location else {}
        self._errors = [{"message": message, "domain": "global", "reason": reason, **where}]

    def body(self) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": str(self), "errors": self._errors}}


def no_file(identifier: str) -> DriveError:
    """404: it is not there, or not shared with the caller, which Drive does not tell apart."""
    return DriveError(404, "notFound", f"File not found: {identifier}.", "fileId")


@define
class Drive:
    """Answers calls of `user`, who "" is for the owner of all; None stands for an answer without a body."""

    store: Store
    user: str = ""

    def answer(self, method: str, path: list[str], query: Mapping[str, str], body: Any) -> Any:
        """Answer `method` on the path behind ``files``.

        Raises:
            ApiError: there is no such file, or no such call.
        """
        match method, path:
            case "GET", []:
                return self._list(query)
            case "POST", []:
                return self._create(body or {})
            case "GET", [identifier]:
                return _file(self._find(identifier))
            case "PATCH", [identifier]:
                return self._rename(self._find(identifier), body or {})
            case "DELETE", [identifier]:
                self.store.remove(self._find(identifier).book.id)
                return None
            case "POST", [identifier, "copy"]:
                return self._copy(self._find(identifier), body or {})
            case "GET", [identifier, "export"]:
                return _exported(self._find(identifier), query.get("mimeType", ""))
            case "GET", [identifier, "comments"]:
                self._find(identifier)
                return {"kind": "drive#commentList", "comments": []}
            case _:
                return self._permissions(method, path, body)

    def _permissions(self, method: str, path: list[str], body: Any) -> Any:
        match method, path:
            case "GET", [identifier, "permissions"]:
                return {"permissions": [one.body() for one in self._find(identifier).permissions]}
            case "POST", [identifier, "permissions"]:
                return self._share(self._find(identifier), body or {}).body()
            case "DELETE", [identifier, "permissions", permission]:
                file = self._find(identifier)
                kept = [one for one in file.permissions if one.id != permission]
                if len(kept) == len(file.permissions):
                    raise DriveError(404, "notFound", f"Permission not found: {permission}.", "permissionId")
                file.permissions = kept
                return None
            case _:
                raise DriveError(404, "notFound", "Not Found")

    def _find(self, identifier: str) -> StoredFile:
        file = self.store.files.get(identifier)
        if file is None or not file.role(self.user):
            raise no_file(identifier)
        return file

    def _list(self, query: Mapping[str, str]) -> dict[str, Any]:
        wanted = query.get("q", "")
        name, parent = _NAME.search(wanted), _PARENT.search(wanted)
        title = re.sub(r"\\(.)", r"\1", name[1] or name[2] or "") if name else None
        files = [
            _file(file)
            for file in self.store.files.values()
            if file.role(self.user)
            and (title is None or file.book.title == title)
            and (parent is None or parent[1] in file.parents)
        ]
        size = max(1, int(query.get("pageSize", "100")))
        start = int(query.get("pageToken") or 0)
        answer: dict[str, Any] = {"kind": "drive#fileList", "files": files[start : start + size]}
        return {**answer, "nextPageToken": str(start + size)} if start + size < len(files) else answer

    def _create(self, body: Mapping[str, Any]) -> dict[str, Any]:
        file = self.store.create(body.get("name", "Untitled"), owner=self.user)
        file.parents = list(body.get("parents", []))
        return _file(file)

    def _rename(self, file: StoredFile, body: Mapping[str, Any]) -> dict[str, Any]:
        if "name" in body:
            book = file.book.copy()
            book.title = body["name"]
            self.store.keep(book)
        return _file(file)

    def _copy(self, source: StoredFile, body: Mapping[str, Any]) -> dict[str, Any]:
        title = body.get("name") or f"Copy of {source.book.title}"
        file = self.store.create(title, owner=self.user)
        book = source.book.copy()
        book.id, book.title, book.created, book.modified = file.book.id, title, file.book.created, file.book.modified
        file.parents = list(body.get("parents", source.parents))
        self.store.keep(book)
        return _file(file)

    def _share(self, file: StoredFile, body: Mapping[str, Any]) -> Permission:
        permission = Permission(
            id=self.store.draw_id(),
            kind=body.get("type", "user"),
            role=body.get("role", "reader"),
            address=body.get("emailAddress") or body.get("domain") or "",
        )
        file.permissions = [*file.permissions, permission]
        return permission

    def upload(self, identifier: str, content: bytes) -> dict[str, Any]:
        """Put a CSV file in the place of all that is in a spreadsheet.

        Raises:
            ApiError: there is no such spreadsheet.
        """
        file = self._find(identifier)
        rows = list(csv.reader(io.StringIO(content.decode("utf-8"))))
        book = file.book.copy()
        sheet = Sheet(book.sheets[0].id, book.sheets[0].title)
        sheet.grow(len(rows), max((len(row) for row in rows), default=0))
        for number, row in enumerate(rows):
            sheet.put_row(number, 0, [as_entered(text, book.writing) for text in row])
        book.sheets = [sheet]
        self.store.keep(book)
        return {"kind": "drive#file", "id": book.id, "title": book.title}


def _file(file: StoredFile) -> dict[str, Any]:
    book = file.book
    body = {"kind": "drive#file", "id": book.id, "name": book.title, "mimeType": MIME}
    times = {"createdTime": book.created, "modifiedTime": book.modified}
    return {**body, **times, **({"parents": file.parents} if file.parents else {})}


def _exported(file: StoredFile, kind: str) -> bytes:
    """The first tab, as CSV or with tabs between."""
    between = {"text/csv": ",", "text/tab-separated-values": "\t"}.get(kind)
    if between is None:
        raise DriveError(400, "badRequest", f"The emulator exports text/csv, not {kind}.", "mimeType")
    sheet = file.book.sheets[0]
    rows: Iterable[list[Any]] = sheet.values(sheet.whole(), "FORMATTED_VALUE")
    out = io.StringIO()
    csv.writer(out, delimiter=between, lineterminator="\r\n").writerows(rows)
    return out.getvalue().removesuffix("\r\n").encode()
