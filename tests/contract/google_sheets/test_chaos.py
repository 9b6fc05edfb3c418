"""Chaos by seeds: CHAOS_SEEDS=2000 runs so many, each an interleaving of its own."""

import os

import pytest

from tests.contract.google_sheets.chaos import Chaos

SEEDS = int(os.environ.get("CHAOS_SEEDS", "40"))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_nothing_is_lost_doubled_or_stuck_whatever_happens(seed: int) -> None:
    assert Chaos(seed, restless=400.0).run() == []
