"""One spreadsheet of a service, with shorthands."""

import json
from typing import Any
from urllib.parse import quote

from adapters.memory.time import ManualClock
from adapters.sheets_emulator.api.service import Answer, SheetsService
from adapters.sheets_emulator.person import Person


class Book:
    def __init__(self) -> None:
        self.service = SheetsService(ManualClock())
        self.id = self.service.create("Book").id
        self.person = Person(self.service, self.id)

    def call(self, method: str, rest: str, body: object = None, *, user: str = "") -> Answer:
        payload = b"" if body is None else json.dumps(body).encode()
        return self.service.handle(method, f"/v4/spreadsheets/{self.id}{rest}", payload, user=user)

    def batch(self, *requests: dict[str, Any], user: str = "", query: str = "", **more: object) -> Any:
        """The replies; the whole body where there is more to it."""
        answer = self.call("POST", f":batchUpdate{query}", {"requests": requests, **more}, user=user)
        assert isinstance(answer.body, dict)
        return answer.body if answer.status != 200 or more else answer.body["replies"]

    def refusal(self, *requests: dict[str, Any], user: str = "") -> str:
        """The error's text without the place that it names."""
        message: str = self.batch(*requests, user=user)["error"]["message"]
        return message.partition(": ")[2]

    def fill(self, *rows: list[Any], option: str = "RAW", cell: str = "A1") -> None:
        answer = self.call("PUT", f"/values/{cell}?valueInputOption={option}", {"values": rows})
        assert answer.status == 200, answer

    def get(self, rest: str) -> dict[str, Any]:
        answer = self.call("GET", rest)
        assert answer.status == 200, answer
        assert isinstance(answer.body, dict)
        return answer.body

    def rows(self, text: str = "A1:Z1000", query: str = "") -> list[list[Any]]:
        rows: list[list[Any]] = self.get(f"/values/{quote(text)}{query}").get("values", [])
        return rows

    def error(self, method: str, rest: str, body: object = None, *, user: str = "") -> str:
        """The text of a 400."""
        answer = self.call(method, rest, body, user=user)
        assert isinstance(answer.body, dict)
        assert answer.status == 400
        message: str = answer.body["error"]["message"]
        return message
