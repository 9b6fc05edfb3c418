"""What dispatchers promise of the wire: what goes over it, and what becomes of servers that misbehave."""

import asyncio
import socket
from collections.abc import Callable

import pytest

from domain.http_request import METHODS, HttpRequest
from domain.outcome import FailureKind
from domain.target_policy import TargetPolicy
from ports.http import HttpDispatcher
from ports.testing.http_result import LONG, DispatcherBackend, dispatch
from ports.testing.http_target import HttpTarget
from ports.testing.scenario import scenario

OF_THE_CONNECTION = {"host", "content-length", "connection", "accept-encoding"}


class HttpWirePromises:
    @pytest.mark.parametrize("method", METHODS)
    @scenario
    async def test_a_request_goes_out_to_the_letter(
        self, backend: DispatcherBackend, target: HttpTarget, method: str
    ) -> None:
        body = b"" if method in {"GET", "HEAD"} else b'{"a":"\xc3\xa9"}'
        headers = {
            "X-One": "é\tü",
            "x-two": "",
            "Content-Type": "application/json",
            "User-Agent": "me",
            "Accept": "*/*",
        }
        await dispatch(backend.connect(), HttpRequest(target.url("/status/200?a=%C3%A9&b=c+d"), method, headers, body))
        (received,) = target.received
        assert (received.method, received.path, received.body) == (method, "/status/200?a=%C3%A9&b=c+d", body)
        added = [(name, value) for name, value in received.headers if name.lower() not in OF_THE_CONNECTION]
        assert sorted(added) == sorted(headers.items())
        assert received.header("Host") == [target.url("").removeprefix("http://")]

    @scenario
    async def test_what_a_request_does_not_say_is_not_made_up(
        self, backend: DispatcherBackend, target: HttpTarget
    ) -> None:
        await dispatch(backend.connect(), HttpRequest(target.url("/status/200"), body=b"{}"))
        assert {name.lower() for name, _ in target.received[0].headers} <= OF_THE_CONNECTION

    @scenario
    async def test_a_large_body_arrives_whole(self, backend: DispatcherBackend, target: HttpTarget) -> None:
        body = bytes(range(256)) * 3900
        result = await dispatch(backend.connect(), HttpRequest(target.url("/status/200"), body=body))
        assert result.status == 200
        assert target.received[0].body == body

    @scenario
    async def test_connections_are_used_again(self, backend: DispatcherBackend, target: HttpTarget) -> None:
        dispatcher = backend.connect()
        for _ in range(3):
            await dispatcher.dispatch(HttpRequest(target.url("/status/200")), LONG)
        await dispatcher.close()
        assert len(target.received) == 3
        assert target.accepted == 1

    @scenario
    async def test_a_connection_that_the_server_closed_meanwhile_is_replaced(
        self, backend: DispatcherBackend, target: HttpTarget
    ) -> None:
        dispatcher = backend.connect()
        for _ in range(3):
            result = await dispatcher.dispatch(HttpRequest(target.url("/last")), LONG)
            assert result.status == 200
            await asyncio.to_thread(target.until_all_closed)
        await dispatcher.close()
        assert len(target.received) == 3

    @scenario
    async def test_many_requests_are_under_way_at_once(self, backend: DispatcherBackend, target: HttpTarget) -> None:
        dispatcher = backend.connect()
        request = HttpRequest(target.url("/wait"))
        under_way = [asyncio.create_task(dispatcher.dispatch(request, LONG)) for _ in range(50)]
        await asyncio.to_thread(target.until_waiting, 50)
        target.let_go()
        assert {result.status for result in await asyncio.gather(*under_way)} == {200}
        await dispatcher.close()

    @scenario
    async def test_cancelling_drops_the_connection_and_nothing_else(
        self, backend: DispatcherBackend, target: HttpTarget
    ) -> None:
        dispatcher = backend.connect()
        cancelled, other = (
            asyncio.create_task(dispatcher.dispatch(HttpRequest(target.url("/wait")), LONG)) for _ in range(2)
        )
        await asyncio.to_thread(target.until_waiting, 2)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        await asyncio.to_thread(target.until_waiting_no_more_than, 1)
        target.let_go()
        assert (await other).status == 200
        assert (await dispatcher.dispatch(HttpRequest(target.url("/status/200")), LONG)).status == 200
        await dispatcher.close()

    @pytest.mark.parametrize("path", ["/drip", "/drip-head", "/wait"])
    @scenario
    async def test_the_deadline_is_for_the_whole_response(
        self, backend: DispatcherBackend, target: HttpTarget, path: str
    ) -> None:
        dispatcher = backend.connect()
        result = await dispatcher.dispatch(HttpRequest(target.url(path)), 0.3)
        assert (result.status, result.failure) == (None, FailureKind.TIMEOUT)
        # and the connection is not used again, with half a response on it
        assert (await dispatcher.dispatch(HttpRequest(target.url("/status/201")), LONG)).status == 201
        await dispatcher.close()

    @scenario
    async def test_a_redirect_is_not_followed(self, backend: DispatcherBackend, target: HttpTarget) -> None:
        assert (await dispatch(backend.connect(), HttpRequest(target.url("/redirect")))).status == 302
        assert [received.path for received in target.received] == ["/redirect"]

    @scenario
    async def test_an_interim_response_is_not_the_result(self, backend: DispatcherBackend, target: HttpTarget) -> None:
        assert (await dispatch(backend.connect(), HttpRequest(target.url("/early")))).status == 200

    @scenario
    async def test_no_cookie_is_kept(self, backend: DispatcherBackend, target: HttpTarget) -> None:
        dispatcher = backend.connect()
        for _ in range(2):
            await dispatcher.dispatch(HttpRequest(target.url("/cookie")), LONG)
        await dispatcher.close()
        assert [received.header("Cookie") for received in target.received] == [[], []]

    @scenario
    async def test_a_body_may_have_as_many_bytes_as_allowed_and_no_more(
        self, connect: Callable[[TargetPolicy, int], HttpDispatcher], target: HttpTarget
    ) -> None:
        for size, failure in ((100_000, None), (100_001, FailureKind.TOO_LARGE)):
            dispatcher = connect(TargetPolicy(anything=True), 100_000)
            result = await dispatch(dispatcher, HttpRequest(target.url(f"/body/{size}")))
            assert result.failure is failure

    @scenario
    async def test_an_endless_body_is_given_up(
        self, connect: Callable[[TargetPolicy, int], HttpDispatcher], target: HttpTarget
    ) -> None:
        dispatcher = connect(TargetPolicy(anything=True), 1_000_000)
        result = await dispatcher.dispatch(HttpRequest(target.url("/endless")), LONG)
        assert (result.status, result.failure) == (None, FailureKind.TOO_LARGE)
        await asyncio.to_thread(target.until_all_closed)
        await dispatcher.close()

    @scenario
    async def test_a_compressed_body_is_not_decompressed(
        self, connect: Callable[[TargetPolicy, int], HttpDispatcher], target: HttpTarget
    ) -> None:
        dispatcher = connect(TargetPolicy(anything=True), 100_000)
        request = HttpRequest(target.url("/bomb"), headers={"Accept-Encoding": "gzip"})
        assert (await dispatch(dispatcher, request)).status == 200

    @pytest.mark.parametrize("path", ["/hang-up", "/short", "/garbage"])
    @scenario
    async def test_what_is_no_whole_response_is_a_failed_connection(
        self, backend: DispatcherBackend, target: HttpTarget, path: str
    ) -> None:
        result = await dispatch(backend.connect(), HttpRequest(target.url(path)))
        assert (result.status, result.failure) == (None, FailureKind.CONNECTION)
        assert result.detail
        assert len(target.received) == 1

    @scenario
    async def test_where_nobody_listens_is_a_failed_connection(self, backend: DispatcherBackend) -> None:
        with socket.create_server(("127.0.0.1", 0)) as nobody:
            port = nobody.getsockname()[1]
        result = await dispatch(backend.connect(), HttpRequest(f"http://127.0.0.1:{port}/"))
        assert (result.status, result.failure) == (None, FailureKind.CONNECTION)

    @pytest.mark.parametrize("host", ["nowhere.invalid", "a..b", "x" * 64 + ".invalid"])
    @scenario
    async def test_a_host_without_an_address_is_a_failure_of_dns(self, backend: DispatcherBackend, host: str) -> None:
        result = await dispatch(backend.connect(), HttpRequest(f"http://{host}/"))
        assert (result.status, result.failure) == (None, FailureKind.DNS)

    @scenario
    async def test_a_server_that_speaks_no_tls_is_a_failure_of_tls(
        self, backend: DispatcherBackend, target: HttpTarget
    ) -> None:
        result = await dispatch(backend.connect(), HttpRequest(target.url("/status/200", scheme="https")))
        assert (result.status, result.failure) == (None, FailureKind.TLS)
        assert target.received == []

    @scenario
    async def test_the_environment_is_ignored(
        self, backend: DispatcherBackend, target: HttpTarget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://nowhere.invalid:1")
        assert (await dispatch(backend.connect(), HttpRequest(target.url("/status/200")))).status == 200
