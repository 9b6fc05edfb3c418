"""What stands between a caller and the service: it counts, asks who calls, meters, and spoils things."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from email.utils import format_datetime
from threading import Lock
from urllib.parse import urlsplit

from attrs import define, field, frozen

from adapters.sheets_emulator.access import Access
from adapters.sheets_emulator.api.service import Answer, SheetsService
from adapters.sheets_emulator.faults import Fault, Faults, Laid
from adapters.sheets_emulator.quota import Quota
from adapters.sheets_emulator.wire.errors import ApiError
from ports.time import Clock


@frozen
class Served:
    """An answer on its way: to be held back for `delay` seconds."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    delay: float = 0.0


BeforeCall = Callable[[str, str], None]
AfterCall = Callable[[str, str, Served | None], None]


def _nobody(*_call: object) -> None:
    """The person who edits nothing."""


@define
class Desk:
    """Answers calls one at a time: whoever calls from several threads waits for the `turn`.

    None instead of an answer: the connection is to be dropped.

    `calls`, `uploaded` and `downloaded` (bytes of bodies) count by kind: "read", "write", "drive", "token".
    `before_call` is called with the method and path of each call of the API ahead of its effect, `after_call` with the
    answer, too: a person who edits meanwhile, or whoever lays faults.
    """

    clock: Clock
    service: SheetsService
    access: Access | None = None
    quota: Quota | None = None
    faults: Faults = field(factory=Faults)
    turn: Lock = field(factory=Lock)
    before_call: BeforeCall = _nobody
    after_call: AfterCall = _nobody
    calls: Counter[str] = field(factory=Counter)
    uploaded: Counter[str] = field(factory=Counter)
    downloaded: Counter[str] = field(factory=Counter)

    def handle(self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> Served | None:
        """Answer a call. Header names are in lower case."""
        path = urlsplit(target).path
        kind = kind_of(method, path)
        self.calls[kind] += 1
        self.uploaded[kind] += len(body)
        if kind == "token":
            served: Served | None = self.serve(self._token(body))
        else:
            self.before_call(method, path)
            served = self._call(method, target, headers, body)
            self.after_call(method, path, served)
        self.downloaded[kind] += len(served.content) if served is not None else 0
        return served

    def serve(self, answer: Answer, delay: float = 0.0) -> Served:
        """An answer with its headers."""
        headers = {"Date": format_datetime(self.clock.now(), usegmt=True)}
        content = b""
        if isinstance(answer.body, bytes):
            headers["Content-Type"] = "text/csv; charset=UTF-8"
            content = answer.body
        elif answer.body is not None:
            headers["Content-Type"] = "application/json; charset=UTF-8"
            content = json.dumps(answer.body, ensure_ascii=False, separators=(",", ":")).encode()
        if answer.retry_after is not None:
            headers["Retry-After"] = str(answer.retry_after)
        return Served(answer.status, headers, content, delay)

    def _call(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Served | None:
        path = urlsplit(target).path
        kind = kind_of(method, path)
        try:
            user = self.access.caller(headers) if self.access is not None else ""
            if self.quota is not None and kind in ("read", "write"):
                self.quota.charge(kind, user)
            laid = self.faults.strike(method, path, racing=self.service.can_be_stale(method, path, user))
            if laid is None:
                return self.serve(self.service.handle(method, target, body, user=user))
            return self._spoiled(laid, method, target, body, user)
        except ApiError as error:
            return self.serve(Answer(error.code, error.body(), error.retry_after))

    def _spoiled(self, laid: Laid, method: str, target: str, body: bytes, user: str) -> Served | None:
        fault = laid.fault
        answer = None
        if fault.applies:
            answer = self.service.handle(method, target, body, user=user, stale=fault is Fault.STALE)
        if fault.drops:
            return None
        if answer is None or not fault.answers:
            error = laid.error(kind_of(method, urlsplit(target).path))
            answer = Answer(error.code, error.body(), error.retry_after)
        return self.serve(answer, laid.delay)

    def _token(self, body: bytes) -> Answer:
        if self.access is None:
            return Answer(400, {"error": "invalid_grant", "error_description": "this emulator asks for no tokens"})
        try:
            return Answer(200, self.access.token(body))
        except ApiError as error:
            return Answer(error.code, {"error": error.status, "error_description": str(error)})


def kind_of(method: str, path: str) -> str:
    """Which meter a call counts on."""
    if path == "/token":
        return "token"
    if not path.startswith("/v4/"):
        return "drive"
    return "read" if method == "GET" else "write"
