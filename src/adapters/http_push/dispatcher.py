"""The portable dispatcher: requests over httpx's own connections.

httpx hands every request to httpcore, whose connections are used here directly: a client adds cookies, redirects and
the environment's proxies, none of which is wanted, and its pool looks through all its connections for each request.
"""

import asyncio
import contextlib
import ssl

import httpcore
import httpx

from adapters.http_push.network import ConnectionFailed, GuardedNetwork
from domain.http_request import HttpRequest, problems
from domain.outcome import DispatchResult, FailureKind
from domain.target_policy import TargetPolicy
from ports.http import HttpDispatcher
from ports.time import Clock

MOST_IDLE = 256
"""Connections that are kept for later, of all hosts together."""
KEPT_FOR = 60.0
"""Seconds that an idle connection is kept."""


WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
"""Methods whose requests say that their body is empty (RFC 9110, section 8.6)."""


class _TooLarge(Exception):
    """The response has more bytes than are read."""


class HttpxDispatcher(HttpDispatcher):
    """HTTP/1.1. `max_response` is how many bytes of a response's body are read at most.

    Certificates are checked by those of `ssl_context`; None: by SSL_CERT_FILE or SSL_CERT_DIR, else by certifi's.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        policy: TargetPolicy,
        max_response: int = 10_000_000,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._clock = clock
        self._network = GuardedNetwork(policy)
        self._max_response = max_response
        self._ssl_context = ssl_context
        self._idle: list[httpcore.AsyncHTTPConnection] = []

    async def dispatch(self, request: HttpRequest, deadline: float) -> DispatchResult:
        began = self._clock.monotonic()

        def failed(kind: FailureKind, detail: str) -> DispatchResult:
            return DispatchResult(self._clock.monotonic() - began, failure=kind, detail=detail)

        if wrong := problems(request):
            return failed(FailureKind.INVALID, "; ".join(wrong))
        try:
            async with asyncio.timeout(deadline):
                status, retry_after = await self._exchange(request)
        except TimeoutError:
            return failed(FailureKind.TIMEOUT, f"no whole answer within {deadline:g} s")
        except ConnectionFailed as error:
            return failed(error.kind, str(error))
        except _TooLarge:
            return failed(FailureKind.TOO_LARGE, "more bytes of a body than are read")
        except Exception as error:  # noqa: BLE001 - whatever it is, this attempt has failed and the worker goes on
            return failed(FailureKind.CONNECTION, f"{type(error).__name__}: {error}")
        return DispatchResult(self._clock.monotonic() - began, status=status, retry_after=retry_after)

    async def close(self) -> None:
        while self._idle:
            await self._idle.pop().aclose()

    async def _exchange(self, request: HttpRequest) -> tuple[int, str]:
        """The status and the Retry-After of a response that has come whole."""
        message = _message(request)
        connection = await self._connection(message.url.origin)
        try:
            response = await connection.handle_async_request(message)
            await self._drop_body(response)
        except BaseException:
            with contextlib.suppress(Exception):
                await connection.aclose()
            raise
        await self._keep(connection)
        return response.status, _header(response, b"retry-after")

    async def _drop_body(self, response: httpcore.Response) -> None:
        size = 0
        async for chunk in response.aiter_stream():
            size += len(chunk)
            if size > self._max_response:
                raise _TooLarge
        await response.aclose()

    async def _connection(self, origin: httpcore.Origin) -> httpcore.AsyncHTTPConnection:
        # the one used last is the likeliest to be alive
        for place in reversed(range(len(self._idle))):
            if self._idle[place].can_handle_request(origin):
                connection = self._idle.pop(place)
                if not connection.has_expired():
                    return connection
                await connection.aclose()
        if origin.scheme == b"https" and self._ssl_context is None:
            self._ssl_context = httpx.create_ssl_context()
        return httpcore.AsyncHTTPConnection(
            origin, ssl_context=self._ssl_context, keepalive_expiry=KEPT_FOR, network_backend=self._network
        )

    async def _keep(self, connection: httpcore.AsyncHTTPConnection) -> None:
        if connection.is_idle():
            self._idle.append(connection)
        else:
            await connection.aclose()
        while self._idle and (len(self._idle) > MOST_IDLE or self._idle[0].has_expired()):
            await self._idle.pop(0).aclose()


def _message(request: HttpRequest) -> httpcore.Request:
    url = httpcore.URL(request.url)
    headers = [(name.encode(), value.strip(" \t").encode("latin-1")) for name, value in request.headers.items()]
    if "host" not in map(str.lower, request.headers):
        headers.insert(0, (b"Host", _authority(url)))
    if request.body or request.method in WITH_BODY:
        headers.append((b"Content-Length", str(len(request.body)).encode()))
    return httpcore.Request(request.method, url, headers=headers, content=request.body)


def _authority(url: httpcore.URL) -> bytes:
    host = b"[%b]" % url.host if b":" in url.host else url.host
    return host if url.port is None else b"%b:%d" % (host, url.port)


def _header(response: httpcore.Response, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in response.headers if key.lower() == name), "")
