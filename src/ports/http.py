"""Sending one HTTP request."""

from abc import abstractmethod
from typing import Protocol

from domain.push import DispatchResult, HttpRequest


class HttpDispatcher(Protocol):
    """Turns a request into a result, whatever happens: nothing but cancellation comes out as an exception."""

    @abstractmethod
    async def dispatch(self, request: HttpRequest, deadline: float) -> DispatchResult:
        """Send `request` and wait at most `deadline` seconds in all, connecting and reading included.

        A redirect is not followed: its status is the result. A request that cannot be sent (see
        `domain.push.problems`) is a failure of kind INVALID, and nothing was sent.
        """

    @abstractmethod
    async def close(self) -> None:
        """Let go of connections. Idempotent."""
