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
def test_decorrelated_jitter_stays_between_base_and_cap(previous: float, unit: float) -> None:
    assert 0.1 <= decorrelated(previous, base=0.1, cap=60, unit=unit) <= 60


@pytest.mark.parametrize(("workers", "most"), [(0, 1.0), (1, 1.0), (2, 1.5), (5, 3.0)])
def test_jitter_grows_with_the_workers(workers: int, most: float) -> None:
    policy = PacingPolicy()
    assert policy.interval(workers, 0.0) == 1.0
    assert policy.interval(workers, ALMOST_ONE) == pytest.approx(most)
    assert policy.interval(workers, ALMOST_ONE) <= most
