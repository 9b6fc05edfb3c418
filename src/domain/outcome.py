"""What an attempt came to, and what follows from it."""

from collections.abc import Set
from datetime import datetime
from enum import StrEnum

from attrs import evolve, frozen

from domain.lifecycle import Completed, Failed, Retried
from domain.push_task import Attempts, PushTask
from domain.retry import DeadLetter, RetryAt, RetryPolicy
from domain.retry_after import retry_after

PERMANENT_STATUSES = frozenset({410})
"""Statuses after which trying again is useless, unless somebody says otherwise."""


class FailureKind(StrEnum):
    """Why an attempt has no status to show."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    DNS = "dns"
    TLS = "tls"
    BLOCKED = "blocked address"
    TOO_LARGE = "response too large"
    INVALID = "invalid request"
    NO_TOKEN = "no token"  # noqa: S105 - says that there is none


PERMANENT_FAILURES = frozenset({FailureKind.INVALID, FailureKind.BLOCKED})
"""Failures that no repetition mends: the request is wrong, or where it goes is forbidden."""


@frozen
class DispatchResult:
    """How a request ended: a `status`, or a `failure` and its `detail`. `elapsed` is in seconds.

    `retry_after` is the header's text, as the server sent it.
    """

    elapsed: float
    status: int | None = None
    failure: FailureKind | None = None
    detail: str = ""
    retry_after: str = ""

    @property
    def delivered(self) -> bool:
        """Any 2xx, and nothing else."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def pushes_back(self) -> bool:
        """The target asks for fewer requests (429) or cannot take any (503): the queue slows down."""
        return self.status in {429, 503}

    @property
    def reason(self) -> str:
        """What went wrong, for people."""
        if self.status is not None:
            return f"HTTP {self.status}"
        kind = str(self.failure or FailureKind.CONNECTION)
        return f"{kind}: {self.detail}" if self.detail else kind


@frozen
class Verdict:
    """What becomes of a task after an attempt, and its attempts with that one counted."""

    event: Completed | Retried | Failed
    attempts: Attempts


def judge(
    task: PushTask,
    result: DispatchResult,
    *,
    policy: RetryPolicy,
    began: datetime,
    now: datetime,
    unit: float,
    permanent_statuses: Set[int] = PERMANENT_STATUSES,
) -> Verdict:
    """What follows from `result`, the end at `now` of an attempt that `began`.

    A 2xx completes the task. A permanent failure kills it at once; any other is decided by the task's own retry
    policy, else by `policy`, with `unit` in [0, 1) as its jitter.
    """
    first_at = task.attempts.first_at or began
    if result.delivered:
        return Verdict(Completed(), evolve(task.attempts, first_at=first_at, last_status=result.status))
    answered = result.status is not None and not 500 <= result.status < 600
    attempts = Attempts(
        failed=task.attempts.failed + 1,
        answered=task.attempts.answered + answered,
        first_at=first_at,
        last_status=result.status,
        last_reason=result.reason,
    )
    if result.status in permanent_statuses or result.failure in PERMANENT_FAILURES:
        return Verdict(Failed(f"{result.reason}, which no retry can mend"), attempts)
    decision = (task.retry or policy).decide(
        attempt=attempts.failed,
        first_attempt_at=first_at,
        now=now,
        unit=unit,
        retry_after=retry_after(result.retry_after, now),
    )
    match decision:
        case RetryAt(at):
            return Verdict(Retried(result.reason, at), attempts)
        case DeadLetter(reason):
            return Verdict(Failed(f"{reason}: {result.reason}"), attempts)
