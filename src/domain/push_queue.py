"""A push queue: where its tasks go, how many of them wait, and its dead."""

from collections.abc import Mapping
from datetime import datetime

from attrs import field, frozen

from domain.push_task import PushTask


@frozen
class Target:
    """Where a queue's tasks go that do not say so. Its `headers` go with each task, which may replace them."""

    url: str = ""
    method: str = "POST"
    headers: Mapping[str, str] = field(factory=dict)


@frozen
class DeadTask:
    """A dead letter. `task` is None where the message could not be decoded; `body` is what it was, in any case."""

    id: str
    reason: str
    task: PushTask | None = None
    body: bytes = b""
    died_at: datetime | None = None


@frozen
class Selection:
    """Which dead letters: those of `ids` (None: any) whose reason contains `reason`, case ignored."""

    ids: frozenset[str] | None = None
    reason: str = ""

    def includes(self, letter: DeadTask) -> bool:
        named = self.ids is None or letter.id in self.ids
        return named and self.reason.lower() in letter.reason.lower()


EVERYTHING = Selection()


@frozen
class Depth:
    """How many tasks wait in a queue: due and in nobody's hands, delayed (None: nobody can tell), and dead."""

    due: int
    delayed: int | None
    dead: int
