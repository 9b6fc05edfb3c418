"""A push task as a message: its body is what boreal-push-queue 0.2.1 writes and reads, all else travels beside it.

The body is ``{"metadata": {"target_url", "method", "timestamp", "headers"?, "max_requests"?}, "payload"}`` in UTF-8.
What boreal does not know is in message headers, none of which begins with ``x-``: those are the broker's.
"""

import json
import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from attrs import asdict, evolve, field, frozen

from domain.errors import MessageUndecodable, TaskRefused
from domain.jitter import Jitter
from domain.push_limits import HIGHEST_PRIORITY, MAX_TASK, TASK_ID, TRACEPARENT, retry_problem
from domain.push_task import Attempts, JsonValue, PushTask
from domain.retry import RetryPolicy

CONTENT_TYPE = "application/json"

T = TypeVar("T")


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number that JSON knows")


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_NONE_YET = Attempts()
_DECODER = json.JSONDecoder(parse_constant=_no_number)


@frozen
class Envelope:
    """`body` as it travels; `id` is empty, and `headers` are, where boreal has published it."""

    body: bytes
    id: str = ""
    priority: int = 0
    headers: Mapping[str, str] = field(factory=dict)


def encode(task: PushTask) -> Envelope:
    """`task` as a message.

    Raises:
        TaskRefused: the payload is nothing that JSON can say, or the message would be larger than a task may be.
    """
    metadata = {
        "target_url": task.url,
        "method": task.method,
        "timestamp": task.created_at and _stamp(task.created_at),
        "headers": dict(task.headers),
        "max_requests": task.max_requests,
    }
    said = {name: value for name, value in metadata.items() if value}
    try:
        body = _ENCODER.encode({"metadata": said, "payload": task.payload}).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise TaskRefused(
            f"the task {task.id!r} has a payload that JSON cannot say: {error}; send objects, lists, texts, finite "
            "numbers, booleans and nulls"
        ) from error
    if len(body) > MAX_TASK:
        raise TaskRefused(
            f"the task {task.id!r} has {len(body)} bytes, {MAX_TASK} are allowed: store what is large and send where"
        )
    return Envelope(body, task.id, task.priority, headers_of(task))


def headers_of(task: PushTask) -> Mapping[str, str]:
    """What travels beside the body. On a retry these are all that changes."""
    attempts, policy = task.attempts, task.retry
    headers = {
        "mutirao-schedule-time": task.schedule_time and _stamp(task.schedule_time),
        "mutirao-deadline": task.deadline and f"{task.deadline:g}",
        "mutirao-retry": policy and json.dumps(asdict(policy)),
        "mutirao-failed": attempts.failed and str(attempts.failed),
        "mutirao-answered": attempts.answered and str(attempts.answered),
        "mutirao-first-attempt": attempts.first_at and _stamp(attempts.first_at),
        "mutirao-last-status": attempts.last_status and str(attempts.last_status),
        "mutirao-last-reason": attempts.last_reason,
        "traceparent": task.traceparent,
    }
    return {name: value for name, value in headers.items() if value}


def decode(envelope: Envelope, *, new_id: str) -> PushTask:
    """The task in `envelope`, called `new_id` where the message has no id of its own.

    Raises:
        MessageUndecodable: it holds no task; the text says what is wrong with it.
    """
    metadata, payload = _opened(envelope.body)
    headers = envelope.headers
    if envelope.id and not TASK_ID.fullmatch(envelope.id):
        raise MessageUndecodable("its message id is not of 1 to 255 printable ASCII characters")
    return PushTask(
        id=envelope.id or new_id,
        url=_text(metadata, "target_url"),
        method=_text(metadata, "method").upper(),
        headers=_target_headers(metadata.get("headers")),
        payload=payload,
        created_at=_lenient_time(metadata.get("timestamp")),
        schedule_time=_read(headers, "mutirao-schedule-time", _time),
        deadline=_read(headers, "mutirao-deadline", _seconds),
        retry=_read(headers, "mutirao-retry", _policy),
        priority=min(envelope.priority, HIGHEST_PRIORITY),
        traceparent=_traceparent(headers),
        max_requests=_max_requests(metadata.get("max_requests")),
        attempts=_attempts(headers),
    )


def _attempts(headers: Mapping[str, str]) -> Attempts:
    if not headers:
        return _NONE_YET
    return Attempts(
        failed=_read(headers, "mutirao-failed", _count) or 0,
        answered=_read(headers, "mutirao-answered", _count) or 0,
        first_at=_read(headers, "mutirao-first-attempt", _time),
        last_status=_read(headers, "mutirao-last-status", _count),
        last_reason=headers.get("mutirao-last-reason", ""),
    )


def _opened(body: bytes) -> tuple[dict[str, Any], JsonValue]:
    if len(body) > MAX_TASK:
        raise MessageUndecodable(f"it has {len(body)} bytes; a task has at most {MAX_TASK}")
    try:
        message = _DECODER.decode(body.decode())
    except RecursionError:
        raise MessageUndecodable("its JSON is nested too deeply") from None
    except ValueError as error:
        raise MessageUndecodable(f"it is no JSON in UTF-8: {error}") from error
    if not isinstance(message, dict) or not isinstance(message.get("metadata"), dict) or "payload" not in message:
        raise MessageUndecodable('it is not of the form {"metadata": {…}, "payload": …}')
    return message["metadata"], message["payload"]


def _text(metadata: Mapping[str, Any], name: str) -> str:
    value = metadata.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise MessageUndecodable(f"its {name} is no text")
    return value


def _target_headers(value: Any) -> dict[str, str]:
    if not value:
        return {}
    if not isinstance(value, dict):
        raise MessageUndecodable("its headers are no object of names and values")
    # numbers and the like as boreal's worker spells them
    return {name: text if isinstance(text, str) else str(text) for name, text in value.items()}


def _traceparent(headers: Mapping[str, str]) -> str:
    """As the standard has it, a trace that cannot be read is dropped; the task is not to blame."""
    text = headers.get("traceparent", "")
    return text if TRACEPARENT.fullmatch(text) else ""


def _max_requests(value: Any) -> int | None:
    """Only a hint: what is none is left out."""
    try:
        return max(1, int(value))
    except (TypeError, ValueError, OverflowError):
        return None


def _read(headers: Mapping[str, str], name: str, reading: Callable[[str], T]) -> T | None:
    text = headers.get(name)
    if not text:
        return None
    try:
        return reading(text)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise MessageUndecodable(f"its header {name} cannot be read: {text[:80]!r}") from error


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _time(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _lenient_time(value: Any) -> datetime | None:
    """When boreal has published it, which is for display: what is no time is left out."""
    try:
        return _time(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError("no count")
    return int(text)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not math.isfinite(seconds) or seconds <= 0:
        raise ValueError("no positive number of seconds")
    return seconds


def _policy(text: str) -> RetryPolicy:
    policy = RetryPolicy(**json.loads(text))
    if retry_problem(policy):
        raise ValueError(policy)
    return evolve(policy, jitter=Jitter(policy.jitter))
