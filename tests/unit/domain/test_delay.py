"""A delay is the sum of the levels that its routing key passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.delay import (
    LEVELS,
    LONGEST,
    TICKS_A_SECOND,
    address,
    entrance,
    exit_pattern,
    levels_of,
    pattern,
    routing_key,
    seconds_at,
    ticks_of,
)

TICKS = st.integers(0, LONGEST)
QUEUES = st.text(min_size=1, max_size=300)


def matches(binding: str, key: str) -> bool:
    """As a topic exchange does: a star is one word, a hash any number of them."""
    pattern, words = binding.split("."), key.split(".")
    if pattern[-1] == "#":
        pattern, words = pattern[:-1], words[: len(pattern) - 1]
    return len(pattern) == len(words) and all(want in ("*", word) for want, word in zip(pattern, words, strict=True))


def journey(key: str, queue: str) -> list[float]:
    """The seconds that each level holds a message with `key`, until it comes out at `queue`."""
    held = []
    for level in reversed(range(LEVELS)):
        stays, passes = matches(pattern(level, 1), key), matches(pattern(level, 0), key)
        assert stays != passes
        if stays:
            held.append(seconds_at(level))
    assert matches(exit_pattern(queue), key)
    return held


def test_25_levels_hold_48_days() -> None:
    assert [seconds_at(level) for level in (0, 1, 2, 3, LEVELS - 1)] == [0.125, 0.25, 0.5, 1, 2_097_152]
    assert LONGEST // TICKS_A_SECOND // 86_400 == 48


@given(TICKS, QUEUES)
def test_a_message_is_held_for_exactly_its_delay_and_comes_out_at_its_queue(ticks: int, queue: str) -> None:
    assert sum(journey(routing_key(ticks, queue), queue)) == ticks / TICKS_A_SECOND


@given(TICKS)
def test_levels_are_passed_downwards_each_once(ticks: int) -> None:
    levels = levels_of(ticks)
    assert list(levels) == sorted(set(levels), reverse=True)
    assert entrance(ticks) == (levels[0] if levels else None)


@given(TICKS, QUEUES)
def test_a_routing_key_fits_amqp_and_a_queue_is_never_a_wildcard(ticks: int, queue: str) -> None:
    assert len(routing_key(ticks, queue).encode("utf-8", "surrogatepass")) <= 255
    assert not {"*", "#"} & set(address(queue).split("."))


@given(QUEUES, QUEUES)
def test_what_is_for_one_queue_comes_out_at_no_other(queue: str, other: str) -> None:
    assert matches(exit_pattern(other), routing_key(5, queue)) == (queue == other)


@pytest.mark.parametrize("queue", ["emails", "a.b.c", "minha-fila-de-emails", "é"])
def test_an_ordinary_queue_is_addressed_by_its_name(queue: str) -> None:
    assert routing_key(6, queue) == f"{'0.' * 22}1.1.0.{queue}"


@given(st.floats(-10, LONGEST / TICKS_A_SECOND))
def test_a_delay_is_never_shortened_and_lengthened_by_a_tick_at_most(delay: float) -> None:
    assert 0 <= ticks_of(delay) / TICKS_A_SECOND - max(0.0, delay) <= 1 / TICKS_A_SECOND


def test_a_delay_beyond_the_longest_is_the_longest() -> None:
    assert ticks_of(1e12) == LONGEST


@pytest.mark.parametrize("ticks", [-1, LONGEST + 1])
def test_what_no_level_holds_is_refused(ticks: int) -> None:
    with pytest.raises(ValueError, match="levels hold"):
        levels_of(ticks)
