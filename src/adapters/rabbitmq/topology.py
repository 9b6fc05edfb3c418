"""Which queues and exchanges there are, and how they come to be.

A queue that exists is used as it is found, whoever declared it. One that does not is declared as a quorum queue whose
crash backstop (`x-delivery-limit`) leads to its dead letters. Delays go through the levels of `domain.delay`, shared by
every queue of the virtual host: each a topic exchange before a quorum queue with a TTL and at-least-once
dead-lettering, which forgets a message only when the level below has it. None of it ever expires.
"""

from collections.abc import Mapping
from typing import Any

from pika.exceptions import ChannelClosed

from adapters.rabbitmq.connection import Channel, Connection
from adapters.rabbitmq.failures import declared_otherwise, no_such_queue
from domain.delay import exit_pattern, pattern, seconds_at

DELIVERY_LIMIT = 20
"""Times that a task may come back without being settled: whoever held it crashed, or lost the connection."""
_UNLIMITED = 2_000_000_000  # RabbitMQ 4 gives 20 to whatever does not say, and 3.10 refuses -1

_DELIVER = "mutirao.deliver"  # below level 0


def dead_letters_of(queue: str) -> str:
    """The queue of `queue`'s dead."""
    return f"{queue}.dead"


def delay_level(level: int) -> str:
    """The exchange, and the queue behind it, of one level of delay."""
    return f"mutirao.delay.{level:02}"


async def ensure_queue(connection: Connection, queue: str) -> None:
    """`queue` and its dead letters exist."""
    if queue in connection.declared:
        return
    async with connection.declaring:
        if queue in connection.declared:
            return
        dead = dead_letters_of(queue)
        # the dead are read by taking and giving back, which must not count as crashes
        await _ensure(connection, dead, {"x-delivery-limit": _UNLIMITED})
        await _ensure(
            connection,
            queue,
            {"x-delivery-limit": DELIVERY_LIMIT, **_dead_lettering(exchange="", routing_key=dead)},
        )
        connection.declared.add(queue)


async def ensure_delay(connection: Connection, queue: str, entrance: int) -> None:
    """The levels from `entrance` down exist, and lead to `queue`, which does too."""
    name = f"{delay_level(entrance)}>{queue}"
    if name in connection.declared:
        return
    await ensure_queue(connection, queue)
    async with connection.declaring:
        if name in connection.declared:
            return
        channel = await connection.channel()
        await _exchange(channel, _DELIVER)
        await channel.call(channel.raw.queue_bind, queue, _DELIVER, exit_pattern(queue))
        for level in range(entrance + 1):
            if delay_level(level) not in connection.declared:
                await _ensure_level(connection, channel, level)
                connection.declared.add(delay_level(level))
        await channel.close()
        connection.declared.add(name)


async def _ensure_level(connection: Connection, channel: Channel, level: int) -> None:
    name, below = delay_level(level), delay_level(level - 1) if level else _DELIVER
    await _exchange(channel, name)
    milliseconds = round(seconds_at(level) * 1000)
    await _ensure(connection, name, {"x-message-ttl": milliseconds, **_dead_lettering(exchange=below)})
    await channel.call(channel.raw.queue_bind, name, name, pattern(level, 1))
    await channel.call(channel.raw.exchange_bind, below, name, pattern(level, 0))


async def _exchange(channel: Channel, name: str) -> None:
    await channel.call(channel.raw.exchange_declare, name, "topic", durable=True)


async def _ensure(connection: Connection, queue: str, arguments: Mapping[str, Any]) -> None:
    if await waiting_in(connection, queue) is not None:
        return
    channel = await connection.channel()
    try:
        await channel.call(
            channel.raw.queue_declare, queue, durable=True, arguments={"x-queue-type": "quorum", **arguments}
        )
    except ChannelClosed as error:
        # somebody else was quicker, and declared it as it is found now
        if not declared_otherwise(error):
            raise
    await channel.close()


async def waiting_in(connection: Connection, queue: str) -> int | None:
    """How many messages wait in `queue`, in nobody's hands; None if it does not exist.

    Asked on a channel of its own, because the broker closes the channel over a queue that is not there.
    """
    channel = await connection.channel()
    try:
        found = await channel.call(channel.raw.queue_declare, queue, passive=True)
    except ChannelClosed as error:
        if not no_such_queue(error):
            raise
        return None
    await channel.close()
    return int(found.method.message_count)


def _dead_lettering(*, exchange: str, routing_key: str | None = None) -> dict[str, Any]:
    arguments = {
        "x-dead-letter-exchange": exchange,
        "x-dead-letter-strategy": "at-least-once",
        "x-overflow": "reject-publish",  # what at-least-once asks for
    }
    return arguments if routing_key is None else {**arguments, "x-dead-letter-routing-key": routing_key}
