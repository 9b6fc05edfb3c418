"""Jitter: spreading what would otherwise happen at once.

The names are those of "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015); the draw comes in as a value.
"""

from enum import StrEnum
from typing import assert_never


class Jitter(StrEnum):
    NONE = "none"
    FULL = "full"
    EQUAL = "equal"
    ADDED = "added"

    def apply(self, delay: float, unit: float) -> float:
        """`delay` seconds, jittered by `unit` in [0, 1).

        NONE keeps it, FULL draws from [0, delay), EQUAL from [delay/2, delay), ADDED from [delay, 1.1 delay): never
        earlier than asked.
        """
        match self:
            case Jitter.NONE:
                return delay
            case Jitter.FULL:
                return delay * unit
            case Jitter.EQUAL:
                return delay * (1 + unit) / 2
            case Jitter.ADDED:
                return delay * (1 + unit / 10)
            case _:
                assert_never(self)


def decorrelated(previous: float, *, base: float, cap: float, unit: float) -> float:
    """The next of a series of delays, each drawn from [base, 3 × previous), at most `cap` seconds."""
    return min(cap, base + unit * (max(base, previous * 3) - base))
