"""What every dispatcher promises of its results, with a network or without."""

from collections.abc import Callable

import pytest
from attrs import frozen

from domain.http_request import METHODS, HttpRequest
from domain.outcome import DispatchResult, FailureKind
from ports.http import HttpDispatcher
from ports.testing.scenario import scenario

LONG = 30.0
"""A deadline that no test reaches."""


@frozen
class DispatcherBackend:
    """A service to send to, by its URLs: `status(code)` answers with that status, `slow` not within half a second.

    `retry_later(text)` answers with 503 and that Retry-After.
    """

    connect: Callable[[], HttpDispatcher]
    status: Callable[[int], str]
    retry_later: Callable[[str], str]
    slow: str


async def dispatch(dispatcher: HttpDispatcher, request: HttpRequest, deadline: float = LONG) -> DispatchResult:
    """One dispatch by a dispatcher that is then closed."""
    try:
        return await dispatcher.dispatch(request, deadline)
    finally:
        await dispatcher.close()


class HttpResultPromises:
    @pytest.mark.parametrize("status", [200, 201, 204, 299, 301, 302, 304, 400, 404, 410, 429, 500, 503, 599])
    @scenario
    async def test_the_status_is_the_result(self, backend: DispatcherBackend, status: int) -> None:
        result = await dispatch(backend.connect(), HttpRequest(backend.status(status), body=b"{}"))
        assert (result.status, result.failure) == (status, None)
        assert result.delivered == (200 <= status < 300)
        assert result.elapsed >= 0

    @pytest.mark.parametrize("body", [b"", b"{}"])
    @pytest.mark.parametrize("method", METHODS)
    @scenario
    async def test_every_method_gets_its_answer(self, backend: DispatcherBackend, method: str, body: bytes) -> None:
        result = await dispatch(backend.connect(), HttpRequest(backend.status(200), method, body=body))
        assert result.status == 200

    @pytest.mark.parametrize("text", ["120", "Thu,%2001%20Jan%202026%2012:00:30%20GMT"])
    @scenario
    async def test_retry_after_is_handed_on_as_it_came(self, backend: DispatcherBackend, text: str) -> None:
        result = await dispatch(backend.connect(), HttpRequest(backend.retry_later(text)))
        assert (result.status, result.retry_after) == (503, text.replace("%20", " "))

    @scenario
    async def test_without_retry_after_there_is_none(self, backend: DispatcherBackend) -> None:
        assert (await dispatch(backend.connect(), HttpRequest(backend.status(503)))).retry_after == ""

    @scenario
    async def test_what_is_not_answered_by_the_deadline_is_a_timeout(self, backend: DispatcherBackend) -> None:
        result = await dispatch(backend.connect(), HttpRequest(backend.slow), deadline=0.2)
        assert (result.status, result.failure) == (None, FailureKind.TIMEOUT)
        assert result.elapsed >= 0.2
        assert "0.2 s" in result.detail

    @pytest.mark.parametrize(
        "wrong",
        [
            {"url": "ftp://127.0.0.1/"},
            {"url": "file:///etc/passwd"},
            {"url": "127.0.0.1/path"},
            {"url": "http:///path"},
            {"url": "http://127.0.0.1:99999/"},
            {"url": "http://127.0.0.1/a b"},
            {"url": "http://127.0.0.1/\r\nX: y"},
            {"url": "http://127.0.0.1/é"},
            {"url": "http://127.0.0.1/" + "a" * 2083},
            {"method": "BREW"},
            {"method": "GET / HTTP/1.1\r\nX: y\r\n\r\n"},
            {"headers": {"X": "a\r\nHost: evil"}},
            {"headers": {"X": "a\n"}},
            {"headers": {"X": "日本"}},
            {"headers": {"a b": "c"}},
            {"headers": {"": "c"}},
            {"headers": {"Content-Length": "5"}},
            {"headers": {"transfer-encoding": "chunked"}},
            {"headers": {"X": "a" * 80_000}},
        ],
        ids=lambda wrong: str(wrong)[:40],
    )
    @scenario
    async def test_what_cannot_be_sent_is_a_failure_that_says_why(
        self, backend: DispatcherBackend, wrong: dict[str, str]
    ) -> None:
        request = HttpRequest(**{"url": backend.status(200), **wrong})  # type: ignore[arg-type]
        result = await dispatch(backend.connect(), request)
        assert (result.status, result.failure) == (None, FailureKind.INVALID)
        assert result.detail

    @scenario
    async def test_closing_may_be_repeated(self, backend: DispatcherBackend) -> None:
        dispatcher = backend.connect()
        await dispatcher.close()
        await dispatcher.close()
