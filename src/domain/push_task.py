"""A task that becomes an HTTP request, and what became of it so far."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from domain.retry import RetryPolicy

JsonValue: TypeAlias = dict[str, Any] | list[Any] | str | int | float | bool | None
"""What JSON can say."""


@frozen
class Attempts:
    """The attempts of one run of a task; a redrive begins a new one.

    `failed` counts each attempt that failed, `answered` those of them that the target answered with anything but 5xx.
    """

    failed: int = 0
    answered: int = 0
    first_at: datetime | None = None
    last_status: int | None = None
    last_reason: str = ""


@frozen
class PushTask:
    """A request to be made, as its publisher wants it.

    `id` names the task for ever and is sent along, so that the target can tell a repetition. An empty `url` or
    `method` is the queue's own. `payload` is sent as the query of a GET, as the JSON body of any other method (None:
    no body). `schedule_time` is when it is due (None: at once), `deadline` the seconds that one attempt may take
    (None: the worker's own), `retry` what goes for this task instead of the queue's policy. `priority` is 0 to 9,
    higher first, where the broker's queue knows priorities. `traceparent` is W3C Trace Context, carried through.
    `max_requests` is a hint for the worker's concurrency, as boreal-push-queue gives it.
    """

    id: str
    url: str = ""
    method: str = ""
    headers: Mapping[str, str] = field(factory=dict)
    payload: JsonValue = None
    created_at: datetime | None = None
    schedule_time: datetime | None = None
    deadline: float | None = None
    retry: RetryPolicy | None = None
    priority: int = 0
    traceparent: str = ""
    max_requests: int | None = None
    attempts: Attempts = field(factory=Attempts)

    def retried(self, at: datetime, attempts: Attempts) -> "PushTask":
        """The task as it is due again at `at`."""
        return evolve(self, schedule_time=at, attempts=attempts)

    def redriven(self) -> "PushTask":
        """The task as it begins afresh: due at once, no attempt counted."""
        return evolve(self, schedule_time=None, attempts=Attempts())
