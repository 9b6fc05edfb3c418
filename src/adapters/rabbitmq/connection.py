"""pika's callbacks as awaitables. Everything here belongs to the event loop that opened it."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

import pika
from pika.adapters.asyncio_connection import AsyncioConnection
from pika.adapters.utils.connection_workflow import AMQPConnectorException
from pika.exceptions import AMQPError, ConnectionWrongStateError

CLOSING = 5.0
"""Seconds that the broker may take to say goodbye."""

Reply: TypeAlias = Any
"""A method frame of pika's."""


class Channel:
    """One channel. It raises pika's exceptions: whoever uses it translates them at the port's edge."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.closed: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
        raw.add_on_close_callback(self._on_close)

    @property
    def is_open(self) -> bool:
        return not self.closed.done() and bool(self.raw.is_open)

    async def call(self, method: Callable[..., Any], *arguments: Any, **named: Any) -> Reply:
        """Call pika's `method` and wait for the broker's reply; raises why the channel closed, if it does meanwhile."""
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        method(*arguments, callback=partial(_answer, reply), **named)
        return await self.outcome(reply)

    async def outcome(self, reply: "asyncio.Future[Reply]") -> Reply:
        """The result of `reply`, unless the channel closes first."""
        await asyncio.wait({reply, self.closed}, return_when=asyncio.FIRST_COMPLETED)
        if reply.done():
            return reply.result()
        raise self.closed.result()

    async def close(self) -> None:
        """Whatever is unsettled goes back. Idempotent; a lost connection has closed it already."""
        if self.is_open:
            with suppress(AMQPError):
                self.raw.close()
            await asyncio.wait({self.closed}, timeout=CLOSING)

    def _on_close(self, _raw: Any, reason: BaseException) -> None:
        _answer(self.closed, reason)


class Connection:
    """One connection. `declared` is what is known to exist on its broker, and `declaring` guards finding out."""

    def __init__(self, raw: AsyncioConnection) -> None:
        self._raw = raw
        self._closed = asyncio.Event()
        self.declared: set[str] = set()
        self.declaring = asyncio.Lock()
        raw.add_on_close_callback(lambda _raw, _reason: self._closed.set())

    @classmethod
    async def open(cls, addresses: Sequence[pika.URLParameters]) -> "Connection":
        """To the first of `addresses` that answers; raises what the last one said."""
        loop = asyncio.get_running_loop()
        opened: asyncio.Future[Any] = loop.create_future()

        def done(result: Any) -> None:
            if not opened.cancelled():
                opened.set_result(result)
            elif isinstance(result, AsyncioConnection):
                result.close()

        workflow = AsyncioConnection.create_connection(addresses, done, loop)
        try:
            result = await opened
        except asyncio.CancelledError:
            with suppress(AMQPConnectorException):
                workflow.abort()
            raise
        if isinstance(result, BaseException):
            raise result
        return cls(result)

    @property
    def is_open(self) -> bool:
        return bool(self._raw.is_open)

    async def channel(self) -> Channel:
        loop = asyncio.get_running_loop()
        opened: asyncio.Future[Any] = loop.create_future()
        channel = Channel(self._raw.channel(on_open_callback=partial(_answer, opened)))
        await channel.outcome(opened)
        return channel

    async def close(self) -> None:
        """Say goodbye. Idempotent."""
        with suppress(ConnectionWrongStateError):
            self._raw.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING):
                await self._closed.wait()


def _answer(waiting: "asyncio.Future[Any]", answer: Any) -> None:
    """Unless nobody waits for it any more."""
    if not waiting.done():
        waiting.set_result(answer)


class Link:
    """A connection that is there when it is needed: opened at first use, and again after it is lost."""

    def __init__(self, addresses: Sequence[pika.URLParameters]) -> None:
        self._addresses = addresses
        self._connection: Connection | None = None
        self._connecting = asyncio.Lock()
        self._ended = False

    async def connection(self) -> Connection:
        """One attempt; raises pika's exceptions if it fails."""
        async with self._connecting:
            if self._ended:
                raise ConnectionWrongStateError("the broker was closed by this program")
            if self._connection is None or not self._connection.is_open:
                self._connection = await Connection.open(self._addresses)
            return self._connection

    async def channel(self) -> Channel:
        return await (await self.connection()).channel()

    async def drop(self) -> None:
        """Let go of the connection; the next use opens another."""
        if self._connection is not None:
            await self._connection.close()

    async def end(self) -> None:
        """Let go for ever."""
        self._ended = True
        await self.drop()
