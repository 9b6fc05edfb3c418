"""pika's connection, with three things that it lacks: sends in bulk, outlives what it cannot read, can be given up."""

import struct
from typing import Any

import pika
from pika import frame, spec
from pika.adapters.asyncio_connection import AsyncioConnection
from pika.exceptions import AMQPConnectionError, AMQPError, InvalidFrameError

_FRAME = struct.Struct(">BHL")  # type, channel, size of what follows (AMQP 0-9-1, section 4.2.3)
_CONTENT = struct.Struct(">HHQ")  # class, weight, size of the body (section 4.2.6.1)
_BULK = 65_536  # bytes that are sent at once
_UNREADABLE = (AMQPError, ArithmeticError, LookupError, OSError, RecursionError, ValueError, struct.error)


class UnreadableProperties(pika.BasicProperties):  # type: ignore[misc]  # pika ships no types
    """In place of what could not be decoded: a NaN, a time beyond all calendars, tables in tables in tables."""


class PikaConnection(AsyncioConnection):  # type: ignore[misc]
    """Builds on what pika has for its own adapters; tests against a genuine broker fail if that changes."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._outgoing: list[bytes] = []
        self._outgoing_size = 0
        self._aborted = False
        super().__init__(*arguments, **named)

    def abort(self) -> None:
        """Close the socket without a word. Idempotent. `close` waits for a broker that may never answer."""
        if not (self.is_closed or self._aborted):
            self._aborted = True
            self._terminate_stream(AMQPConnectionError("given up, because the broker does not answer"))

    def _adapter_emit_data(self, data: bytes) -> None:
        """Left to itself, pika makes a system call of each frame, three of a message: half the time of publishing."""
        if not self._outgoing:
            self.ioloop.call_soon(self._send_outgoing)
        self._outgoing.append(data)
        self._outgoing_size += len(data)
        if self._outgoing_size >= _BULK:
            self._send_outgoing()

    def _send_outgoing(self) -> None:
        data, self._outgoing, self._outgoing_size = b"".join(self._outgoing), [], 0
        if data and self._transport is not None and not self._aborted:
            super()._adapter_emit_data(data)

    def _read_frame(self) -> Any:
        """Left to itself, pika breaks the connection over such properties; the broker sends them again, for ever."""
        try:
            return super()._read_frame()
        except InvalidFrameError:
            raise
        except _UNREADABLE:
            kind, channel, size = _FRAME.unpack_from(self._frame_buffer)
            if kind != spec.FRAME_HEADER:
                raise
            _, _, body_size = _CONTENT.unpack_from(self._frame_buffer, _FRAME.size)
            consumed = _FRAME.size + size + spec.FRAME_END_SIZE
            return consumed, frame.Header(channel, body_size, UnreadableProperties())
