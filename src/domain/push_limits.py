"""What a task may ask for; checked before anything is sent to a broker."""

import re
from collections.abc import Iterator

from domain.errors import TaskRefused
from domain.http_request import OF_THE_CONNECTION, HttpRequest, ascii_url, problems
from domain.push_task import PushTask
from domain.retry import RetryPolicy

MAX_TASK = 1_000_000
"""Bytes of a task as it travels, as Cloud Tasks has it."""
MAX_DEADLINE = 29 * 60.0
"""Seconds that an attempt may take. RabbitMQ gives a consumer 30 minutes to settle what it was handed."""
HIGHEST_PRIORITY = 9

MAX_BACKOFF = 366 * 86_400.0
"""Seconds that a retry policy may wait."""

TASK_ID = re.compile(r"[\x21-\x7e]{1,255}")
# W3C Trace Context, section 3.2
TRACEPARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


def check(task: PushTask) -> None:
    """Let `task` pass.

    Raises:
        TaskRefused: it breaks one limit or several; each is named, with what to do. No header's value is shown.
    """
    found = list(_problems(task))
    if found:
        raise TaskRefused(f"the task {task.id[:80]!r} cannot be sent: {'; '.join(found)}")


def retry_problem(policy: RetryPolicy) -> str | None:
    """What is wrong with `policy`, though its numbers are numbers; None if nothing is."""
    waits = (policy.min_backoff, policy.max_backoff, policy.max_retry_duration)
    # written so that a NaN, which compares with nothing, is a problem
    if all(wait <= MAX_BACKOFF for wait in waits):
        return None
    return f"its retry policy must wait at most {MAX_BACKOFF:g} s"


def _problems(task: PushTask) -> Iterator[str]:
    if not TASK_ID.fullmatch(task.id):
        yield "its id must be 1 to 255 printable ASCII characters without blanks"
    # what the task leaves open is the queue's own, and a worker's settings to check
    url = ascii_url(task.url) if task.url else "https://queue.example/"
    sent = {name: value for name, value in task.headers.items() if name.lower() not in OF_THE_CONNECTION}
    yield from problems(HttpRequest(url, task.method.upper() or "POST", sent))
    if task.deadline is not None and not 0 < task.deadline <= MAX_DEADLINE:
        yield f"its deadline of {task.deadline:g} s must be above 0 and at most {MAX_DEADLINE:g}"
    if task.retry is not None and (problem := retry_problem(task.retry)):
        yield problem
    if task.schedule_time is not None and task.schedule_time.tzinfo is None:
        yield "its schedule_time must be aware: give it a time zone"
    if task.traceparent and not TRACEPARENT.fullmatch(task.traceparent):
        yield "its traceparent is not of the form that W3C Trace Context gives it"
    if not 0 <= task.priority <= HIGHEST_PRIORITY:
        yield f"its priority of {task.priority} must be 0 to {HIGHEST_PRIORITY}"
