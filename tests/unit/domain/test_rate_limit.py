"""A token bucket keeps its limit over every span of time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rate_limit import RateLimit, TokenBucket


def uses(limit: RateLimit, arrivals: list[float]) -> list[float]:
    """When each of those who come at `arrivals` may go on."""
    bucket, times = TokenBucket.full(limit, arrivals[0]), []
    for now in arrivals:
        bucket, wait = bucket.take(limit, now)
        times.append(now + wait)
    return times


def test_a_burst_goes_at_once_and_the_rest_at_the_rate() -> None:
    assert uses(RateLimit(10, burst=3), [0.0] * 6) == pytest.approx([0, 0, 0, 0.1, 0.2, 0.3])


def test_a_rest_fills_the_bucket_but_never_beyond_the_burst() -> None:
    assert uses(RateLimit(10, burst=2), [0.0, 0.0, 100.0, 100.0, 100.0]) == pytest.approx([0, 0, 100, 100, 100.1])


@given(
    st.floats(0.1, 1000),
    st.integers(1, 50),
    st.lists(st.floats(0, 5), min_size=1, max_size=60),
)
def test_no_span_sees_more_than_burst_and_rate(rate: float, burst: int, gaps: list[float]) -> None:
    arrivals = [sum(gaps[:n]) for n in range(1, len(gaps) + 1)]
    times = uses(RateLimit(rate, burst), arrivals)
    assert times == sorted(times)
    for first in range(len(times)):
        for last in range(first, len(times)):
            span = times[last] - times[first]
            assert last - first + 1 <= burst + rate * span + 1e-6


@pytest.mark.parametrize(("rate", "burst"), [(0, 1), (-1, 1), (1, 0), (float("nan"), 1)])
def test_a_limit_that_lets_nothing_through_is_refused(rate: float, burst: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        RateLimit(rate, burst)
