"""Dispatching: both dispatchers against a bare prototype with the same library.

A sink in a process of its own answers at once. "bare" does with its library what it takes to send the same bytes and
see a status, and nothing else: httpx with one `AsyncClient` a slot (one for all is slower the more requests are under
way), pycurl with its multi interface on the loop. "dispatcher" is ours, given a ready request. "whole" makes the
request, too: it reads the task from its message, signs it, adds the headers of Cloud Tasks, and judges the outcome.
"""

import asyncio
import base64
import ssl
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from attrs import frozen

from adapters.curl_push.dispatcher import CurlDispatcher
from adapters.http_push.dispatcher import HttpxDispatcher
from adapters.system.time import SystemClock
from domain.envelope import decode, encode
from domain.http_request import HttpRequest
from domain.outcome import judge
from domain.push_queue import Target
from domain.push_request import request_of
from domain.push_task import PushTask
from domain.retry import RetryPolicy
from domain.signing import SigningSecret
from domain.target_policy import TargetPolicy
from ports.http import HttpDispatcher

REQUESTS = 5_000
ROUNDS = 5
IN_FLIGHT = (10, 100)

Send = Callable[[int], Awaitable[None]]
Contender = Callable[[HttpRequest, int], AbstractAsyncContextManager[Send]]
SECRET = SigningSecret.parse("whsec_" + base64.b64encode(bytes(32)).decode())


@frozen
class Speed:
    """Requests a second, and milliseconds of this process's CPU a request."""

    rate: float
    cpu: float


@asynccontextmanager
async def bare_httpx(request: HttpRequest, slots: int) -> AsyncGenerator[Send, None]:
    import httpx

    context = ssl.create_default_context()
    clients = [httpx.AsyncClient(verify=context, trust_env=False, timeout=10) for _ in range(slots)]

    async def send(slot: int) -> None:
        answer = await clients[slot].request(
            request.method, request.url, headers=dict(request.headers), content=request.body
        )
        assert answer.status_code == 200

    yield send
    for client in clients:
        await client.aclose()


@asynccontextmanager
async def bare_curl(request: HttpRequest, slots: int) -> AsyncGenerator[Send, None]:
    import pycurl

    from adapters.curl_push.multi import CurlLoop

    curl = CurlLoop()
    handles = [pycurl.Curl() for _ in range(slots)]

    async def send(slot: int) -> None:
        easy = handles[slot]
        easy.setopt(pycurl.URL, request.url)
        easy.setopt(pycurl.HTTPHEADER, [f"{name}: {value}" for name, value in request.headers.items()])
        easy.setopt(pycurl.POSTFIELDS, request.body)
        easy.setopt(pycurl.WRITEFUNCTION, len)
        await curl.perform(easy)
        assert easy.getinfo(pycurl.RESPONSE_CODE) == 200

    yield send
    curl.close()


def dispatcher(make: Callable[[], HttpDispatcher]) -> Contender:
    @asynccontextmanager
    async def contender(request: HttpRequest, _slots: int) -> AsyncGenerator[Send, None]:
        ours = make()

        async def send(_slot: int) -> None:
            assert (await ours.dispatch(request, 10)).delivered

        yield send
        await ours.close()

    return contender


def whole(make: Callable[[], HttpDispatcher]) -> Contender:
    @asynccontextmanager
    async def contender(request: HttpRequest, _slots: int) -> AsyncGenerator[Send, None]:
        ours, target, policy, clock = make(), Target(), RetryPolicy(), SystemClock()
        message = encode(PushTask("task-1", request.url, "POST", payload={"number": 1}, created_at=datetime.now(UTC)))

        async def send(_slot: int) -> None:
            began = clock.now()
            task = decode(message, new_id="unused")
            result = await ours.dispatch(request_of(task, target, queue="q", now=began, secrets=[SECRET]), 10)
            verdict = judge(task, result, policy=policy, began=began, now=clock.now(), unit=0.5)
            assert not verdict.attempts.failed

        yield send
        await ours.close()

    return contender


async def speed(contender: Contender, request: HttpRequest, slots: int) -> Speed:
    async with contender(request, slots) as send:
        # connections are made before the clock runs
        await asyncio.gather(*map(send, range(slots)))
        left = iter(range(REQUESTS))

        async def work(slot: int) -> None:
            for _ in left:
                await send(slot)

        began, worked = time.perf_counter(), time.process_time()
        await asyncio.gather(*map(work, range(slots)))
        took, worked = time.perf_counter() - began, time.process_time() - worked
    return Speed(REQUESTS / took, 1000 * worked / REQUESTS)


def httpx_dispatcher() -> HttpDispatcher:
    return HttpxDispatcher(clock=SystemClock(), policy=TargetPolicy(anything=True))


def curl_dispatcher() -> HttpDispatcher:
    return CurlDispatcher(clock=SystemClock(), policy=TargetPolicy(anything=True))


FAMILIES: dict[str, dict[str, Contender]] = {
    "httpx": {"bare": bare_httpx, "dispatcher": dispatcher(httpx_dispatcher), "whole": whole(httpx_dispatcher)},
    "curl": {"bare": bare_curl, "dispatcher": dispatcher(curl_dispatcher), "whole": whole(curl_dispatcher)},
}


@contextmanager
def sink(delay: float = 0.0) -> Iterator[str]:
    """The URL of a sink."""
    program = Path(__file__).parent / "children" / "sink.py"
    with subprocess.Popen([sys.executable, program, str(delay)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/task"
        finally:
            process.kill()


def main() -> None:
    print(f"{REQUESTS} requests, median of {ROUNDS} interleaved rounds; requests a second (CPU ms a request)")
    with sink() as url:
        headers = {"User-Agent": "mutirao", "Accept": "*/*", "Content-Type": "application/json"}
        request = HttpRequest(url, "POST", headers, b'{"number":1}')
        for slots in IN_FLIGHT:
            runs: dict[tuple[str, str], list[Speed]] = {}
            for _ in range(ROUNDS):
                for family, contenders in FAMILIES.items():
                    for name, contender in contenders.items():
                        run = asyncio.run(speed(contender, request, slots))
                        runs.setdefault((family, name), []).append(run)
            for family, contenders in FAMILIES.items():
                report(family, slots, {name: runs[family, name] for name in contenders})


def report(family: str, slots: int, runs: dict[str, list[Speed]]) -> None:
    rates = {name: statistics.median(run.rate for run in several) for name, several in runs.items()}
    costs = {name: statistics.median(run.cpu for run in several) for name, several in runs.items()}
    shown = "   ".join(f"{name} {rates[name]:6.0f} ({costs[name]:.2f})" for name in runs)
    ratios = ", ".join(f"{name} {rates[name] / rates['bare']:.2f}" for name in runs if name != "bare")
    print(f"{family:5} {slots:3} in flight   {shown}   of bare: {ratios}")


if __name__ == "__main__":
    main()
