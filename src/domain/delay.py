"""Delays of any length from queues that each know only one, as powers of two.

Level n holds a message for 2^n ticks of an eighth of a second and passes it down to level n−1. A delay is the sum of
the levels that its binary form names, so that 25 levels make any number of ticks up to 48 days. A message finds its way
by its routing key: one word of 0 or 1 for each level, the highest first, then the queue where it ends.
"""

import hashlib
import math
from collections.abc import Sequence

TICKS_A_SECOND = 8
LEVELS = 25
LONGEST: int = 2**LEVELS - 1
"""The longest delay of one pass, in ticks. What is due later goes round again."""

_LONGEST_KEY = 255
"""AMQP 0-9-1 ends a routing key there (a short string)."""


def seconds_at(level: int) -> float:
    """How long `level` (from 0) holds a message."""
    return float(2**level / TICKS_A_SECOND)


def ticks_of(delay: float) -> int:
    """`delay` seconds in ticks, rounded up so that nothing comes early, and at most `LONGEST`; none for 0 or less."""
    return min(math.ceil(max(0.0, delay) * TICKS_A_SECOND), LONGEST)


def levels_of(ticks: int) -> Sequence[int]:
    """The levels that a delay of `ticks` passes, from the highest down; none for 0."""
    if not 0 <= ticks <= LONGEST:
        raise ValueError(f"the levels hold from 0 to {LONGEST} ticks, not {ticks}")
    return [level for level in reversed(range(LEVELS)) if ticks >> level & 1]


def routing_key(ticks: int, queue: str) -> str:
    """The way of a message that comes to `queue` after `ticks`."""
    through = set(levels_of(ticks))
    bits = ["1" if level in through else "0" for level in reversed(range(LEVELS))]
    return ".".join([*bits, address(queue)])


def entrance(ticks: int) -> int | None:
    """The highest level of a delay, where its message goes in; None for 0."""
    return max(levels_of(ticks), default=None)


def pattern(level: int, bit: int) -> str:
    """The topic binding that takes, at `level`, what is held there (1) or passes it by (0).

    A word is named, and each before it matched by one star. What follows is left to ``#``.
    """
    return ".".join([*["*"] * (LEVELS - 1 - level), str(bit), "#"])


def exit_pattern(queue: str) -> str:
    """The topic binding that takes, below level 0, what is for `queue`."""
    return ".".join([*["*"] * LEVELS, address(queue)])


def address(queue: str) -> str:
    """`queue` as it stands in a routing key: by its name, or by a hash where that would not fit or be a wildcard."""
    fits = 2 * LEVELS + len(queue.encode("utf-8", "surrogatepass")) <= _LONGEST_KEY
    if fits and not {"*", "#"} & set(queue.split(".")):
        return queue
    return hashlib.sha256(queue.encode("utf-8", "surrogatepass")).hexdigest()
