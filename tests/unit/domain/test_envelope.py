"""The wire format of boreal-push-queue 0.2.1, both ways, and what travels beside it."""

import json
from datetime import UTC, datetime

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from domain.envelope import Envelope, decode, encode, headers_of
from domain.errors import MessageUndecodable, TaskRefused
from domain.jitter import Jitter
from domain.push_limits import TRACEPARENT
from domain.push_task import Attempts, PushTask
from domain.retry import RetryPolicy

NOW = datetime(2026, 12, 1, 14, 3, 22, tzinfo=UTC)
TASK = PushTask("task-1", "https://x.example/a", "POST", payload={"id": "1"}, created_at=NOW)
WHOLE = PushTask(
    "task-1",
    "https://x.example/a",
    "POST",
    {"X-A": "é"},
    {"id": "1", "é": [1, 2.5, None]},
    created_at=NOW,
    schedule_time=NOW.replace(microsecond=500),
    deadline=12.5,
    retry=RetryPolicy(max_attempts=3, jitter=Jitter.FULL),
    priority=7,
    traceparent="00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    max_requests=10,
    attempts=Attempts(2, 1, NOW, 503, "HTTP 503"),
)

# published by boreal-push-queue 0.2.1
FROM_BOREAL = (
    '{"metadata": {"target_url": "https://x.example/a", "method": "POST", "timestamp": "2026-12-01T14:03:22Z", '
    '"headers": {"X-A": "é"}, "max_requests": 10}, "payload": {"id": "1", "é": [1, 2.5, null]}}'
).encode()

times = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds are naive
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
push_tasks = st.builds(
    PushTask,
    id=st.from_regex(r"[\x21-\x7e]{1,255}", fullmatch=True),
    url=st.text(max_size=50),
    method=st.sampled_from(["", "GET", "POST"]),
    headers=st.dictionaries(st.text(), st.text()),
    payload=json_values,
    created_at=st.none() | times,
    schedule_time=st.none() | times,
    deadline=st.none() | st.integers(1, 1740).map(float),
    retry=st.none() | st.builds(RetryPolicy, max_attempts=st.just(-1) | st.integers(1), jitter=st.sampled_from(Jitter)),
    priority=st.integers(0, 9),
    traceparent=st.just("") | st.from_regex(TRACEPARENT, fullmatch=True),
    max_requests=st.none() | st.integers(1, 1000),
    attempts=st.builds(
        Attempts, st.integers(0, 10**9), st.integers(0, 10**9), st.none() | times, st.none() | st.integers(100, 599)
    ),
)


def read(body: bytes | str, **headers: str) -> PushTask:
    raw = body.encode() if isinstance(body, str) else body
    return decode(Envelope(raw, headers={name.replace("_", "-"): text for name, text in headers.items()}), new_id="new")


def test_our_body_is_boreals_to_the_byte() -> None:
    assert encode(WHOLE).body == FROM_BOREAL


def test_what_boreal_published_is_a_task_with_a_new_id() -> None:
    assert read(FROM_BOREAL) == PushTask(
        "new",
        "https://x.example/a",
        "POST",
        {"X-A": "é"},
        {"id": "1", "é": [1, 2.5, None]},
        created_at=NOW,
        max_requests=10,
    )


def test_a_task_comes_back_as_it_went() -> None:
    assert decode(encode(WHOLE), new_id="unused") == WHOLE


@given(push_tasks)
def test_every_task_comes_back_as_it_went(task: PushTask) -> None:
    assert decode(encode(task), new_id="unused") == task


@given(push_tasks)
def test_no_header_is_the_brokers(task: PushTask) -> None:
    assert not [name for name in encode(task).headers if name.lower().startswith("x-")]


def test_a_retry_changes_nothing_but_the_headers() -> None:
    again = TASK.retried(NOW, Attempts(1, 0, NOW, None, "timeout"))
    assert encode(again).body == encode(TASK).body
    assert headers_of(TASK) == {}
    assert set(headers_of(again)) == {
        "mutirao-schedule-time",
        "mutirao-failed",
        "mutirao-first-attempt",
        "mutirao-last-reason",
    }


def test_what_a_message_leaves_out_is_left_to_the_queue() -> None:
    task = read('{"metadata": {}, "payload": [1]}')
    assert (task.url, task.method, task.headers, task.payload) == ("", "", {}, [1])


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"headers": None, "max_requests": None}, PushTask("new")),
        ({"headers": []}, PushTask("new")),
        ({"headers": {"X": 1, "Y": True, "Z": 1.5}}, PushTask("new", headers={"X": "1", "Y": "True", "Z": "1.5"})),
        ({"max_requests": "7"}, PushTask("new", max_requests=7)),
        ({"max_requests": "many"}, PushTask("new")),
        ({"max_requests": 1e999}, PushTask("new")),
        ({"method": "get"}, PushTask("new", method="GET")),
        ({"timestamp": "t"}, PushTask("new")),
        ({"timestamp": 5}, PushTask("new")),
        ({"timestamp": "2026-12-01T14:03:22"}, PushTask("new", created_at=NOW)),
        ({"unheard": "of"}, PushTask("new")),
    ],
    ids=str,
)
def test_a_message_is_read_as_generously_as_boreal_reads_it(metadata: dict, expected: PushTask) -> None:
    body = json.dumps({"metadata": metadata, "payload": None}).replace("Infinity", "1e999")
    assert read(body) == expected


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (b"", "no JSON"),
        (b"\xff", "no JSON in UTF-8"),
        (b"{", "no JSON"),
        ('{"metadata": {}}', "not of the form"),
        ('{"payload": 1}', "not of the form"),
        ('{"metadata": [], "payload": 1}', "not of the form"),
        ("[1]", "not of the form"),
        ("null", "not of the form"),
        ('{"metadata": {"headers": ["x"]}, "payload": 1}', "headers are no object"),
        ('{"metadata": {"headers": "x"}, "payload": 1}', "headers are no object"),
        ('{"metadata": {"target_url": 5}, "payload": 1}', "target_url is no text"),
        ('{"metadata": {"method": ["GET"]}, "payload": 1}', "method is no text"),
        ('{"metadata": {}, "payload": NaN}', "NaN is no number"),
        ('{"metadata": {}, "payload": -Infinity}', "Infinity is no number"),
        ('{"metadata": {}, "payload": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"metadata": {}, "payload": ' + "9" * 5000 + "}", "no JSON"),
        ('{"metadata": {}, "payload": "' + "a" * 1_000_000 + '"}', "at most 1000000"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else repr(value),
)
def test_what_is_no_task_is_undecodable_with_its_reason(body: bytes | str, complaint: str) -> None:
    with pytest.raises(MessageUndecodable, match=complaint):
        read(body)


@pytest.mark.parametrize(
    "headers",
    [
        {"mutirao_failed": "-1"},
        {"mutirao_failed": "9" * 5000},
        {"mutirao_deadline": "nan"},
        {"mutirao_deadline": "-5"},
        {"mutirao_deadline": "inf"},
        {"mutirao_schedule_time": "tomorrow"},
        {"mutirao_retry": "{"},
        {"mutirao_retry": "[]"},
        {"mutirao_retry": '{"max_attempts": 0}'},
        {"mutirao_retry": '{"max_attempts": "3"}'},
        {"mutirao_retry": '{"max_backoff": 1e300}'},
        {"mutirao_retry": '{"max_backoff": NaN}'},
        {"mutirao_retry": '{"jitter": "wild"}'},
        {"mutirao_retry": '{"unheard": 1}'},
    ],
    ids=str,
)
def test_a_header_of_ours_that_cannot_be_read_is_undecodable(headers: dict[str, str]) -> None:
    with pytest.raises(MessageUndecodable, match=next(iter(headers)).replace("_", "-")):
        read('{"metadata": {}, "payload": null}', **headers)


def test_a_trace_that_cannot_be_read_is_dropped() -> None:
    assert read('{"metadata": {}, "payload": null}', traceparent="x\r\nY: z").traceparent == ""


@pytest.mark.parametrize("identifier", ["a b", "a\r\nX: y", "é", "x" * 256])
def test_a_message_id_that_could_not_be_sent_along_is_undecodable(identifier: str) -> None:
    with pytest.raises(MessageUndecodable, match="message id"):
        decode(evolve(encode(TASK), id=identifier), new_id="new")


@given(st.binary(max_size=100) | json_values.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_a_task_or_undecodable(body: bytes) -> None:
    try:
        read(body)
    except MessageUndecodable:
        return
    assert b"metadata" in body


@pytest.mark.parametrize(
    "payload", [float("nan"), float("inf"), object(), {1, 2}, b"bytes", {"a": {"b": object()}}, "\ud800"]
)
def test_a_payload_that_json_cannot_say_is_refused(payload) -> None:
    with pytest.raises(TaskRefused, match="JSON cannot say"):
        encode(evolve(TASK, payload=payload))


def test_a_task_may_have_a_million_bytes_and_no_more() -> None:
    room = 1_000_000 - len(encode(evolve(TASK, payload="")).body)
    assert len(encode(evolve(TASK, payload="a" * room)).body) == 1_000_000
    with pytest.raises(TaskRefused, match="1000001 bytes"):
        encode(evolve(TASK, payload="a" * (room + 1)))
