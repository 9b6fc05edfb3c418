"""One handle of libcurl, for one request after another, and what comes back through its callbacks."""

import math
import socket
from typing import Any
from urllib.parse import urlsplit

import pycurl

from domain.http_request import HttpRequest
from domain.outcome import FailureKind
from domain.target_policy import TargetPolicy

# what libcurl would say by itself where a request says nothing; without a value, it does not
_UNSAID = {name: f"{name}:" for name in ("accept", "content-type", "expect", "user-agent")}
# their requests say so where their body is empty (RFC 9110, section 8.6)
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


def has_body(request: HttpRequest) -> bool:
    """Whether `request` is of those that announce a body, if only an empty one; libcurl has none to go with HEAD."""
    return request.method in _WITH_BODY or (bool(request.body) and request.method != "HEAD")


class Transfer:
    """Sends requests that all have a body or all have none: what libcurl is told once stays told.

    After a request, `retry_after` is that header, and `failure` and `detail` say what was found wrong here.
    """

    def __init__(self, *, with_body: bool, policy: TargetPolicy, max_response: int, ca_file: str) -> None:
        self.easy: Any = pycurl.Curl()
        self.retry_after = ""
        self.failure: FailureKind | None = None
        self.detail = ""
        self._with_body = with_body
        self._policy = policy
        self._max_response = max_response
        self._left = 0
        self._host = ""
        self._sockets: list[socket.socket] = []
        self._set_up(ca_file)

    def _set_up(self, ca_file: str) -> None:
        self.easy.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        self.easy.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_1_1)
        self.easy.setopt(pycurl.PROXY, "")
        self.easy.setopt(pycurl.NOSIGNAL, 1)
        # a slow answer must not cost the connection: what stands between forgets those that are silent for minutes
        self.easy.setopt(pycurl.TCP_KEEPALIVE, 1)
        self.easy.setopt(pycurl.CAINFO, ca_file)
        self.easy.setopt(pycurl.HEADERFUNCTION, self._on_header)
        self.easy.setopt(pycurl.WRITEFUNCTION, self._on_body)
        if not self._policy.anything:
            self.easy.setopt(pycurl.OPENSOCKETFUNCTION, self._on_connect)

    def prepare(self, request: HttpRequest, deadline: float) -> None:
        """Make ready to send `request`, which has `deadline` seconds in all."""
        self.retry_after, self.failure, self.detail = "", None, ""
        self._left = self._max_response
        easy = self.easy
        easy.setopt(pycurl.URL, request.url)
        easy.setopt(pycurl.HTTPHEADER, _header_lines(request))
        if self._with_body:
            easy.setopt(pycurl.POSTFIELDS, request.body)
        else:
            easy.setopt(pycurl.NOBODY, request.method == "HEAD")
        easy.setopt(pycurl.CUSTOMREQUEST, request.method)
        # 0 would be no limit at all
        easy.setopt(pycurl.TIMEOUT_MS, max(1, math.ceil(deadline * 1000)))
        if not self._policy.anything:
            self._host = urlsplit(request.url).hostname or ""

    def clean_up(self) -> None:
        """Let go of the sockets that were made for libcurl: pycurl works on duplicates."""
        while self._sockets:
            self._sockets.pop().close()

    def _on_connect(self, _purpose: int, address: Any) -> Any:
        """The socket for a connection to the very address that is judged here."""
        refusal = self._policy.refusal(self._host, address.addr[0])
        if refusal is not None:
            self.failure, self.detail = FailureKind.BLOCKED, refusal
            return pycurl.SOCKET_BAD
        try:
            self._sockets.append(socket.socket(address.family, address.socktype, address.protocol))
        except OSError as error:  # no file descriptor left, or no such family here
            self.failure, self.detail = FailureKind.CONNECTION, str(error)
            return pycurl.SOCKET_BAD
        # an address that was refused before this one does not matter any more
        self.failure, self.detail = None, ""
        return self._sockets[-1]

    def _on_header(self, line: bytes) -> None:
        if line[:12].lower() == b"retry-after:":
            self.retry_after = line[12:].strip().decode("latin-1")

    def _on_body(self, chunk: bytes) -> int | None:
        """Drop `chunk`, or end the transfer by taking less of it than there is."""
        self._left -= len(chunk)
        if self._left >= 0:
            return None
        self.failure, self.detail = FailureKind.TOO_LARGE, "more bytes of a body than are read"
        return -1


def _header_lines(request: HttpRequest) -> list[str] | list[bytes]:
    said = {name.lower() for name in request.headers}
    lines = [line for name, line in _UNSAID.items() if name not in said]
    for name, value in request.headers.items():
        text = value.strip(" \t")
        lines.append(f"{name}: {text}" if text else f"{name};")
    # pycurl takes text for ASCII only
    return lines if "".join(lines).isascii() else [line.encode("latin-1") for line in lines]
