"""The calls of the Sheets API on one spreadsheet: which function answers which method and path."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from attrs import frozen

from adapters.sheets_emulator.api import metadata, values
from adapters.sheets_emulator.api.values import Writing
from adapters.sheets_emulator.batch_update.batch import Batch, Ids
from adapters.sheets_emulator.batch_update.registry import run_batch
from adapters.sheets_emulator.grid.workbook import Workbook
from adapters.sheets_emulator.wire.checking import check_mask, checked
from adapters.sheets_emulator.wire.errors import ApiError, invalid, not_found
from adapters.sheets_emulator.wire.masks import Mask, masked, names, parse_mask


@frozen
class Call:
    """One call: `rest` is the path behind the spreadsheet's id. `user` "" is the owner.

    `seen` is what the searches of a batchUpdate take for the spreadsheet; None for what it is.
    """

    method: str
    rest: str
    query: Mapping[str, str]
    ranges: list[str]
    body: Any
    user: str = ""
    seen: Workbook | None = None


Outcome = tuple[dict[str, Any], Workbook | None]
"""The answer, and the spreadsheet afterwards if the call has written."""


def answer(book: Workbook, call: Call, ids: Ids) -> Outcome:
    """Answer a call on `book`, which itself stays as it is.

    Raises:
        ApiError: and nothing has happened.
    """
    respond, message = _route(call)
    fields = call.query.get("fields", call.query.get("$fields", ""))
    mask = parse_mask(fields)
    if message:
        check_mask(mask, message)
    body, changed = respond(book, call, mask if fields else None, ids)
    return masked(body, mask), changed


Responder = Callable[[Workbook, Call, Mask | None, Ids], Outcome]


def _route(call: Call) -> tuple[Responder, str]:
    """What answers, and the message that it answers with."""
    method, rest = call.method, call.rest
    if (method, rest) == ("GET", ""):
        return _get, "Spreadsheet"
    if (method, rest) == ("POST", ":batchUpdate"):
        return _batch_update, "BatchUpdateSpreadsheetResponse"
    if (method, rest) in _VALUES:
        return _VALUES[method, rest]
    if rest.startswith("/values/"):
        for action in ("append", "clear"):
            if method == "POST" and rest.endswith(f":{action}"):
                return _VALUES[method, f"/values/:{action}"]
        if (method, "/values/") in _VALUES:
            return _VALUES[method, "/values/"]
    raise not_found()


def _get(book: Workbook, call: Call, mask: Mask | None, _ids: Ids) -> Outcome:
    boxes = [book.resolve(text) for text in call.ranges] if call.ranges else None
    wanted = _data_mask(mask, call.query.get("includeGridData", "").lower() == "true")
    return metadata.spreadsheet(book, boxes, wanted, user=call.user), None


def _batch_update(book: Workbook, call: Call, mask: Mask | None, ids: Ids) -> Outcome:
    body = checked(call.body, "BatchUpdateSpreadsheetRequest")
    batch = Batch(book.copy(), book, ids, call.user, call.seen or book)
    changed, replies = run_batch(batch, body.get("requests", []))
    response: dict[str, Any] = {"spreadsheetId": book.id, "replies": replies}
    if body.get("includeSpreadsheetInResponse"):
        below = None if mask is None else mask.get("updatedSpreadsheet", {} if not mask else None)
        wanted = _data_mask(below, body.get("responseIncludeGridData", False))
        boxes = [changed.resolve(text) for text in body["responseRanges"]] if body.get("responseRanges") else None
        response["updatedSpreadsheet"] = metadata.spreadsheet(changed, boxes, wanted, user=call.user)
    return response, changed


def _data_mask(mask: Mask | None, included: bool) -> Mask | None:  # noqa: FBT001
    """Which grid data are wanted. `included` is ignored where there is a mask."""
    if mask is None:
        return {} if included else None
    if not names(mask, "sheets.data"):
        return None
    return mask.get("sheets", {}).get("data", {})


def _text(call: Call, action: str = "") -> str:
    return unquote(call.rest.removeprefix("/values/").removesuffix(action))


def _values_get(book: Workbook, call: Call, _mask: Mask | None, _ids: Ids) -> Outcome:
    return values.get(book, _text(call), call.query), None


def _values_batch_get(book: Workbook, call: Call, _mask: Mask | None, _ids: Ids) -> Outcome:
    found = [values.get(book, text, call.query) for text in call.ranges]
    return {"spreadsheetId": book.id, "valueRanges": found} if found else {"spreadsheetId": book.id}, None


def _values_update(book: Workbook, call: Call, _mask: Mask | None, _ids: Ids) -> Outcome:
    changed = book.copy()
    body = checked(call.body, "ValueRange")
    return values.update(Writing(changed, call.user), _text(call), body, call.query), changed


def _values_append(book: Workbook, call: Call, _mask: Mask | None, _ids: Ids) -> Outcome:
    changed = book.copy()
    body = checked(call.body, "ValueRange")
    return values.append(Writing(changed, call.user), _text(call, ":append"), body, call.query), changed


def _values_clear(book: Workbook, call: Call, _mask: Mask | None, _ids: Ids) -> Outcome:
    changed = book.copy()
    cleared = values.clear(Writing(changed, call.user), _text(call, ":clear"))
    return {"spreadsheetId": book.id, "clearedRange": cleared}, changed


def _values_batch_clear(book: Workbook, call: Call, _mask: Mask | None, _ids: Ids) -> Outcome:
    body, changed = checked(call.body, "BatchClearValuesRequest"), book.copy()
    cleared = []
    for number, text in enumerate(body.get("ranges", [])):
        with _about(f"range[{number}]"):
            cleared.append(values.clear(Writing(changed, call.user), text))
    return {"spreadsheetId": book.id, "clearedRanges": cleared}, changed


def _values_batch_update(book: Workbook, call: Call, _mask: Mask | None, _ids: Ids) -> Outcome:
    body, changed = checked(call.body, "BatchUpdateValuesRequest"), book.copy()
    if "valueInputOption" not in body:
        raise invalid("'valueInputOption' is required but not specified")
    answers = []
    for number, data in enumerate(body.get("data", [])):
        with _about(f"data[{number}]"):
            answers.append(values.update(Writing(changed, call.user), data.get("range", ""), data, body))
    totals = {
        total: count
        for total, part in (
            ("totalUpdatedRows", "updatedRows"),
            ("totalUpdatedColumns", "updatedColumns"),
            ("totalUpdatedCells", "updatedCells"),
        )
        if (count := sum(one.get(part, 0) for one in answers))
    }
    sheets = {one["updatedRange"].rpartition("!")[0] for one in answers}
    totals |= {"totalUpdatedSheets": len(sheets)} if sheets else {}
    return {"spreadsheetId": book.id, **totals, "responses": answers}, changed


class _about:  # noqa: N801 - reads as a statement
    """Errors within name the part of the body that they are about."""

    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if isinstance(error, ApiError):
            raise invalid(f"Invalid {self._where}: {error}") from error


_VALUES: Mapping[tuple[str, str], tuple[Responder, str]] = {
    ("GET", "/values/"): (_values_get, "ValueRange"),
    ("PUT", "/values/"): (_values_update, "UpdateValuesResponse"),
    ("POST", "/values/:append"): (_values_append, "AppendValuesResponse"),
    ("POST", "/values/:clear"): (_values_clear, "ClearValuesResponse"),
    ("GET", "/values:batchGet"): (_values_batch_get, "BatchGetValuesResponse"),
    ("POST", "/values:batchUpdate"): (_values_batch_update, "BatchUpdateValuesResponse"),
    ("POST", "/values:batchClear"): (_values_batch_clear, "BatchClearValuesResponse"),
}
