"""A desk with one spreadsheet, and shorthands for calls over it."""

import json
from typing import Any
from urllib.parse import urlencode

from attrs import define, field

from adapters.memory.time import ManualClock
from adapters.sheets_emulator.access import GRANT, Access
from adapters.sheets_emulator.api.service import SheetsService
from adapters.sheets_emulator.desk import Desk, Served
from adapters.sheets_emulator.person import Person
from adapters.sheets_emulator.quota import Quota


@define
class Counter:
    """Who stands before the desk."""

    clock: ManualClock = field(factory=ManualClock)
    authenticate: bool = False
    desk: Desk = field(init=False)
    id: str = field(init=False)

    def __attrs_post_init__(self) -> None:
        access = Access(self.clock) if self.authenticate else None
        self.desk = Desk(self.clock, SheetsService(self.clock), access, Quota(self.clock))
        self.id = self.desk.service.create("Book").id

    @property
    def person(self) -> Person:
        return Person(self.desk.service, self.id)

    def call(self, method: str, rest: str, body: object = None, *, token: str = "") -> Served | None:
        content = b"" if body is None else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return self.desk.handle(method, f"/v4/spreadsheets/{self.id}{rest}", headers, content)

    def read(self, *, token: str = "") -> Any:
        return self.content(self.call("GET", "/values/A1:C9", token=token))

    def write(self, text: str, *, token: str = "") -> Served | None:
        return self.call("PUT", "/values/A1?valueInputOption=RAW", {"values": [[text]]}, token=token)

    def claim(self, word: str, by: str, *, token: str = "") -> Any:
        """What a findReplace of a claim replies."""
        find = {"find": f"PENDING {word}", "replacement": f"CLAIMED {word} {by}", "allSheets": True}
        served = self.call("POST", ":batchUpdate", {"requests": [{"findReplace": find}]}, token=token)
        return self.content(served)["replies"][0]["findReplace"]

    def token(self, name: str) -> str:
        """A token of a new account, as google-auth asks for it."""
        from google.auth import crypt, jwt

        assert self.desk.access is not None
        account = self.desk.access.service_account("http://emulator.invalid", name)
        signer = crypt.RSASigner.from_service_account_info(account)
        claims = {"iss": account["client_email"], "aud": account["token_uri"], "iat": 0, "exp": 3600}
        form = urlencode({"grant_type": GRANT, "assertion": jwt.encode(signer, claims)})
        served = self.desk.handle("POST", "/token", {}, form.encode())
        token: str = self.content(served)["access_token"]
        return token

    @staticmethod
    def content(served: Served | None) -> Any:
        assert served is not None
        return json.loads(served.content)
