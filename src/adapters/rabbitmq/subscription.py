"""One consumer on one channel: what the broker has sent ahead, and what of it is not settled."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from pika.exceptions import AMQPError

from adapters.rabbitmq.connection import Channel, Connection
from adapters.rabbitmq.messages import Received
from ports.time import Clock

_TAG = "mutirao"  # of the one consumer on its channel


class Subscription:
    """Its channel is its generation: the tags of an earlier one mean nothing, or something else, on a later one."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._arrived: deque[Received] = deque()
        self._not_handed_out: dict[int, Received] = {}
        self._in_hand: set[int] = set()  # nobody has begun to end them
        self._unsettled: set[int] = set()
        self._held_up: set[asyncio.Task[None]] = set()
        self._ended = False
        self._change = asyncio.Event()
        channel.raw.add_on_cancel_callback(self._on_end)  # the queue is gone, or has moved
        channel.closed.add_done_callback(self._on_end)

    @classmethod
    async def open(cls, connection: Connection, queue: str, prefetch: int) -> "Subscription":
        """To `queue`, which exists; the broker sends at most `prefetch` messages ahead of their settlement."""
        channel = await connection.channel()
        await channel.call(channel.raw.basic_qos, prefetch_count=prefetch)
        subscription = cls(channel)
        await channel.call(channel.raw.basic_consume, queue, subscription._on_message, consumer_tag=_TAG)
        return subscription

    @property
    def is_open(self) -> bool:
        """Whether what it has handed out can still be settled."""
        return self._channel.is_open

    async def next(self) -> Received | None:
        """The next message; None when no more will come."""
        while not self._arrived:
            if self._ended:
                return None
            self._change.clear()
            await self._change.wait()
        return self._arrived.popleft()

    def hand_out(self, received: Received) -> None:
        """It is somebody's now, and stays so when the subscription ends."""
        self._not_handed_out.pop(received.tag, None)

    def hold_up(self, received: Received, seconds: float, clock: Clock) -> None:
        """Let it come `seconds` later, and others before it."""

        async def later() -> None:
            await clock.sleep(seconds)
            self._arrived.append(received)
            self._change.set()

        task = asyncio.ensure_future(later())
        self._held_up.add(task)
        task.add_done_callback(self._held_up.discard)

    def begin_to_end(self, received: Received) -> bool:
        """True for whoever comes first, while the broker has not taken the message back."""
        if not self.is_open or received.tag not in self._in_hand:
            return False
        self._in_hand.remove(received.tag)
        return True

    def ack(self, received: Received) -> bool:
        """The broker may forget it. False: it has taken the message back."""
        return self._settle(self._channel.raw.basic_ack, received)

    def requeue(self, received: Received) -> bool:
        """The broker delivers it again. False: it does so anyway."""
        return self._settle(self._channel.raw.basic_nack, received)

    async def unsubscribe(self) -> Sequence[Received]:
        """No more is sent; what was not handed out, and is to be given back. What was can still be settled."""
        for task in self._held_up:
            task.cancel()
        if not self._ended:
            with suppress(AMQPError):
                await self._channel.call(self._channel.raw.basic_cancel, _TAG)
        self._ended = True
        left, self._not_handed_out = list(self._not_handed_out.values()), {}
        self._close_when_done()
        return left

    def _on_message(self, _channel: Any, method: Any, properties: Any, body: bytes) -> None:
        received = Received(method.delivery_tag, properties, body)
        self._arrived.append(received)
        self._not_handed_out[received.tag] = received
        self._in_hand.add(received.tag)
        self._unsettled.add(received.tag)
        self._change.set()

    def _on_end(self, _why: object) -> None:
        """No more will come."""
        self._ended = True
        if not self.is_open:
            self._arrived.clear()
        self._change.set()

    def _settle(self, method: Callable[[int], None], received: Received) -> bool:
        if not self.is_open:
            return False
        try:
            method(received.tag)
        except AMQPError:
            return False
        self._unsettled.discard(received.tag)
        self._not_handed_out.pop(received.tag, None)
        self._close_when_done()
        return True

    def _close_when_done(self) -> None:
        if self._ended and not self._unsettled and self.is_open:
            with suppress(AMQPError):
                self._channel.raw.close()
