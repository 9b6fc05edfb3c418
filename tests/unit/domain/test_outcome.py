"""2xx delivers; everything else is a failed attempt with its reason, retried or dead by policy."""

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from domain.lifecycle import Completed, Failed, Retried, State, transition
from domain.outcome import DispatchResult, FailureKind, Verdict, judge
from domain.push_task import Attempts, PushTask
from domain.retry import RetryPolicy

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
BEGAN = NOW - timedelta(seconds=2)
TASK = PushTask("task-1", "https://x.example/")
POLICY = RetryPolicy(max_attempts=3, min_backoff=10, max_backoff=300)


def verdict(result: DispatchResult, task: PushTask = TASK, **more) -> Verdict:
    return judge(task, result, **{"policy": POLICY, "began": BEGAN, "now": NOW, "unit": 0.0, **more})


def answer(status: int, retry_after: str = "") -> DispatchResult:
    return DispatchResult(elapsed=2.0, status=status, retry_after=retry_after)


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_any_2xx_completes(status: int) -> None:
    assert verdict(answer(status)).event == Completed()


@pytest.mark.parametrize("status", [100, 199, 300, 302, 400, 404, 429, 500, 503])
def test_any_other_status_is_a_failed_attempt_that_is_retried(status: int) -> None:
    ruling = verdict(answer(status))
    assert ruling.event == Retried(f"HTTP {status}", NOW + timedelta(seconds=10))
    assert (ruling.attempts.failed, ruling.attempts.first_at, ruling.attempts.last_status) == (1, BEGAN, status)


@pytest.mark.parametrize("kind", set(FailureKind) - {FailureKind.INVALID, FailureKind.BLOCKED})
def test_a_failure_without_a_status_is_retried_with_its_reason(kind: FailureKind) -> None:
    ruling = verdict(DispatchResult(1.0, failure=kind, detail="so it was"))
    assert ruling.event == Retried(f"{kind}: so it was", NOW + timedelta(seconds=10))
    assert ruling.attempts.last_status is None


@pytest.mark.parametrize(
    "result",
    [answer(410), DispatchResult(0, failure=FailureKind.INVALID), DispatchResult(0, failure=FailureKind.BLOCKED)],
    ids=lambda result: result.reason,
)
def test_what_no_retry_can_mend_is_dead_at_once(result: DispatchResult) -> None:
    ruling = verdict(result)
    assert isinstance(ruling.event, Failed)
    assert ruling.event.error.startswith(result.reason)


def test_which_statuses_are_permanent_may_be_chosen() -> None:
    assert isinstance(verdict(answer(404), permanent_statuses={404}).event, Failed)
    assert isinstance(verdict(answer(410), permanent_statuses={404}).event, Retried)


def test_attempts_are_used_up_and_the_reason_says_how() -> None:
    task = evolve(TASK, attempts=Attempts(failed=2, first_at=NOW - timedelta(hours=1)))
    assert verdict(answer(500), task).event == Failed("gave up after 3 attempts: HTTP 500")


def test_the_tasks_own_policy_goes_before_the_queues() -> None:
    task = evolve(TASK, retry=RetryPolicy(max_attempts=1))
    assert verdict(answer(500), task).event == Failed("gave up after 1 attempt: HTTP 500")


def test_retry_after_is_heeded() -> None:
    assert verdict(answer(503, "42")).event == Retried("HTTP 503", NOW + timedelta(seconds=42))
    assert verdict(answer(503, "Thu, 01 Jan 2026 12:01:00 GMT")).event == Retried(
        "HTTP 503", NOW + timedelta(seconds=60)
    )
    assert verdict(answer(503, "soon")).event == Retried("HTTP 503", NOW + timedelta(seconds=10))


def test_answers_are_counted_apart_from_failures_and_5xx_left_out() -> None:
    attempts, policy = Attempts(), RetryPolicy(max_attempts=-1)
    for result in (answer(404), answer(500), DispatchResult(1, failure=FailureKind.TIMEOUT), answer(429)):
        attempts = verdict(result, evolve(TASK, attempts=attempts), policy=policy).attempts
    assert (attempts.failed, attempts.answered, attempts.first_at) == (4, 2, BEGAN)


def test_only_429_and_503_push_back() -> None:
    assert [status for status in range(100, 600) if answer(status).pushes_back] == [429, 503]


def test_every_verdict_is_an_event_that_a_task_in_hand_allows() -> None:
    results = [answer(200), answer(410), answer(500)]
    states = [transition(State.CLAIMED, verdict(result).event) for result in results]
    assert states == [State.COMPLETED, State.FAILED, State.PENDING]
