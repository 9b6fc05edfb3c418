"""The fast dispatcher: requests over libcurl, with the deadline, the guard and the cap where libcurl has them."""

import math
import os
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import certifi
import pycurl
from attrs import define, field

from adapters.curl_push.multi import CurlLoop
from domain.http_request import HttpRequest, problems
from domain.outcome import DispatchResult, FailureKind
from domain.target_policy import TargetPolicy
from ports.http import HttpDispatcher
from ports.time import Clock

WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
"""Methods whose requests say that their body is empty (RFC 9110, section 8.6)."""

# https://curl.se/libcurl/c/libcurl-errors.html
_KINDS = {
    pycurl.E_OPERATION_TIMEDOUT: FailureKind.TIMEOUT,
    pycurl.E_COULDNT_RESOLVE_HOST: FailureKind.DNS,
    pycurl.E_SSL_CONNECT_ERROR: FailureKind.TLS,
    pycurl.E_SSL_CERTPROBLEM: FailureKind.TLS,
    pycurl.E_SSL_CIPHER: FailureKind.TLS,
    pycurl.E_PEER_FAILED_VERIFICATION: FailureKind.TLS,
    pycurl.E_SSL_CACERT_BADFILE: FailureKind.TLS,
    pycurl.E_SSL_ISSUER_ERROR: FailureKind.TLS,
    pycurl.E_URL_MALFORMAT: FailureKind.INVALID,
}


class CurlDispatcher(HttpDispatcher):
    """HTTP/1.1. `max_response` is how many bytes of a response's body are read at most.

    Certificates are checked by those in `ca_file`; None: by the file SSL_CERT_FILE, else by certifi's.
    """

    def __init__(
        self, *, clock: Clock, policy: TargetPolicy, max_response: int = 10_000_000, ca_file: Path | None = None
    ) -> None:
        self._clock = clock
        self._policy = policy
        self._max_response = max_response
        self._ca_file = str(ca_file or os.environ.get("SSL_CERT_FILE") or certifi.where())
        self._curl: CurlLoop | None = None
        self._spare: list[Any] = []

    async def dispatch(self, request: HttpRequest, deadline: float) -> DispatchResult:
        began = self._clock.monotonic()
        if wrong := problems(request):
            return DispatchResult(0.0, failure=FailureKind.INVALID, detail="; ".join(wrong))
        if self._curl is None:
            self._curl = CurlLoop()
        exchange = _Exchange(urlsplit(request.url).hostname or "", self._policy, self._max_response)
        easy = self._spare.pop() if self._spare else pycurl.Curl()
        try:
            self._prepare(easy, request, deadline, exchange)
            code, words = await self._curl.perform(easy)
            status = easy.getinfo(pycurl.RESPONSE_CODE)
        except Exception as error:  # noqa: BLE001 - whatever it is, this attempt has failed and the worker goes on
            code, words, status = None, f"{type(error).__name__}: {error}", 0
        finally:
            easy.reset()
            self._spare.append(easy)
            exchange.close_sockets()
        elapsed = self._clock.monotonic() - began
        if code == pycurl.E_OK:
            return DispatchResult(elapsed, status=status, retry_after=exchange.retry_after)
        kind = exchange.failure or _KINDS.get(code, FailureKind.CONNECTION)
        if kind is FailureKind.TIMEOUT:
            words = f"no whole answer within {deadline:g} s"
        return DispatchResult(elapsed, failure=kind, detail=exchange.detail or words)

    async def close(self) -> None:
        if self._curl is not None:
            self._curl.close()
            self._curl = None
        self._spare.clear()

    def _prepare(self, easy: Any, request: HttpRequest, deadline: float, exchange: "_Exchange") -> None:
        easy.setopt(pycurl.URL, request.url)
        easy.setopt(pycurl.HTTPHEADER, _header_lines(request))
        if request.method == "HEAD":
            easy.setopt(pycurl.NOBODY, 1)
        else:
            if request.body or request.method in WITH_BODY:
                easy.setopt(pycurl.POSTFIELDS, request.body)
            easy.setopt(pycurl.CUSTOMREQUEST, request.method)
        # 0 would be no limit at all
        easy.setopt(pycurl.TIMEOUT_MS, max(1, math.ceil(deadline * 1000)))
        easy.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        easy.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_1_1)
        easy.setopt(pycurl.PROXY, "")
        easy.setopt(pycurl.NOSIGNAL, 1)
        # a slow answer must not cost the connection: what stands between forgets those that are silent for minutes
        easy.setopt(pycurl.TCP_KEEPALIVE, 1)
        easy.setopt(pycurl.CAINFO, self._ca_file)
        easy.setopt(pycurl.HEADERFUNCTION, exchange.on_header)
        easy.setopt(pycurl.WRITEFUNCTION, exchange.on_body)
        if not self._policy.anything:
            easy.setopt(pycurl.OPENSOCKETFUNCTION, exchange.on_connect)


@define
class _Exchange:
    """One request's answer as it comes in, through libcurl's callbacks."""

    host: str
    policy: TargetPolicy
    left: int
    retry_after: str = ""
    failure: FailureKind | None = None
    detail: str = ""
    sockets: list[socket.socket] = field(factory=list)

    def on_connect(self, _purpose: int, address: Any) -> Any:
        """The socket for a connection to the very address that is judged here."""
        refusal = self.policy.refusal(self.host, address.addr[0])
        if refusal is not None:
            self.failure, self.detail = FailureKind.BLOCKED, refusal
            return pycurl.SOCKET_BAD
        try:
            self.sockets.append(socket.socket(address.family, address.socktype, address.protocol))
        except OSError as error:  # no file descriptor left, or no such family here
            self.detail = str(error)
            return pycurl.SOCKET_BAD
        # an address that was refused before this one does not matter any more
        self.failure, self.detail = None, ""
        return self.sockets[-1]

    def close_sockets(self) -> None:
        """Let go of what `on_connect` has made: pycurl works on duplicates."""
        for opened in self.sockets:
            opened.close()

    def on_header(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        if name.lower() == b"retry-after":
            self.retry_after = value.strip().decode("latin-1")

    def on_body(self, chunk: bytes) -> int | None:
        """Drop `chunk`, or end the transfer by taking less of it than there is."""
        self.left -= len(chunk)
        if self.left >= 0:
            return None
        self.failure, self.detail = FailureKind.TOO_LARGE, "more bytes of a body than are read"
        return -1


def _header_lines(request: HttpRequest) -> list[bytes]:
    # without a value: leave out what libcurl would add by itself
    lines = {name: b"%b:" % name.encode() for name in ("accept", "content-type", "expect", "user-agent")}
    for name, value in request.headers.items():
        text = value.strip(" \t").encode("latin-1")
        lines[name.lower()] = b"%b: %b" % (name.encode(), text) if text else b"%b;" % name.encode()
    return list(lines.values())
