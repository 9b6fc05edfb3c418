"""Handing messages over: confirmed, mandatory and persistent, many under way at a time."""

import asyncio
from collections.abc import Sequence

from adapters.rabbitmq.backoff import Backoff
from adapters.rabbitmq.confirms import ConfirmChannel, Fate
from adapters.rabbitmq.connection import Link
from adapters.rabbitmq.failures import VENDOR, refused, unavailable
from adapters.rabbitmq.messages import Message
from adapters.rabbitmq.topology import dead_letters_of, delay_level, ensure_delay, ensure_queue
from domain.delay import entrance, routing_key, ticks_of
from ports.errors import BrokerUnavailable, PublishUnconfirmed
from ports.time import Clock, RandomSource

UNDER_WAY = 1000
"""Messages of one call that are sent before the first of them must be confirmed."""

ATTEMPTS = 3
"""Connections that a broker may leave without an answer before patience is at its end."""


class ConfirmedPublisher:
    """Sends again, over a new connection, what was not confirmed; gives up when nothing got through for `patience`."""

    def __init__(self, link: Link, *, clock: Clock, random: RandomSource, patience: float) -> None:
        self._link = link
        self._clock = clock
        self._random = random
        self._patience = patience
        self._confirms: ConfirmChannel | None = None
        self._opening = asyncio.Lock()

    async def publish(self, messages: Sequence[Message]) -> None:
        """On return the broker has them all.

        Raises:
            BrokerUnavailable, PublishUnconfirmed: some or all may be there.
        """
        for start in range(0, len(messages), UNDER_WAY):
            await self._deliver(messages[start : start + UNDER_WAY])

    async def _deliver(self, left: Sequence[Message]) -> None:
        backoff = Backoff(self._clock, self._random)
        began = self._clock.monotonic()
        while True:
            failure: BrokerUnavailable | PublishUnconfirmed
            try:
                unconfirmed, failure = await self._attempt(left)
                if not unconfirmed:
                    return
                if len(unconfirmed) < len(left):
                    began = self._clock.monotonic()
                left = unconfirmed
            except TimeoutError:
                failure = BrokerUnavailable("the broker does not answer; is it running, and is its URL right?")
            except VENDOR as error:
                failure = unavailable(error)
                if refused(error):
                    raise failure from error
            if self._clock.monotonic() - began >= self._patience:
                raise failure
            await backoff.wait()

    async def _attempt(self, messages: Sequence[Message]) -> tuple[Sequence[Message], PublishUnconfirmed]:
        """Those that were not confirmed, and why not."""
        limit = self._patience / ATTEMPTS
        async with asyncio.timeout(limit):
            confirms = await self._open()
            waiting = [await self._send(confirms, message) for message in messages]
        _, silent = await asyncio.wait(waiting, timeout=limit)
        if silent:
            self._link.drop()
        fates = [fate.result() if fate.done() else Fate.LOST for fate in waiting]
        unconfirmed = [message for message, fate in zip(messages, fates, strict=True) if fate is not Fate.CONFIRMED]
        if unconfirmed:
            # somebody may have deleted a queue or an exchange: find out what there is, and declare it again
            confirms.connection.declared.clear()
        reasons = " and ".join(sorted({fate.value for fate in fates if fate is not Fate.CONFIRMED}))
        return unconfirmed, PublishUnconfirmed(f"{len(unconfirmed)} messages were not confirmed: {reasons}")

    async def _send(self, confirms: ConfirmChannel, message: Message) -> "asyncio.Future[Fate]":
        exchange, key = "", dead_letters_of(message.queue) if message.dead else message.queue
        delay = (message.due - self._clock.now()).total_seconds() if message.due else 0.0
        ticks = ticks_of(delay)
        level = entrance(ticks)
        if level is None:
            await ensure_queue(confirms.connection, message.queue)
        else:
            await ensure_delay(confirms.connection, message.queue, level)
            exchange, key = delay_level(level), routing_key(ticks, message.queue)
        return confirms.send(exchange, key, message)

    async def _open(self) -> ConfirmChannel:
        async with self._opening:
            if self._confirms is None or not self._confirms.is_open:
                self._confirms = await ConfirmChannel.open(await self._link.connection())
            return self._confirms
