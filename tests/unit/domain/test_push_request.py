"""The request that a task becomes."""

import base64
import json
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import TaskRefused
from domain.http_request import HttpRequest, problems
from domain.push_queue import Target
from domain.push_request import request_of
from domain.push_task import Attempts, PushTask
from domain.signing import SigningSecret

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
URL = "https://x.example/a"
TASK = PushTask("task-1", URL, "POST", payload={"é": 1})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def sent(task: PushTask, target: Target | None = None, **more) -> HttpRequest:
    return request_of(task, target or Target(), queue="emails", now=NOW, **more)


def test_a_payload_is_sent_as_compact_json() -> None:
    request = sent(TASK)
    assert (request.url, request.method, request.body) == (URL, "POST", '{"é":1}'.encode())
    assert request.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
@given(payload=JSON.filter(lambda value: value is not None))
def test_what_was_enqueued_arrives(method: str, payload) -> None:
    assert json.loads(sent(PushTask("t", URL, method, payload=payload)).body) == payload


def test_no_payload_is_no_body() -> None:
    request = sent(evolve(TASK, payload=None))
    assert request.body == b""
    assert "Content-Type" not in request.headers


@pytest.mark.parametrize(
    ("url", "payload", "sent_to"),
    [
        (URL, {"a": "1", "b": [1, 2], "c": None, "d": True, "e": 1.5}, f"{URL}?a=1&b=1&b=2&c=&d=true&e=1.5"),
        (f"{URL}?x=1", {"a b": "ü&"}, f"{URL}?x=1&a+b=%C3%BC%26"),
        (f"{URL}?x=1#top", {"a": 1}, f"{URL}?x=1&a=1"),
        (URL, {"e": {"f": 1}}, f"{URL}?e=%7B%22f%22%3A1%7D"),
        (f"{URL}?x=1", {}, f"{URL}?x=1"),
        (f"{URL}?x=1", [1, 2], f"{URL}?x=1"),
        (URL, "a=1", URL),
        (URL, None, URL),
    ],
)
def test_a_get_has_an_objects_members_as_its_query_and_no_body(url: str, payload, sent_to: str) -> None:
    request = sent(PushTask("t", url, "get", payload=payload))
    assert (request.url, request.method, request.body) == (sent_to, "GET", b"")


def test_what_a_task_leaves_open_is_the_queues() -> None:
    target = Target("https://queue.example/", "put", {"X-Q": "queue", "X-A": "queue"})
    request = sent(PushTask("t", headers={"x-a": "task"}), target)
    assert (request.url, request.method) == ("https://queue.example/", "PUT")
    assert (request.headers["X-Q"], request.headers["x-a"]) == ("queue", "task")
    assert "X-A" not in request.headers


def test_a_task_may_replace_a_default_header() -> None:
    headers = sent(evolve(TASK, headers={"content-type": "text/x", "USER-AGENT": "me"})).headers
    assert {
        name.lower(): value for name, value in headers.items() if name.lower() in ("content-type", "user-agent")
    } == {
        "content-type": "text/x",
        "user-agent": "me",
    }


@pytest.mark.parametrize(
    "name", ["Content-Length", "transfer-encoding", "Connection", "Expect", "X-CloudTasks-TaskName"]
)
def test_what_is_not_a_tasks_to_say_is_left_out(name: str) -> None:
    headers = sent(evolve(TASK, headers={name: "smuggled"})).headers
    assert "smuggled" not in headers.values()


def test_the_target_learns_about_its_task_as_from_cloud_tasks() -> None:
    attempts = Attempts(failed=3, answered=1, first_at=NOW, last_status=503, last_reason="HTTP 503\r\n→")
    task = TASK.retried(NOW + timedelta(seconds=1.5), attempts)
    assert {name: value for name, value in sent(task).headers.items() if name.startswith("X-CloudTasks-")} == {
        "X-CloudTasks-QueueName": "emails",
        "X-CloudTasks-TaskName": "task-1",
        "X-CloudTasks-TaskRetryCount": "3",
        "X-CloudTasks-TaskExecutionCount": "1",
        "X-CloudTasks-TaskETA": "1767268801.500000",
        "X-CloudTasks-TaskPreviousResponse": "503",
        "X-CloudTasks-TaskRetryReason": "HTTP 503???",
    }


def test_a_first_attempt_has_no_previous_response() -> None:
    headers = sent(TASK).headers
    assert headers["X-CloudTasks-TaskRetryCount"] == "0"
    assert not {"X-CloudTasks-TaskPreviousResponse", "X-CloudTasks-TaskRetryReason"} & set(headers)


def test_a_redriven_task_begins_afresh() -> None:
    tried = TASK.retried(NOW, Attempts(failed=3, first_at=NOW, last_status=500, last_reason="HTTP 500"))
    assert tried.redriven() == TASK


def test_traceparent_is_carried_through() -> None:
    trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    assert sent(evolve(TASK, traceparent=trace)).headers["traceparent"] == trace


def test_with_a_secret_the_request_is_signed_and_a_task_cannot_forge_it() -> None:
    secret = SigningSecret.parse("whsec_" + base64.b64encode(bytes(32)).decode())
    headers = sent(evolve(TASK, headers={"Webhook-Signature": "v1,forged"}), secrets=[secret]).headers
    assert headers["webhook-id"] == "task-1"
    assert [value for name, value in headers.items() if name.lower() == "webhook-signature"] != ["v1,forged"]


@given(st.text(min_size=1), JSON, st.sampled_from(["GET", "POST"]), st.text(max_size=300))
def test_what_we_add_is_always_fit_to_be_sent(queue: str, payload, method: str, reason: str) -> None:
    task = PushTask("t", URL, method, payload=payload, attempts=Attempts(failed=1, last_reason=reason))
    request = request_of(task, Target(), queue=queue, now=NOW)
    assert [problem for problem in problems(request) if "characters" not in problem] == []


def test_half_a_surrogate_pair_arrives_as_it_was_escaped() -> None:
    assert sent(evolve(TASK, payload="\ud800")).body == b'"\\ud800"'
    assert problems(sent(PushTask("t", URL, "GET", payload={"a": "\ud800"}))) == []


def test_what_is_nested_too_deeply_is_refused() -> None:
    payload: list = []
    for _ in range(100_000):
        payload = [payload]
    with pytest.raises(TaskRefused, match="flatten"):
        sent(evolve(TASK, payload=payload))
