"""A delay is the sum of the levels that its routing key passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.delay import (
    LEVELS,
    LONGEST,
    address,
    entrance,
    exit_pattern,
    levels_of,
    pattern,
    routing_key,
    seconds_at,
    split,
)

SECONDS = st.integers(0, LONGEST)
QUEUES = st.text(min_size=1, max_size=300)


def matches(binding: str, key: str) -> bool:
    """As a topic exchange does: a star is one word, a hash any number of them."""
    pattern, words = binding.split("."), key.split(".")
    if pattern[-1] == "#":
        pattern, words = pattern[:-1], words[: len(pattern) - 1]
    return len(pattern) == len(words) and all(want in ("*", word) for want, word in zip(pattern, words, strict=True))


def journey(key: str, queue: str) -> list[int]:
    """The seconds that each level holds a message with `key`, until it comes out at `queue`."""
    held = []
    for level in reversed(range(LEVELS)):
        stays, passes = matches(pattern(level, 1), key), matches(pattern(level, 0), key)
        assert stays != passes
        if stays:
            held.append(seconds_at(level))
    assert matches(exit_pattern(queue), key)
    return held


def test_22_levels_hold_48_days() -> None:
    assert [seconds_at(level) for level in (0, 1, 2, LEVELS - 1)] == [1, 2, 4, 2_097_152]
    assert LONGEST // 86_400 == 48


@given(SECONDS, QUEUES)
def test_a_message_is_held_for_exactly_its_delay_and_comes_out_at_its_queue(seconds: int, queue: str) -> None:
    assert sum(journey(routing_key(seconds, queue), queue)) == seconds


@given(SECONDS)
def test_levels_are_passed_downwards_each_once(seconds: int) -> None:
    levels = levels_of(seconds)
    assert list(levels) == sorted(set(levels), reverse=True)
    assert entrance(seconds) == (levels[0] if levels else None)


@given(SECONDS, QUEUES)
def test_a_routing_key_fits_amqp_and_a_queue_is_never_a_wildcard(seconds: int, queue: str) -> None:
    assert len(routing_key(seconds, queue).encode("utf-8", "surrogatepass")) <= 255
    assert not {"*", "#"} & set(address(queue).split("."))


@given(QUEUES, QUEUES)
def test_what_is_for_one_queue_comes_out_at_no_other(queue: str, other: str) -> None:
    assert matches(exit_pattern(other), routing_key(5, queue)) == (queue == other)


@pytest.mark.parametrize("queue", ["emails", "a.b.c", "minha-fila-de-emails", "é"])
def test_an_ordinary_queue_is_addressed_by_its_name(queue: str) -> None:
    assert routing_key(6, queue) == f"{'0.' * 19}1.1.0.{queue}"


@given(st.floats(-10, LONGEST * 3.0))
def test_a_delay_is_its_whole_seconds_and_a_rest(delay: float) -> None:
    whole, rest = split(delay)
    assert whole + rest == pytest.approx(max(0.0, delay))
    assert 0 <= whole <= LONGEST
    assert rest < 1 or whole == LONGEST


@pytest.mark.parametrize("seconds", [-1, LONGEST + 1])
def test_what_no_level_holds_is_refused(seconds: int) -> None:
    with pytest.raises(ValueError, match="levels hold"):
        levels_of(seconds)
