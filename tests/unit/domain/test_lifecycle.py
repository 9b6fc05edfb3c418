"""Every state × event pair has one answer."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import InvalidTransition
from domain.lifecycle import (
    Buried,
    Claimed,
    Completed,
    Discarded,
    Event,
    Failed,
    Redriven,
    Released,
    Rescanned,
    Retried,
    State,
    after_burial,
    transition,
)

LATER = datetime(2026, 1, 1, tzinfo=UTC)

ALLOWED = {
    (State.PENDING, Claimed()): State.CLAIMED,
    (State.CLAIMED, Completed()): State.COMPLETED,
    (State.CLAIMED, Failed("no")): State.FAILED,
    (State.CLAIMED, Retried("no", LATER)): State.PENDING,
    (State.CLAIMED, Released()): State.PENDING,
    (State.CLAIMED, Buried()): State.PENDING,
    (State.FAILED, Redriven()): State.PENDING,
    (State.FAILED, Discarded()): State.DISCARDED,
    (State.COMPLETED, Rescanned()): State.PENDING,
    (State.COMPLETED, Rescanned(full=True)): State.PENDING,
}
EVENTS: list[Event] = list(dict.fromkeys(event for _, event in ALLOWED))
PAIRS = [(state, event) for state in State for event in EVENTS]


@pytest.mark.parametrize(("state", "event"), PAIRS, ids=lambda value: getattr(value, "name", type(value).__name__))
def test_each_event_moves_the_states_that_allow_it_and_no_other(state: State, event: Event) -> None:
    if (state, event) in ALLOWED:
        assert transition(state, event) is ALLOWED[state, event]
    else:
        with pytest.raises(InvalidTransition, match=state):
            transition(state, event)


def test_every_pair_is_covered() -> None:
    assert len(PAIRS) == len(State) * len(EVENTS)
    assert {type(event) for event in EVENTS} == set(Event.__args__)


def test_an_item_bears_so_many_crashes_and_no_more() -> None:
    assert after_burial(4, 5) == Buried()
    assert isinstance(after_burial(5, 5), Failed)
    assert "5 times" in after_burial(5, 5).error


def test_an_item_never_bears_fewer_crashes_than_it_has_had() -> None:
    assert isinstance(after_burial(7, 5), Failed)
    assert after_burial(4) == Buried()
    assert isinstance(after_burial(5), Failed)


@given(st.lists(st.sampled_from(EVENTS)))
def test_whatever_happens_an_item_is_worked_on_only_after_a_claim(events: list[Event]) -> None:
    state, held = State.PENDING, False
    for event in events:
        try:
            state = transition(state, event)
        except InvalidTransition:
            continue
        held = isinstance(event, Claimed)
        assert (state is State.CLAIMED) == held
