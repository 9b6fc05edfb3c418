"""What a task may ask for, checked before anything is sent."""

from datetime import UTC, datetime

import pytest
from attrs import evolve

from domain.errors import DomainError, TaskRefused
from domain.push_limits import check
from domain.push_task import PushTask
from domain.retry import RetryPolicy

TASK = PushTask("task-1", "https://x.example/")


@pytest.mark.parametrize(
    "good",
    [
        {},
        {"url": "", "method": ""},
        {"url": "https://x.example/ação 1", "method": "get"},
        {"deadline": 1740.0, "priority": 9, "schedule_time": datetime(2026, 1, 1, tzinfo=UTC)},
        {"retry": RetryPolicy(max_attempts=-1, max_backoff=86_400)},
        {"id": "x" * 255},
        {"headers": {"Content-Length": "5"}},  # left out when it is sent
    ],
)
def test_what_keeps_the_limits_passes(good: dict) -> None:
    check(evolve(TASK, **good))


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"id": ""}, "its id must be"),
        ({"id": "a b"}, "its id must be"),
        ({"id": "a\r\nX: y"}, "its id must be"),
        ({"id": "x" * 256}, "its id must be"),
        ({"url": "x.example"}, "must begin with http"),
        ({"url": "https://x.example/" + "a" * 2083}, "2083 are allowed"),
        ({"method": "BREW"}, "must be one of"),
        ({"headers": {"X": "a\nb"}}, "line break"),
        ({"deadline": 0.0}, "deadline of 0 s"),
        ({"deadline": 1741.0}, "at most 1740"),
        ({"deadline": float("nan")}, "deadline of nan"),
        ({"traceparent": "x\r\nY: z"}, "traceparent"),
        ({"priority": 10}, "priority of 10"),
        ({"priority": -1}, "priority of -1"),
        ({"schedule_time": datetime(2026, 1, 1)}, "must be aware"),  # noqa: DTZ001 - it is what is refused
        ({"retry": RetryPolicy(max_backoff=1e300)}, "retry policy"),
        ({"retry": RetryPolicy(max_retry_duration=float("inf"))}, "retry policy"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_breaks_a_limit_is_refused_by_name(wrong: dict, complaint: str) -> None:
    with pytest.raises(TaskRefused, match=complaint) as refusal:
        check(evolve(TASK, **wrong))
    assert isinstance(refusal.value, DomainError)
    assert isinstance(refusal.value, ValueError)


def test_every_broken_limit_is_named_at_once() -> None:
    with pytest.raises(TaskRefused, match=r"'task-1'.*method.*priority"):
        check(evolve(TASK, method="BREW", priority=10))
