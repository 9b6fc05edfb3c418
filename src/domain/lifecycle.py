"""One state machine for sources, tasks and push messages alike.

```
                 claim                complete
    PENDING ───────────────▶ CLAIMED ───────────▶ COMPLETED ──┐ rescan
      ▲ ▲                     │  │ fail                        │
      │ └─ retry · release · bury │                            │
      │                          ▼                             │
      ├────── redrive ───────── FAILED ── discard ─▶ DISCARDED │
      └────────────────────────────────────────────────────────┘
```
"""

from datetime import datetime
from enum import StrEnum
from typing import assert_never

from attrs import frozen

from domain.errors import InvalidTransition


class State(StrEnum):
    """Where an item stands. COMPLETED is in the History, FAILED in the dead-letter queue (DLQ)."""

    PENDING = "PENDING"
    CLAIMED = "CLAIMED"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    DISCARDED = "DISCARDED"


@frozen
class Claimed:
    """A session took the item."""


@frozen
class Completed:
    """The work is done."""


@frozen
class Failed:
    """The work failed for good; ``error`` is the whole text that a person will read in the DLQ."""

    error: str


@frozen
class Retried:
    """The work failed, and is due again at ``not_before``."""

    error: str
    not_before: datetime


@frozen
class Released:
    """The holder gives the item back unworked. The attempt does not count."""


@frozen
class Buried:
    """The holder died. The attempt does not count; the crash does."""


@frozen
class Redriven:
    """A person sends a dead item back to the queue, with its attempts counted afresh."""


@frozen
class Rescanned:
    """A finished item is due again. ``full`` asks for a whole pass instead of stopping at what is known."""

    full: bool = False


@frozen
class Discarded:
    """A person gives a dead item up. Its key stays known, so that no later scan brings it back."""


Settled = Completed | Failed | Retried | Released
"""What the holder of a claim may say of it."""

Intervention = Redriven | Rescanned | Discarded
"""What a person may do to an item that nobody holds."""

Event = Claimed | Settled | Buried | Intervention


def transition(state: State, event: Event) -> State:
    """The state after `event`.

    Raises:
        InvalidTransition: `state` does not allow `event`.
    """
    match event:
        case Claimed():
            allowed, after = State.PENDING, State.CLAIMED
        case Completed():
            allowed, after = State.CLAIMED, State.COMPLETED
        case Failed():
            allowed, after = State.CLAIMED, State.FAILED
        case Retried() | Released() | Buried():
            allowed, after = State.CLAIMED, State.PENDING
        case Redriven():
            allowed, after = State.FAILED, State.PENDING
        case Rescanned():
            allowed, after = State.COMPLETED, State.PENDING
        case Discarded():
            allowed, after = State.FAILED, State.DISCARDED
        case _:
            assert_never(event)
    if state is not allowed:
        raise InvalidTransition(f"{type(event).__name__} needs an item that is {allowed}, this one is {state}")
    return after


MAX_CRASHES = 5
"""How many holders an item may lose before it is dead, unless somebody says otherwise."""


def after_burial(crashes: int, max_crashes: int = MAX_CRASHES) -> Buried | Failed:
    """What becomes of an item whose holder has died for the `crashes`-th time (from 1).

    An item that takes its worker down with it must not take every worker down: after `max_crashes` it is dead.
    """
    if crashes < max_crashes:
        return Buried()
    return Failed(f"its worker died while holding it, {crashes} times: it may be what kills them")
