"""What is the emulator's own over HTTP: its counts, its faults, and edits of a person."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from attrs import frozen

from adapters.sheets_emulator.api.service import Answer
from adapters.sheets_emulator.desk import Desk, Served
from adapters.sheets_emulator.faults import Fault
from adapters.sheets_emulator.wire.errors import ApiError, invalid, not_found

ADMIN = "/_emulator"
OWNER = f"{ADMIN}/owner"


@frozen
class Admin:
    """Answers below ``/_emulator``. Nothing of it needs a token, is counted, or is struck by a fault."""

    desk: Desk

    def handle(self, method: str, target: str, _headers: Mapping[str, str], body: bytes = b"") -> Served:
        """Answer a call."""
        path = urlsplit(target).path
        if path.startswith(f"{OWNER}/"):
            # the API itself, for the owner of everything
            return self.desk.serve(self.desk.service.handle(method, target.removeprefix(OWNER), body))
        try:
            return self.desk.serve(self._answer(method, path.removeprefix(f"{ADMIN}/"), body))
        except ApiError as error:
            return self.desk.serve(Answer(error.code, error.body()))

    def _answer(self, method: str, name: str, body: bytes) -> Answer:
        match method, name:
            case "GET", "stats":
                return Answer(200, self._stats())
            case "DELETE", "stats":
                for counter in (self.desk.calls, self.desk.uploaded, self.desk.downloaded):
                    counter.clear()
                return Answer(200, {})
            case "GET", "faults":
                return Answer(200, {"waiting": [one.fault.value for one in self.desk.faults.laid]})
            case "POST", "faults":
                self._lay(_content(body))
                return Answer(200, {})
            case "DELETE", "faults":
                self.desk.faults.laid.clear()
                return Answer(200, {})
            case "GET", "spreadsheets":
                return Answer(200, {"spreadsheets": self._spreadsheets()})
        raise not_found()

    def _stats(self) -> dict[str, Any]:
        desk = self.desk
        return {"calls": desk.calls, "uploaded": desk.uploaded, "downloaded": desk.downloaded}

    def _spreadsheets(self) -> list[dict[str, Any]]:
        files = self.desk.service.store.files.values()
        return [{"id": file.book.id, "title": file.book.title, "revision": file.revision} for file in files]

    def _lay(self, wanted: Mapping[str, Any]) -> None:
        """``{"fault": "503 after", "times": 2, "path": ":batchUpdate$", "delay": 1.5, "retryAfter": 30}``"""
        try:
            fault, path = Fault(wanted.get("fault", "")), re.compile(wanted.get("path", ""))
            times, delay = int(wanted.get("times", 1)), float(wanted.get("delay", 0))
            retry_after = None if wanted.get("retryAfter") is None else int(wanted["retryAfter"])
        except (ValueError, TypeError, re.error) as error:
            known = ", ".join(fault.value for fault in Fault)
            raise invalid(f"A fault is {{fault, times, path, delay, retryAfter}}, fault one of: {known}") from error
        self.desk.faults.lay(
            fault,
            times=times,
            strikes=lambda _method, called: path.search(called) is not None,
            delay=delay,
            retry_after=retry_after,
        )


def _content(body: bytes) -> Mapping[str, Any]:
    try:
        content = json.loads(body or b"{}")
    except ValueError as error:
        raise invalid("The body should be JSON.") from error
    if not isinstance(content, dict):
        raise invalid("The body should be a JSON object.")
    return content
