"""Sending one HTTP request."""

from abc import abstractmethod
from typing import Protocol

from domain.http_request import HttpRequest
from domain.outcome import DispatchResult


class HttpDispatcher(Protocol):
    """Turns a request into a result, whatever happens: nothing but cancellation comes out as an exception.

    Any number of requests may be under way. Connections are kept and used again, but nothing else is: no cookie, no
    password. Proxies and `.netrc` of the environment are ignored.
    """

    @abstractmethod
    async def dispatch(self, request: HttpRequest, deadline: float) -> DispatchResult:
        """Send `request` once, and wait at most `deadline` seconds in all, from looking up the host to the last byte.

        * What has no status yet when the deadline is over, or has one but no end, is a TIMEOUT.
        * A status is the result when its whole response is there. A redirect is not followed.
        * The response's body is read and dropped as it comes, never decompressed; one that is longer than the
          dispatcher was told to read is TOO_LARGE, and what is left of it is not read.
        * `retry_after` is the response's header of that name.
        * A connection that the server closed while it was idle is replaced, without a failure.
        * CONNECTION is whatever else goes wrong on the way: refused, reset, cut off, no HTTP. DNS is a host without an
          address, TLS a handshake or certificate that is not good.
        * BLOCKED is an address that the dispatcher's `TargetPolicy` refuses. It is the very address that would be
          connected to which is judged. Nothing was sent.
        * INVALID is a request that cannot be sent (`domain.http_request.problems`). Nothing was sent.

        Cancelled, it drops the connection.
        """

    @abstractmethod
    async def close(self) -> None:
        """Let go of connections. Idempotent."""
