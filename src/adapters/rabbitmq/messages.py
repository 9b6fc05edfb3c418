"""Between a task's envelope and an AMQP message, as RabbitMQ delivers and takes it."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pika
from attrs import frozen

from adapters.rabbitmq.pika_connection import UnreadableProperties
from domain.envelope import CONTENT_TYPE, Envelope, decode, encode, headers_of
from domain.errors import MessageUndecodable
from domain.push_queue import DeadTask
from domain.push_task import PushTask

REASON = "mutirao-reason"
DIED_AT = "mutirao-died-at"
DELIVERY_COUNT = "x-delivery-count"

_OURS = "mutirao-"
_BROKERS = "x-"
_LONGEST_TEXT = 4000  # characters of a reason: all headers travel in one frame of 128 KiB
_MOST_FOREIGN = 32_000  # bytes of headers that are not ours
_PERSISTENT = 2


@frozen
class Message:
    """What is handed to the broker for `queue`, or, if it is `dead`, for the dead letters of that queue."""

    queue: str
    id: str
    body: bytes
    properties: pika.BasicProperties
    due: datetime | None = None
    dead: bool = False


@frozen
class Received:
    """What the broker has handed out; `tag` is good on its channel only."""

    tag: int
    properties: pika.BasicProperties
    body: bytes

    @property
    def envelope(self) -> Envelope:
        # pika leaves as bytes what is no UTF-8
        texts = {
            name: value for name, value in self._headers.items() if isinstance(name, str) and isinstance(value, str)
        }
        return Envelope(self.body, self.identity, self.properties.priority or 0, texts)

    @property
    def returns(self) -> int:
        """How often it has come back to a quorum queue without being settled."""
        count = self._headers.get(DELIVERY_COUNT, 0)
        return count if isinstance(count, int) else 0

    @property
    def identity(self) -> str:
        """Its id: the publisher's, or for boreal's, which have none, one that is the same at each delivery."""
        identifier = self.properties.message_id
        if isinstance(identifier, str) and identifier:
            return identifier
        # boreal writes the microsecond of publishing into the body
        return f"body-{hashlib.sha256(self.body).hexdigest()[:32]}"

    def task(self) -> PushTask:
        """What it asks for.

        Raises:
            MessageUndecodable: it holds no task.
        """
        if isinstance(self.properties, UnreadableProperties):
            raise MessageUndecodable("its AMQP properties cannot be read")
        return decode(self.envelope, new_id=self.identity)

    def again(self, queue: str, task: PushTask) -> Message:
        """The same message for `task`, of which only the attempts and the due time have changed."""
        return self._message(queue, task.schedule_time, headers_of(task))

    def as_it_came(self, queue: str) -> Message:
        """The same message, but for the broker's count of its returns."""
        return self._message(queue, None, self._ours())

    def dead(self, queue: str, reason: str, died_at: datetime, task: PushTask | None) -> Message:
        """The same message among the dead of `queue`; `task` has its last attempts, None where it holds none."""
        ours = self._ours() if task is None else headers_of(task)
        return self._message(queue, None, {**ours, REASON: reason, DIED_AT: died_at.isoformat()}, dead=True)

    def letter(self) -> DeadTask:
        """What it is as a dead letter: put there by us, or by the broker."""
        reason, died_at = self._headers.get(REASON), _time(self._headers.get(DIED_AT))
        if not isinstance(reason, str):
            reason, died_at = self._brokers_reason()
        try:
            task = self.task()
        except MessageUndecodable:
            return DeadTask(self.identity, reason, None, self.body, died_at)
        return DeadTask(task.id, reason, task, self.body, died_at)

    @property
    def _headers(self) -> Mapping[str, Any]:
        return self.properties.headers or {}

    def _ours(self) -> Mapping[str, str]:
        return {name: value for name, value in self.envelope.headers.items() if name.startswith(_OURS)}

    def _brokers_reason(self) -> tuple[str, datetime | None]:
        """From what the broker adds when it dead-letters by itself."""
        deaths = self._headers.get("x-death")
        death = deaths[0] if isinstance(deaths, list) and deaths and isinstance(deaths[0], dict) else {}
        said, at = str(death.get("reason", "unknown")), death.get("time")
        if said == "delivery_limit":
            said = f"it came back unsettled {self.returns or 'too many'} times: its workers crashed, or were cut off"
        return f"the broker gave it up: {said}", _aware(at) if isinstance(at, datetime) else None

    def _message(self, queue: str, due: datetime | None, ours: Mapping[str, str], *, dead: bool = False) -> Message:
        # the broker's own must not go round: with `x-death` it takes a second delay for a loop, and drops the message
        foreign = {
            name: value
            for name, value in self._headers.items()
            if isinstance(name, str) and not name.startswith((_BROKERS, _OURS)) and name not in ours
        }
        if _size(foreign) > _MOST_FOREIGN:
            foreign = {}
        properties = _properties(self.identity, self.properties.priority or 0, {**foreign, **ours})
        return Message(queue, self.identity, self.body, properties, due, dead)


def message_of(task: PushTask, queue: str) -> Message:
    """`task` for `queue`.

    Raises:
        TaskRefused: as `domain.envelope.encode` says.
    """
    envelope = encode(task)
    properties = _properties(envelope.id, envelope.priority, envelope.headers)
    return Message(queue, envelope.id, envelope.body, properties, task.schedule_time)


def _properties(identifier: str, priority: int, headers: Mapping[str, Any]) -> pika.BasicProperties:
    return pika.BasicProperties(
        content_type=CONTENT_TYPE,
        delivery_mode=_PERSISTENT,
        message_id=identifier,
        priority=priority or None,
        headers={name: _cut(value) if isinstance(value, str) else value for name, value in headers.items()} or None,
    )


def _cut(text: str) -> str:
    """What a header can hold: no lone surrogates, and not too long."""
    return text[:_LONGEST_TEXT].encode("utf-8", "replace").decode()


def _size(headers: Mapping[str, Any]) -> int:
    return sum(len(piece) for piece in pika.BasicProperties(headers=dict(headers)).encode()) if headers else 0


def _time(value: Any) -> datetime | None:
    try:
        return _aware(datetime.fromisoformat(value))
    except (TypeError, ValueError):
        return None


def _aware(at: datetime) -> datetime:
    """pika 1.3 gives times in UTC that do not say so."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)
