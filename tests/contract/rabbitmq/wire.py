"""What others do on the broker: pika's blocking connection, as boreal-push-queue has it."""

from collections.abc import Mapping
from typing import Any

import pika


def declare(url: str, queue: str, arguments: Mapping[str, Any] | None = None) -> None:
    """A durable classic queue, as boreal declares it where there are no `arguments`."""
    with pika.BlockingConnection(pika.URLParameters(url)) as connection:
        connection.channel().queue_declare(queue, durable=True, arguments=dict(arguments or {}))


def exists(url: str, queue: str) -> bool:
    with pika.BlockingConnection(pika.URLParameters(url)) as connection:
        try:
            connection.channel().queue_declare(queue, passive=True)
        except pika.exceptions.ChannelClosedByBroker:
            return False
        return True


def delete(url: str, queue: str) -> None:
    with pika.BlockingConnection(pika.URLParameters(url)) as connection:
        connection.channel().queue_delete(queue)


def send(url: str, queue: str, body: bytes, **properties: Any) -> None:
    """Confirmed."""
    forge(url, queue, body, pika.BasicProperties(delivery_mode=2, **properties))


def forge(url: str, queue: str, body: bytes, properties: pika.BasicProperties) -> None:
    with pika.BlockingConnection(pika.URLParameters(url)) as connection:
        channel = connection.channel()
        channel.confirm_delivery()
        channel.basic_publish("", queue, body, properties, mandatory=True)


def receive(url: str, queue: str) -> list[tuple[pika.BasicProperties, bytes]]:
    """Everything that waits in `queue`; it is taken out."""
    messages = []
    with pika.BlockingConnection(pika.URLParameters(url)) as connection:
        channel = connection.channel()
        while True:
            method, properties, body = channel.basic_get(queue, auto_ack=True)
            if method is None:
                return messages
            messages.append((properties, body))
