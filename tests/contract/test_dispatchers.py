"""Both dispatchers over TLS, with signed requests, and through a long run."""

import asyncio
import base64
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from standardwebhooks import Webhook

from adapters.curl_push.dispatcher import CurlDispatcher
from adapters.http_push.dispatcher import HttpxDispatcher
from adapters.system.time import SystemClock
from domain.http_request import HttpRequest
from domain.outcome import DispatchResult, FailureKind
from domain.push_queue import Target
from domain.push_request import request_of
from domain.push_task import PushTask
from domain.signing import SigningSecret
from domain.target_policy import TargetPolicy
from ports.http import HttpDispatcher
from ports.testing.http import HttpTarget
from ports.testing.scenario import scenario
from tests.contract.doubles.tls import server_context

Connect = Callable[..., HttpDispatcher]
LONG = 30.0


def connect_httpx(policy: str = "any", ca_file: Path | None = None) -> HttpDispatcher:
    context = ssl.create_default_context(cafile=ca_file) if ca_file else None
    return HttpxDispatcher(clock=SystemClock(), policy=TargetPolicy.parse(policy), ssl_context=context)


def connect_curl(policy: str = "any", ca_file: Path | None = None) -> HttpDispatcher:
    return CurlDispatcher(clock=SystemClock(), policy=TargetPolicy.parse(policy), ca_file=ca_file)


@pytest.fixture(params=[connect_httpx, connect_curl], ids=["httpx", "curl"])
def connect(request: pytest.FixtureRequest) -> Connect:
    return request.param


@pytest.fixture
def target() -> Iterator[HttpTarget]:
    with HttpTarget() as target:
        yield target


@pytest.fixture
def tls_target(tmp_path: Path) -> Iterator[HttpTarget]:
    with HttpTarget(server_context(tmp_path, "localhost")) as target:
        yield target


async def dispatch(dispatcher: HttpDispatcher, url: str) -> DispatchResult:
    result = await dispatcher.dispatch(HttpRequest(url, body=b"{}"), LONG)
    await dispatcher.close()
    return result


@pytest.mark.parametrize("policy", ["any", "127.0.0.0/8", "localhost"])
@scenario
async def test_a_certificate_of_a_trusted_authority_is_good(
    connect: Connect, tls_target: HttpTarget, tmp_path: Path, policy: str
) -> None:
    result = await dispatch(connect(policy, tmp_path / "cert.pem"), tls_target.url("/status/200", host="localhost"))
    assert result.status == 200, result


@scenario
async def test_a_certificate_that_nobody_trusts_is_a_failure_of_tls(connect: Connect, tls_target: HttpTarget) -> None:
    result = await dispatch(connect(), tls_target.url("/status/200", host="localhost"))
    assert result.failure is FailureKind.TLS, result
    assert tls_target.received == []


@scenario
async def test_a_certificate_for_another_host_is_a_failure_of_tls(
    connect: Connect, tls_target: HttpTarget, tmp_path: Path
) -> None:
    result = await dispatch(connect("any", tmp_path / "cert.pem"), tls_target.url("/status/200", host="127.0.0.1"))
    assert result.failure is FailureKind.TLS, result
    assert tls_target.received == []


@scenario
async def test_a_signed_request_is_verified_by_the_standards_own_library(connect: Connect, target: HttpTarget) -> None:
    secret = "whsec_" + base64.b64encode(bytes(range(32))).decode()
    trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    task = PushTask("task-1", target.url("/status/200"), "POST", payload={"ü": [1, 2.5, None]}, traceparent=trace)
    now, secrets = datetime.now(UTC), [SigningSecret.parse(secret)]
    dispatcher = connect()
    await dispatcher.dispatch(request_of(task, Target(), queue="emails", now=now, secrets=secrets), LONG)
    await dispatcher.close()
    (received,) = target.received
    headers = {name.lower(): value for name, value in received.headers}
    assert Webhook(secret).verify(received.body, headers) == task.payload
    assert (headers["traceparent"], headers["x-cloudtasks-taskname"], headers["webhook-id"]) == (
        trace,
        "task-1",
        "task-1",
    )


OPEN_FILES = Path("/proc/self/fd")


def open_files() -> int:
    return len(list(OPEN_FILES.iterdir()))


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="this system does not list a process's open files")
@pytest.mark.parametrize("policy", ["any", "localhost"])
@scenario
async def test_no_file_stays_open_however_requests_end(connect: Connect, target: HttpTarget, policy: str) -> None:
    dispatcher = connect(policy)
    paths = ["/status/200", "/hang-up", "/short", "/last", "/garbage", "/body/100"]

    async def round_of_requests() -> None:
        for path in paths:
            await dispatcher.dispatch(HttpRequest(target.url(path, host="localhost")), LONG)
        await dispatcher.dispatch(HttpRequest(target.url("/wait", host="localhost")), 0.05)
        await dispatcher.dispatch(HttpRequest(target.url("/status/200", host="127.0.0.1")), LONG)

    for _ in range(3):
        await round_of_requests()
    before = open_files()
    for _ in range(5):
        await round_of_requests()
    # the target is in this process, and some of its ends may not be closed yet
    assert open_files() <= before + len(paths)
    await dispatcher.close()


@scenario
async def test_a_name_that_changes_its_address_is_judged_by_the_one_connected_to(
    target: HttpTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [["127.0.0.1"], ["10.255.255.1"]]
    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolver(answers))
    result = await dispatch(connect_httpx("127.0.0.0/8"), target.url("/status/200", host="rebinding.example"))
    assert result.status == 200
    assert answers == [["10.255.255.1"]], "a second look-up was made"


@scenario
async def test_of_several_addresses_only_those_allowed_are_tried(
    target: HttpTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolver([["10.255.255.1", "127.0.0.1"]]))
    result = await dispatch(connect_httpx("127.0.0.0/8"), target.url("/status/200", host="two.example"))
    assert result.status == 200


def resolver(answers: list[list[str]]) -> Callable[..., Awaitable[list[tuple]]]:
    """A look-up that gives the next of `answers` each time."""

    async def resolve(_host: str, port: int, **_: object) -> list[tuple]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in answers.pop(0)]

    return resolve
