"""The dead letters of a queue: read by taking them and giving them back, which leaves them in their order."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

from pika.spec import Basic

from adapters.rabbitmq.connection import Channel, Link
from adapters.rabbitmq.failures import translated
from adapters.rabbitmq.messages import Received
from adapters.rabbitmq.publisher import ConfirmedPublisher
from adapters.rabbitmq.topology import dead_letters_of, waiting_in
from domain.push_queue import EVERYTHING, DeadTask, Selection


class DeadLetterQueue:
    """While somebody reads them, others see fewer: they are in his hands."""

    def __init__(self, link: Link, publisher: ConfirmedPublisher) -> None:
        self._link = link
        self._publisher = publisher

    async def list_dead(self, queue: str, which: Selection = EVERYTHING, *, limit: int = 100) -> Sequence[DeadTask]:
        found: list[DeadTask] = []
        with translated():
            async with aclosing(self._read(queue)) as letters:
                async for _channel, received in letters:
                    letter = received.letter()
                    if which.includes(letter):
                        found.append(letter)
                    if len(found) >= limit:
                        break
        return found[:limit]

    async def redrive(self, queue: str, which: Selection = EVERYTHING) -> AsyncGenerator[DeadTask, None]:
        with translated():
            async with aclosing(self._read(queue)) as letters:
                async for channel, received in letters:
                    letter = received.letter()
                    if letter.task is None or not which.includes(letter):
                        continue
                    await self._publisher.publish([received.again(queue, letter.task.redriven())])
                    channel.raw.basic_ack(received.tag)
                    yield letter

    async def purge(self, queue: str, which: Selection = EVERYTHING) -> int:
        gone = 0
        with translated():
            if which == EVERYTHING:
                return await self._purge_all(dead_letters_of(queue))
            async with aclosing(self._read(queue)) as letters:
                async for channel, received in letters:
                    if which.includes(received.letter()):
                        channel.raw.basic_ack(received.tag)
                        gone += 1
        return gone

    async def _purge_all(self, dead: str) -> int:
        connection = await self._link.connection()
        if await waiting_in(connection, dead) is None:
            return 0
        channel = await connection.channel()
        purged = await channel.call(channel.raw.queue_purge, dead)
        await channel.close()
        return int(purged.method.message_count)

    async def _read(self, queue: str) -> AsyncGenerator[tuple[Channel, Received], None]:
        """Those that are there now, oldest first. What is not acknowledged on the way goes back at the end."""
        connection = await self._link.connection()
        dead = dead_letters_of(queue)
        if await waiting_in(connection, dead) is None:
            return
        channel = await connection.channel()
        reader = _Reader(channel, dead)
        try:
            received, more = await reader.take()
            while received is not None:
                yield channel, received
                if not more:
                    break
                received, _ = await reader.take()
                more -= 1
        finally:
            if channel.is_open:
                channel.raw.basic_nack(0, multiple=True)
            await channel.close()


class _Reader:
    """Takes messages one by one; they stay unacknowledged."""

    def __init__(self, channel: Channel, queue: str) -> None:
        self._channel = channel
        self._queue = queue
        self._answer: asyncio.Future[tuple[Received | None, int]] | None = None
        channel.raw.add_callback(self._on_empty, [Basic.GetEmpty], one_shot=False)

    async def take(self) -> tuple[Received | None, int]:
        """The oldest, None if there is none; and how many are behind it."""
        self._answer = asyncio.get_running_loop().create_future()
        self._channel.raw.basic_get(self._queue, self._on_message)
        answer: tuple[Received | None, int] = await self._channel.outcome(self._answer)
        return answer

    def _on_message(self, _channel: Any, method: Any, properties: Any, body: bytes) -> None:
        self._reply(Received(method.delivery_tag, properties, body), method.message_count)

    def _on_empty(self, _frame: Any) -> None:
        self._reply(None, 0)

    def _reply(self, received: Received | None, behind: int) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result((received, behind))
