"""The formula of Cloud Tasks, and when retrying ends."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.jitter import Jitter
from domain.retry import UNLIMITED, DeadLetter, RetryAt, RetryPolicy

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def decide(policy: RetryPolicy, attempt: int = 1, elapsed: float = 0, unit: float = 0.0, **more: datetime):
    began = NOW - timedelta(seconds=elapsed)
    return policy.decide(attempt=attempt, first_attempt_at=began, now=NOW, unit=unit, **more)


def seconds(decision: RetryAt | DeadLetter) -> float:
    assert isinstance(decision, RetryAt)
    return (decision.at - NOW).total_seconds()


def test_the_interval_doubles_then_grows_linearly_then_stays() -> None:
    policy = RetryPolicy(min_backoff=10, max_backoff=300, max_doublings=3)
    assert [policy.backoff(n) for n in range(1, 9)] == [10, 20, 40, 80, 160, 240, 300, 300]


@given(st.integers(1, 30), st.integers(0, 20))
def test_the_interval_is_that_of_cloud_tasks(retry: int, doublings: int) -> None:
    policy = RetryPolicy(min_backoff=0.5, max_backoff=1e12, max_doublings=doublings)
    if retry <= doublings + 1:
        assert policy.backoff(retry) == 0.5 * 2 ** (retry - 1)
    else:
        assert policy.backoff(retry) == 0.5 * 2**doublings * (retry - doublings)


@given(
    st.floats(0.001, 100),
    st.floats(0.001, 10_000),
    st.integers(0, 5000),
    st.integers(1, 10_000),
)
def test_the_interval_never_shrinks_and_never_passes_its_maximum(low: float, high: float, d: int, n: int) -> None:
    policy = RetryPolicy(min_backoff=low, max_backoff=high, max_doublings=d)
    assert policy.backoff(n) <= policy.backoff(n + 1) <= high


def test_attempts_count_the_first() -> None:
    policy = RetryPolicy(max_attempts=3)
    assert isinstance(decide(policy, attempt=2), RetryAt)
    assert decide(policy, attempt=3) == DeadLetter("gave up after 3 attempts")
    assert decide(RetryPolicy(max_attempts=1)) == DeadLetter("gave up after 1 attempt")


def test_unlimited_attempts_never_end() -> None:
    assert isinstance(decide(RetryPolicy(max_attempts=UNLIMITED), attempt=10**9, elapsed=10**9), RetryAt)


def test_with_both_limits_both_must_be_used_up() -> None:
    policy = RetryPolicy(max_attempts=3, max_retry_duration=60)
    assert isinstance(decide(policy, attempt=5, elapsed=59), RetryAt)
    assert isinstance(decide(policy, attempt=2, elapsed=61), RetryAt)
    assert isinstance(decide(policy, attempt=3, elapsed=60), DeadLetter)


def test_a_duration_alone_is_a_limit() -> None:
    policy = RetryPolicy(max_attempts=UNLIMITED, max_retry_duration=60)
    assert isinstance(decide(policy, attempt=500, elapsed=59.9), RetryAt)
    assert isinstance(decide(policy, attempt=1, elapsed=60), DeadLetter)


def test_the_later_of_retry_after_and_backoff_is_taken_but_no_more_than_the_maximum() -> None:
    policy = RetryPolicy(min_backoff=10, max_backoff=100)
    assert seconds(decide(policy, retry_after=NOW + timedelta(seconds=30))) == 30
    assert seconds(decide(policy, retry_after=NOW + timedelta(seconds=3))) == 10
    assert seconds(decide(policy, retry_after=NOW - timedelta(seconds=3))) == 10
    assert seconds(decide(policy, retry_after=NOW + timedelta(days=30))) == 100


@given(st.floats(0, 1, exclude_max=True))
def test_jitter_on_top_never_comes_early(unit: float) -> None:
    policy = RetryPolicy(min_backoff=10, jitter=Jitter.ADDED)
    assert 10 <= seconds(decide(policy, unit=unit)) <= 11


@given(
    attempt=st.integers(1, 50),
    elapsed=st.floats(0, 1000),
    max_attempts=st.just(UNLIMITED) | st.integers(1, 50),
    max_duration=st.just(0.0) | st.floats(1, 1000),
)
def test_retrying_ends_when_every_limit_that_is_set_is_used_up(
    attempt: int, elapsed: float, max_attempts: int, max_duration: float
) -> None:
    policy = RetryPolicy(max_attempts=max_attempts, max_retry_duration=max_duration)
    attempts_left = max_attempts != UNLIMITED and attempt < max_attempts
    since = (NOW - (NOW - timedelta(seconds=elapsed))).total_seconds()  # what a datetime's microseconds leave of it
    time_left = max_duration > 0 and since < max_duration
    unlimited = max_attempts == UNLIMITED and max_duration == 0
    goes_on = isinstance(decide(policy, attempt=attempt, elapsed=elapsed), RetryAt)
    assert goes_on == (attempts_left or time_left or unlimited)


@pytest.mark.parametrize("field", ["min_backoff", "max_backoff", "max_doublings", "max_retry_duration"])
def test_a_negative_setting_is_refused(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        RetryPolicy(**{field: -1})


@pytest.mark.parametrize("attempts", [0, -2])
def test_a_limit_that_is_none_is_refused(attempts: int) -> None:
    with pytest.raises(ValueError, match="max_attempts"):
        RetryPolicy(max_attempts=attempts)
