"""How workers share a queue without getting in each other's way."""

import hashlib
import math
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def slice_of(key: str, slices: int) -> int:
    """Which of `slices` equal shares of the queue `key` belongs to; the same on every machine."""
    digest = hashlib.sha256(key.encode()).digest()
    return int.from_bytes(digest[:8], "big") % slices


def share_out(keys: Sequence[str], session: str, live: Sequence[str]) -> list[str]:
    """`keys` in the order in which `session` should try to claim them.

    Its own slice first, in queue order, then the others': workers that read the same head of the queue rarely reach
    for the same item, and none starves when its own slice is empty. A session not yet among `live` is counted in.
    """
    sessions = sorted({*live, session})
    own = sessions.index(session)
    slices = len(sessions)
    return sorted(keys, key=lambda key: (slice_of(key, slices) - own) % slices)


def claim_ahead(*, slots: int, batch: int, mean_duration: float | None, horizon: float = 1.0) -> int:
    """How many items a worker with `slots` parallel slots should hold: what it can work off in `horizon` seconds.

    Slow work is claimed as it is needed, so that no item waits on a busy worker while another is idle; fast work is
    claimed up to `batch` ahead, so that the store is asked seldom. Never less than `slots`.
    """
    if mean_duration is None:
        return slots
    if mean_duration * batch <= slots * horizon:
        return max(slots, batch)
    return max(slots, math.ceil(slots * horizon / mean_duration))
