"""What stands between a caller and the service: it counts, asks who calls, meters, and spoils things."""

from collections import Counter
from collections.abc import Callable, Mapping
from urllib.parse import unquote, urlsplit

from attrs import define, field

from adapters.sheets_emulator.access import Access
from adapters.sheets_emulator.errors import ApiError
from adapters.sheets_emulator.faults import Faults
from adapters.sheets_emulator.quota import Quota
from adapters.sheets_emulator.service import SHEETS, Answer, SheetsService

Hook = Callable[[str, str], None]


def _nobody(_method: str, _path: str) -> None:
    """The person who edits nothing."""


@define
class Desk:
    """Answers calls one at a time. None instead of an answer: the connection is to be dropped.

    `calls` and `traffic` (bytes) count by kind: "read", "write", "drive", "token"; what was sent back is "answered".
    `before` is called with method and path ahead of each call's effect: a person who edits meanwhile.
    """

    service: SheetsService
    access: Access | None = None
    quota: Quota | None = None
    faults: Faults = field(factory=Faults)
    before: Hook = _nobody
    calls: Counter[str] = field(factory=Counter)
    traffic: Counter[str] = field(factory=Counter)

    def handle(self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> Answer | None:
        path = urlsplit(target).path
        kind = kind_of(method, path)
        self.calls[kind] += 1
        self.traffic[kind] += len(body)
        try:
            if kind == "token":
                return Answer(200, self._access().token(body))
            user = self._admit(path, headers)
            if self.quota is not None and kind in ("read", "write"):
                self.quota.charge(kind, user)
            return self._serve(method, target, path, body)
        except ApiError as error:
            if kind == "token":
                return Answer(error.code, {"error": error.status, "error_description": str(error)})
            return Answer(error.code, error.body())

    def _serve(self, method: str, target: str, path: str, body: bytes) -> Answer | None:
        fault = self.faults.strike(method, path)
        if fault is None or fault.applies:
            self.before(method, path)
            answer = self.service.handle(method, target, body)
        if fault is None:
            return answer
        if fault.drops:
            return None
        raise fault.error()

    def _admit(self, path: str, headers: Mapping[str, str]) -> str:
        if self.access is None:
            return "anybody"
        user = self.access.caller(headers)
        match = SHEETS.fullmatch(path)
        if match and match["id"]:
            self.access.permit(user, unquote(match["id"]))
        return user

    def _access(self) -> Access:
        if self.access is None:
            raise ApiError(400, "invalid_grant", "this emulator asks for no tokens")
        return self.access


def kind_of(method: str, path: str) -> str:
    """Which meter a call counts on."""
    if path == "/token":
        return "token"
    if path.startswith("/drive/"):
        return "drive"
    return "read" if method == "GET" else "write"
