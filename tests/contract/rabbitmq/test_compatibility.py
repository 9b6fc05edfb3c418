"""The genuine boreal-push-queue 0.2.1 on the other side, on a queue that it has declared."""

import json
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any

import pytest
from attrs import evolve

from ports.testing.scenario import scenario
from tests.contract.rabbitmq.participants import CLOCK, participant, task
from tests.contract.rabbitmq.wire import exists
from tests.contract.rabbitmq_node import RabbitMqNode

QUEUE_OF_BOREAL = """
import sys
from boreal_push_queue import BorealPushQueue, BorealWorker
url, name, target = sys.argv[1:]
queue = BorealPushQueue(queue_name=name, url=target, headers={"X-Tenant": "7"}, rabbitmq_url=url)
"""
PUBLISHER_OF_BOREAL = (
    QUEUE_OF_BOREAL
    + """
queue.add({"id": 1, "nome": "ação"})
queue.add([1, 2], url=target + "/other", method="PUT", headers={"X-A": "b"}, max_requests=3)
queue.close()
"""
)
WORKER_OF_BOREAL = (
    QUEUE_OF_BOREAL
    + """
BorealWorker(queue, rabbitmq_url=url).start()
"""
)


class Requests(Queue[tuple[str, str, Any, str | None]]):
    """What reached the target: method, path, JSON body, and the header X-N."""


@pytest.fixture
def target() -> Iterator[tuple[str, Requests]]:
    requests = Requests()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            requests.put((self.command, self.path, json.loads(body) if body else None, self.headers["X-N"]))
            self.send_response(204)
            self.end_headers()

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", requests
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def published_by_boreal(rabbitmq_node: RabbitMqNode, prior_python: str, queue: str) -> None:
    """The two tasks of `PUBLISHER_OF_BOREAL`, for http://x.example/a."""
    publisher = [prior_python, "-c", PUBLISHER_OF_BOREAL, rabbitmq_node.url, queue, "http://x.example/a"]
    subprocess.run(publisher, check=True)


@pytest.fixture
def worker_of_boreal(
    rabbitmq_node: RabbitMqNode, prior_python: str, queue: str, target: tuple[str, Requests]
) -> Iterator[None]:
    """At work on a queue that it has declared: it takes no other."""
    worker = subprocess.Popen(
        [prior_python, "-c", WORKER_OF_BOREAL, rabbitmq_node.url, queue, target[0]], stderr=subprocess.DEVNULL
    )
    while not exists(rabbitmq_node.url, queue):
        assert worker.poll() is None
    yield
    worker.terminate()
    worker.wait()


@pytest.mark.usefixtures("published_by_boreal")
@scenario
async def test_we_consume_what_boreal_publishes(rabbitmq_node: RabbitMqNode, queue: str) -> None:
    async with participant(rabbitmq_node.url) as broker:
        deliveries = broker.consume(queue, 5)
        first, second = await anext(deliveries), await anext(deliveries)
        assert (first.task.url, first.task.method) == ("http://x.example/a", "POST")
        assert first.task.payload == {"id": 1, "nome": "ação"}
        assert first.task.headers == {"X-Tenant": "7"}
        assert first.task.created_at is not None
        assert (second.task.url, second.task.method) == ("http://x.example/a/other", "PUT")
        assert (second.task.payload, second.task.max_requests) == ([1, 2], 3)
        assert first.task.id != second.task.id
        # given back, it comes again under the same id, although boreal gave it none
        assert await first.release()
        again = await anext(deliveries)
        assert again.task == first.task
        await deliveries.aclose()


@pytest.mark.usefixtures("worker_of_boreal")
@scenario
async def test_boreals_worker_dispatches_what_we_publish(
    rabbitmq_node: RabbitMqNode, queue: str, target: tuple[str, Requests]
) -> None:
    url, requests = target
    post = evolve(task("post"), url=f"{url}/a", method="POST", payload={"n": 1}, headers={"X-N": "5"})
    get = evolve(task("get"), url=f"{url}/b", method="GET", payload={"q": "ü"}, created_at=CLOCK.now())
    async with participant(rabbitmq_node.url) as broker:
        await broker.publish(queue, [post, get])
    got = sorted(requests.get(timeout=30) for _ in range(2))
    assert got == [("GET", "/b?q=%C3%BC", None, None), ("POST", "/a", {"n": 1}, "5")]
