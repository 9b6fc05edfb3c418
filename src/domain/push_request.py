"""The HTTP request that a push task becomes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from domain.errors import TaskRefused
from domain.http_request import OF_THE_CONNECTION, HttpRequest, ascii_url
from domain.push_queue import Target
from domain.push_task import JsonValue, PushTask
from domain.signing import SigningSecret, signature_headers

_DEFAULTS = {"User-Agent": "mutirao", "Accept": "*/*", "Accept-Encoding": "identity"}
_DEFAULTS_WITH_BODY = {**_DEFAULTS, "Content-Type": "application/json"}
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_QUERY_METHODS = frozenset({"GET", "HEAD"})
_RESERVED = "x-cloudtasks-"


def request_of(
    task: PushTask, target: Target, *, queue: str, now: datetime, secrets: Sequence[SigningSecret] = ()
) -> HttpRequest:
    """The request that `task` of `queue` sends at `now`; what the task leaves open, the queue's `target` fills in.

    A GET or HEAD has the payload, if that is an object, as its query, behind what the URL has already. Every other
    method has it as a JSON body, unless it is None. A header of the task replaces one of the target, and either
    replaces a default; ``X-CloudTasks-`` ones and signatures are ours, those of the connection the dispatcher's.

    Raises:
        TaskRefused: the payload cannot be written down.
    """
    method = (task.method or target.method).upper()
    url = ascii_url(task.url or target.url)
    body, defaults = b"", _DEFAULTS
    if method in _QUERY_METHODS:
        url = _with_query(url, task.payload)
    elif task.payload is not None:
        body, defaults = json_bytes(task.payload), _DEFAULTS_WITH_BODY
    ours = {**cloud_tasks_headers(task, queue, now), **signature_headers(task.id, body, now=now, secrets=secrets)}
    if task.traceparent:
        ours["traceparent"] = task.traceparent
    asked = {name.lower(): (name, value) for name, value in (*target.headers.items(), *task.headers.items())}
    if not asked:
        return HttpRequest(url, method, {**defaults, **ours}, body)
    taken = OF_THE_CONNECTION.union(map(str.lower, ours))
    headers = {name: value for name, value in defaults.items() if name.lower() not in asked}
    for key, (name, value) in asked.items():
        if key not in taken and not key.startswith(_RESERVED):
            headers[name] = value.strip(" \t")
    return HttpRequest(url, method, {**headers, **ours}, body)


def cloud_tasks_headers(task: PushTask, queue: str, now: datetime) -> dict[str, str]:
    """What Cloud Tasks tells a target about its task (its guide "Create HTTP target tasks", Headers).

    The retry count is of all failed attempts, the execution count of those that the target answered, 5xx left out.
    """
    headers = {
        "X-CloudTasks-QueueName": quote(queue, safe=" /:@+,;=()", errors="surrogatepass"),
        "X-CloudTasks-TaskName": task.id,
        "X-CloudTasks-TaskRetryCount": str(task.attempts.failed),
        "X-CloudTasks-TaskExecutionCount": str(task.attempts.answered),
        "X-CloudTasks-TaskETA": f"{(task.schedule_time or task.created_at or now).timestamp():.6f}",
    }
    if task.attempts.last_status is not None:
        headers["X-CloudTasks-TaskPreviousResponse"] = str(task.attempts.last_status)
    if task.attempts.last_reason:
        headers["X-CloudTasks-TaskRetryReason"] = "".join(
            letter if " " <= letter <= "~" else "?" for letter in task.attempts.last_reason[:200]
        )
    return headers


def json_bytes(value: JsonValue) -> bytes:
    """`value` as compact JSON in UTF-8.

    Raises:
        TaskRefused: it is nested too deeply.
    """
    try:
        return _json(value).encode()
    except RecursionError:
        raise TaskRefused("the payload is nested too deeply: flatten it") from None
    except UnicodeEncodeError:  # half of a surrogate pair; JSON can say it, UTF-8 cannot
        return json.dumps(value, separators=(",", ":")).encode()


def _json(value: JsonValue) -> str:
    return _ENCODER.encode(value)


def _with_query(url: str, payload: JsonValue) -> str:
    if not isinstance(payload, dict) or not payload:
        return url
    # a fragment is never sent
    url = url.partition("#")[0]
    query = urlencode(list(_parameters(payload)), errors="surrogatepass")
    return f"{url}{'&' if '?' in url else '?'}{query}"


def _parameters(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in payload.items():
        for single in value if isinstance(value, list) else [value]:
            yield name, _parameter(single)


def _parameter(value: JsonValue) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case _:
            return _json(value)
