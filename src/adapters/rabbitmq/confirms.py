"""A channel in confirm mode, and what becomes of each message that is sent over it."""

import asyncio
from collections.abc import Sequence
from enum import Enum
from typing import Any

from attrs import define

from adapters.rabbitmq.connection import Channel, Connection
from adapters.rabbitmq.messages import Message


class Fate(Enum):
    CONFIRMED = "the broker has it"
    RETURNED = "there is no queue for it"
    REFUSED = "the broker could not keep it"
    LOST = "the connection broke, or stood still, before the broker said anything"


@define
class _Sent:
    id: str
    fate: "asyncio.Future[Fate]"
    returned: bool = False


class ConfirmChannel:
    """Sends and does not wait: any number of messages may be under way."""

    def __init__(self, connection: Connection, channel: Channel) -> None:
        self.connection = connection
        self._channel = channel
        self._loop = asyncio.get_running_loop()
        self._last_tag = 0
        self._under_way: dict[int, _Sent] = {}  # by tag, so in the order of sending
        channel.raw.add_on_return_callback(self._on_return)
        channel.closed.add_done_callback(self._on_closed)

    @classmethod
    async def open(cls, connection: Connection) -> "ConfirmChannel":
        channel = await connection.channel()
        confirms = cls(connection, channel)
        await channel.call(channel.raw.confirm_delivery, confirms._on_confirm)
        return confirms

    @property
    def is_open(self) -> bool:
        return self._channel.is_open

    def send(self, exchange: str, routing_key: str, message: Message) -> "asyncio.Future[Fate]":
        """Write `message`; what becomes of it is known later."""
        self._channel.raw.basic_publish(exchange, routing_key, message.body, message.properties, mandatory=True)
        self._last_tag += 1
        sent = _Sent(message.id, self._loop.create_future())
        self._under_way[self._last_tag] = sent
        return sent.fate

    def _on_confirm(self, frame: Any) -> None:
        method = frame.method
        acked = method.NAME == "Basic.Ack"
        for tag in self._up_to(method.delivery_tag) if method.multiple else [method.delivery_tag]:
            sent = self._under_way.pop(tag)
            _seal(sent, Fate.REFUSED if not acked else Fate.RETURNED if sent.returned else Fate.CONFIRMED)

    def _up_to(self, last: int) -> Sequence[int]:
        tags = []
        for tag in self._under_way:
            if tag > last:
                break
            tags.append(tag)
        return tags

    def _on_return(self, _channel: Any, _method: Any, properties: Any, _body: bytes) -> None:
        """The broker says so before it confirms, by the message and not by its tag."""
        for sent in self._under_way.values():
            if sent.id == properties.message_id and not sent.returned:
                sent.returned = True
                return

    def _on_closed(self, _reason: object) -> None:
        for sent in self._under_way.values():
            _seal(sent, Fate.LOST)
        self._under_way.clear()


def _seal(sent: _Sent, fate: Fate) -> None:
    if not sent.fate.done():
        sent.fate.set_result(fate)
