"""Workers that read the same head of the queue reach for different items, and none starves."""

from hypothesis import given
from hypothesis import strategies as st

from domain.claiming import claim_ahead, share_out, slice_of

KEYS = st.lists(st.text(min_size=1), unique=True, max_size=40)
SESSIONS = st.lists(st.text("abcdef", min_size=1), unique=True, min_size=1, max_size=6)


@given(KEYS, SESSIONS)
def test_every_worker_may_reach_for_everything_its_own_slice_first(keys: list[str], sessions: list[str]) -> None:
    for own, session in enumerate(sorted(sessions)):
        shared = share_out(keys, session, sessions)
        assert sorted(shared) == sorted(keys)
        mine = [key for key in keys if slice_of(key, len(sessions)) == own]
        assert shared[: len(mine)] == mine


@given(KEYS, SESSIONS)
def test_own_slices_are_disjoint_and_cover_all(keys: list[str], sessions: list[str]) -> None:
    slices = [slice_of(key, len(sessions)) for key in keys]
    assert all(0 <= place < len(sessions) for place in slices)


def test_a_session_that_others_do_not_see_yet_is_counted_in() -> None:
    assert sorted(share_out(["a", "b", "c"], "new", [])) == ["a", "b", "c"]


@given(st.integers(1, 50), st.integers(1, 50), st.floats(0, 1e4))
def test_claiming_ahead_stays_between_slots_and_batch(slots: int, batch: int, mean: float) -> None:
    ahead = claim_ahead(slots=slots, batch=batch, mean_duration=mean)
    assert slots <= ahead <= max(slots, batch)


def test_slow_work_is_claimed_as_needed_and_fast_work_ahead() -> None:
    assert claim_ahead(slots=2, batch=25, mean_duration=None) == 2
    assert claim_ahead(slots=2, batch=25, mean_duration=600) == 2
    assert claim_ahead(slots=1, batch=25, mean_duration=0.2) == 5
    assert claim_ahead(slots=1, batch=25, mean_duration=0.001) == 25
    assert claim_ahead(slots=1, batch=25, mean_duration=0) == 25
