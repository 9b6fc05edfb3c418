"""pika's callbacks as awaitables. Everything here belongs to the event loop that opened it."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

import pika
from pika.exceptions import AMQPConnectionError, AMQPError, ConnectionWrongStateError

from adapters.rabbitmq.pika_connection import PikaConnection

ANSWER = 10.0
"""Seconds that the broker may take to answer a request.

It may never do so: a channel of RabbitMQ 3.10 hangs, and cannot be closed, over a quorum queue that has no leader.
"""
GOODBYE = 2.0
"""Seconds that it may take to close a connection."""

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
        """Call pika's `method` and wait for the broker's reply, as `outcome` does."""
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        method(*arguments, callback=partial(_answer, reply), **named)
        return await self.outcome(reply)

    async def outcome(self, reply: "asyncio.Future[Reply]") -> Reply:
        """The result of `reply`; raises why the channel closed, if it does first. No answer breaks the connection."""
        await asyncio.wait({reply, self.closed}, timeout=ANSWER, return_when=asyncio.FIRST_COMPLETED)
        if reply.done():
            return reply.result()
        if self.closed.done():
            raise self.closed.result()
        self.raw.connection.abort()
        raise AMQPConnectionError(f"the broker has not answered for {ANSWER:g} s")

    async def close(self) -> None:
        """Whatever is unsettled goes back. Idempotent; a lost connection has closed it already."""
        if self.is_open:
            with suppress(AMQPError):
                self.raw.close()
            await asyncio.wait({self.closed}, timeout=GOODBYE)

    def _on_close(self, _raw: Any, reason: BaseException) -> None:
        _answer(self.closed, reason)


class Connection:
    """One connection. `declared` is what is known to exist on its broker, and `declaring` guards finding out."""

    def __init__(self, address: pika.URLParameters) -> None:
        loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[BaseException | None] = loop.create_future()
        self._closed = asyncio.Event()
        self.declared: set[str] = set()
        self.declaring = asyncio.Lock()
        self._raw = PikaConnection(
            address,
            on_open_callback=lambda _raw: _answer(self._opened, None),
            on_open_error_callback=self._on_failed,
            on_close_callback=lambda _raw, _reason: self._closed.set(),
            custom_ioloop=loop,
        )

    @classmethod
    async def open(cls, addresses: Sequence[pika.URLParameters]) -> "Connection":
        """To the first of `addresses` that answers; raises what the last one said."""
        failure: BaseException = ConnectionWrongStateError("no address is known")
        for address in addresses:
            connection = cls(address)
            try:
                error = await asyncio.shield(connection._opened)
            except asyncio.CancelledError:
                # the attempt is given up, and its socket closed, before anybody goes on
                await connection.close()
                raise
            if error is None:
                return connection
            failure = error
        raise failure

    def _on_failed(self, _raw: Any, error: BaseException) -> None:
        _answer(self._opened, error)
        self._closed.set()

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
        """Say goodbye, or give up an attempt to connect. Idempotent."""
        with suppress(ConnectionWrongStateError):
            self._raw.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closed.wait(), GOODBYE)
        self.abort()

    def abort(self) -> None:
        """Let go without a word. Idempotent."""
        if not self._closed.is_set():
            self._raw.abort()


def _answer(waiting: "asyncio.Future[Any]", answer: Any) -> None:
    """Unless nobody waits for it any more."""
    if not waiting.done():
        waiting.set_result(answer)


class Link:
    """A connection that is there when it is needed: opened at first use, and again after it is lost, until `ended`."""

    def __init__(self, addresses: Sequence[pika.URLParameters]) -> None:
        self._addresses = addresses
        self._connection: Connection | None = None
        self._connecting = asyncio.Lock()
        self._end = asyncio.Event()

    async def connection(self) -> Connection:
        """One attempt; raises pika's exceptions if it fails."""
        async with self._connecting:
            self._check()
            if self._connection is None or not self._connection.is_open:
                self._connection = await Connection.open(self._addresses)
                if self.ended:  # meanwhile
                    await self._connection.close()
                self._check()
            return self._connection

    @property
    def ended(self) -> bool:
        return self._end.is_set()

    def drop(self) -> None:
        """Let go of a connection that does not answer; the next use opens another."""
        if self._connection is not None:
            self._connection.abort()

    async def end(self) -> None:
        """Let go for ever."""
        self._end.set()
        if self._connection is not None:
            await self._connection.close()

    def _check(self) -> None:
        if self.ended:
            raise ConnectionWrongStateError("this program has closed its broker")
