"""A task that becomes an HTTP request."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from attrs import field, frozen

METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
MAX_URL = 2083
MAX_HEADERS = 80 * 1024
MAX_TASK = 1024 * 1024


@frozen
class HttpRequest:
    """What is sent. `headers` are the user's own; the dispatcher adds none that they name."""

    url: str
    method: str = "POST"
    headers: Mapping[str, str] = field(factory=dict)
    body: bytes = b""


@frozen
class PushTask:
    """A request, and what is known of its delivery.

    `id` is sent along, so that the target can tell a repetition. `attempts` counts those that have failed. Not before
    `not_before` (None: at once).
    """

    id: str
    request: HttpRequest
    attempts: int = 0
    created_at: datetime | None = None
    not_before: datetime | None = None
    first_attempt_at: datetime | None = None


class FailureKind(StrEnum):
    """Why there is no status to show for an attempt."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    DNS = "dns"
    TLS = "tls"
    BLOCKED = "blocked address"
    TOO_LARGE = "response too large"
    INVALID = "invalid request"


@frozen
class DispatchResult:
    """How a request ended: a `status`, or a `failure` and its `detail`. `elapsed` in seconds."""

    elapsed: float
    status: int | None = None
    failure: FailureKind | None = None
    detail: str = ""
    retry_after: datetime | None = None

    @property
    def delivered(self) -> bool:
        """Any 2xx."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def reason(self) -> str:
        """Why it was not delivered, for people."""
        if self.status is not None:
            return f"HTTP {self.status}"
        kind = str(self.failure or FailureKind.CONNECTION)
        return f"{kind}: {self.detail}" if self.detail else kind


def problems(request: HttpRequest) -> list[str]:
    """What keeps `request` from ever being sent, each with what to do; empty if nothing does."""
    found = []
    if not request.url.lower().startswith(("http://", "https://")):
        found.append(f"the URL {request.url[:80]!r} must begin with http:// or https://")
    if len(request.url) > MAX_URL:
        found.append(f"the URL has {len(request.url)} characters; {MAX_URL} are allowed")
    if request.method.upper() not in METHODS:
        found.append(f"the method {request.method!r} must be one of {', '.join(sorted(METHODS))}")
    size = 0
    for name, value in request.headers.items():
        size += len(name) + len(value) + 4
        if not name or not name.isascii() or any(c in name for c in "\r\n: "):
            found.append(f"the header name {name!r} must be of letters, digits and hyphens")
        if any(c in value for c in "\r\n\x00") or not _is_latin(value):
            found.append(f"the value of header {name!r} must be without line breaks and within Latin-1")
    if size > MAX_HEADERS:
        found.append(f"the headers take {size} bytes; {MAX_HEADERS} are allowed")
    if len(request.body) > MAX_TASK:
        found.append(f"the body has {len(request.body)} bytes; {MAX_TASK} are allowed")
    return found


def _is_latin(text: str) -> bool:
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True
