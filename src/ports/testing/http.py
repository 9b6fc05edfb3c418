"""The promises of `ports.http`, as tests. Bind them to a dispatcher of your own::

class TestMyDispatcher(HttpDispatcherContract):
    @pytest.fixture
    def backend(self):
        with my_server() as server:
            yield DispatcherBackend(MyDispatcher, status=lambda code: f"{server.url}/status/{code}", slow=…)
"""

from collections.abc import Callable

import pytest
from attrs import frozen

from domain.push import FailureKind, HttpRequest
from ports.http import HttpDispatcher
from ports.testing.scenario import scenario


@frozen
class DispatcherBackend:
    """A service to send to, by its URLs: `status(code)` answers with that status, `slow` later than 0.2 seconds.

    `refused` is an address where nobody listens, `nowhere` a host without an address, `redirect` a 302 to
    `status(200)`; None where the dispatcher does not go to the network.
    """

    connect: Callable[[], HttpDispatcher]
    status: Callable[[int], str]
    slow: str
    redirect: str | None = None
    refused: str | None = None
    nowhere: str | None = None


class HttpDispatcherContract:
    """Every promise of `HttpDispatcher`. Override `backend`."""

    @pytest.fixture
    def backend(self) -> DispatcherBackend:
        raise NotImplementedError("override the `backend` fixture: return a DispatcherBackend")

    @pytest.mark.parametrize(
        ("status", "delivered"), [(200, True), (204, True), (301, False), (404, False), (429, False), (503, False)]
    )
    @scenario
    async def test_any_2xx_delivers_and_nothing_else(
        self,
        backend: DispatcherBackend,
        status: int,
        delivered: bool,  # noqa: FBT001 - a table's column
    ) -> None:
        dispatcher = backend.connect()
        result = await dispatcher.dispatch(HttpRequest(backend.status(status), body=b"{}"), deadline=10)
        await dispatcher.close()
        assert (result.status, result.delivered, result.failure) == (status, delivered, None)
        assert result.elapsed >= 0
        assert result.reason == f"HTTP {status}"

    @scenario
    async def test_an_answer_after_the_deadline_is_a_timeout(self, backend: DispatcherBackend) -> None:
        dispatcher = backend.connect()
        result = await dispatcher.dispatch(HttpRequest(backend.slow), deadline=0.2)
        await dispatcher.close()
        assert (result.status, result.failure) == (None, FailureKind.TIMEOUT)
        assert "timeout" in result.reason

    @pytest.mark.parametrize(
        "request_",
        [
            HttpRequest("ftp://x.example/"),
            HttpRequest("x.example/path"),
            HttpRequest("https://x.example/" + "a" * 3000),
            HttpRequest("https://x.example/", method="BREW"),
            HttpRequest("https://x.example/", headers={"X": "a\r\nHost: evil"}),
            HttpRequest("https://x.example/", headers={"X": "日本"}),
            HttpRequest("https://x.example/", headers={"a b": "c"}),
            HttpRequest("https://x.example/", headers={"X": "a" * 90_000}),
            HttpRequest("https://x.example/", body=b"x" * (1024 * 1024 + 1)),
        ],
        ids=lambda request: request.url[:20],
    )
    @scenario
    async def test_what_cannot_be_sent_is_a_failure_that_says_why(
        self, backend: DispatcherBackend, request_: HttpRequest
    ) -> None:
        dispatcher = backend.connect()
        result = await dispatcher.dispatch(request_, deadline=10)
        await dispatcher.close()
        assert (result.status, result.failure) == (None, FailureKind.INVALID)
        assert result.detail

    @scenario
    async def test_a_redirect_is_not_followed(self, backend: DispatcherBackend) -> None:
        dispatcher = backend.connect()
        result = await dispatcher.dispatch(HttpRequest(_needed(backend.redirect)), deadline=10)
        await dispatcher.close()
        assert result.status == 302

    @scenario
    async def test_where_nobody_listens_is_a_failed_connection(self, backend: DispatcherBackend) -> None:
        dispatcher = backend.connect()
        result = await dispatcher.dispatch(HttpRequest(_needed(backend.refused)), deadline=10)
        await dispatcher.close()
        assert result.failure is FailureKind.CONNECTION

    @scenario
    async def test_a_host_without_an_address_is_a_failure_of_dns(self, backend: DispatcherBackend) -> None:
        dispatcher = backend.connect()
        result = await dispatcher.dispatch(HttpRequest(_needed(backend.nowhere)), deadline=10)
        await dispatcher.close()
        assert result.failure is FailureKind.DNS

    @scenario
    async def test_closing_may_be_repeated(self, backend: DispatcherBackend) -> None:
        dispatcher = backend.connect()
        await dispatcher.close()
        await dispatcher.close()


def _needed(url: str | None) -> str:
    if url is None:
        pytest.skip("this dispatcher does not go to the network")
    return url
