"""Jitter stays within its bounds; pacing is what yt-gsheet-orchestrator documents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.jitter import Jitter, decorrelated
from domain.pacing import PacingPolicy

UNIT = st.floats(0, 1, exclude_max=True)
ALMOST_ONE = 1 - 2**-53


@given(st.floats(0, 1e6), UNIT)
def test_each_jitter_stays_within_its_bounds(delay: float, unit: float) -> None:
    assert Jitter.NONE.apply(delay, unit) == delay
    assert 0 <= Jitter.FULL.apply(delay, unit) <= delay
    assert delay / 2 <= Jitter.EQUAL.apply(delay, unit) <= delay
    assert delay <= Jitter.ADDED.apply(delay, unit) <= delay * 1.1


@given(st.floats(0.1, 100), UNIT)
def test_decorrelated_jitter_grows_threefold_at_most_and_stays_between_base_and_cap(
    previous: float, unit: float
) -> None:
    following = decorrelated(previous, base=0.1, cap=60, unit=unit)
    assert 0.1 <= following <= min(60, previous * 3)


def test_the_whole_range_of_a_jitter_is_used() -> None:
    assert [jitter.apply(10, 0) for jitter in Jitter] == [10, 0, 5, 10]
    assert [jitter.apply(10, ALMOST_ONE) for jitter in Jitter] == pytest.approx([10, 10, 10, 11])
    assert decorrelated(5, base=1, cap=60, unit=0) == 1
    assert decorrelated(5, base=1, cap=60, unit=ALMOST_ONE) == pytest.approx(15)


@pytest.mark.parametrize(("workers", "most"), [(0, 1.0), (1, 1.0), (2, 1.5), (5, 3.0)])
def test_jitter_grows_with_the_workers(workers: int, most: float) -> None:
    policy = PacingPolicy()
    assert policy.interval(workers, 0.0) == 1.0
    assert policy.interval(workers, ALMOST_ONE) == pytest.approx(most)
    assert policy.interval(workers, ALMOST_ONE) <= most


@given(st.floats(0, 10), st.floats(0, 10), st.integers(0, 100), UNIT)
def test_the_interval_is_never_below_its_base(base: float, spread: float, workers: int, unit: float) -> None:
    assert base <= PacingPolicy(base, spread).interval(workers, unit) <= base + spread * workers
