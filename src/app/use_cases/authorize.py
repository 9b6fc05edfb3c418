"""Sending requests with a token, so that their target knows who calls."""

import asyncio

from attrs import evolve

from domain.errors import TaskRefused
from domain.http_request import HttpRequest, problems
from domain.outcome import DispatchResult, FailureKind
from ports.errors import PortError
from ports.http import HttpDispatcher
from ports.time import Clock
from ports.tokens import TokenSource


class AuthorizedDispatcher(HttpDispatcher):
    """Hands requests on to `dispatcher`, each with a bearer token of `tokens` in place of what it said itself.

    Getting the token is a part of what the deadline is for. Without one nothing is sent, and the result is NO_TOKEN.
    """

    def __init__(self, dispatcher: HttpDispatcher, tokens: TokenSource, *, clock: Clock) -> None:
        self._dispatcher = dispatcher
        self._tokens = tokens
        self._clock = clock

    async def dispatch(self, request: HttpRequest, deadline: float) -> DispatchResult:
        if problems(request):
            return await self._dispatcher.dispatch(request, deadline)
        began = self._clock.monotonic()
        try:
            async with asyncio.timeout(deadline):
                token = await self._tokens.token(request.url)
        except TaskRefused as error:
            return self._failed(began, FailureKind.INVALID, str(error))
        except PortError as error:
            return self._failed(began, FailureKind.NO_TOKEN, str(error))
        except TimeoutError:
            return self._failed(began, FailureKind.NO_TOKEN, f"none was there within {deadline:g} s")
        waited = self._clock.monotonic() - began
        result = await self._dispatcher.dispatch(_with_token(request, token), deadline - waited)
        return evolve(result, elapsed=result.elapsed + waited)

    async def close(self) -> None:
        await self._tokens.close()
        await self._dispatcher.close()

    def _failed(self, began: float, kind: FailureKind, detail: str) -> DispatchResult:
        return DispatchResult(self._clock.monotonic() - began, failure=kind, detail=detail)


def _with_token(request: HttpRequest, token: str) -> HttpRequest:
    headers = {name: value for name, value in request.headers.items() if name.lower() != "authorization"}
    return evolve(request, headers={**headers, "Authorization": f"Bearer {token}"})
