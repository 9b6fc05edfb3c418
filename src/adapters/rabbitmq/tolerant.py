"""pika's connection, with two things that it lacks: it outlives what it cannot read, and can be given up at once."""

import struct
from typing import Any

import pika
from pika import frame, spec
from pika.adapters.asyncio_connection import AsyncioConnection
from pika.exceptions import AMQPConnectionError, AMQPError, InvalidFrameError

_FRAME = struct.Struct(">BHL")  # type, channel, size of what follows (AMQP 0-9-1, section 4.2.3)
_CONTENT = struct.Struct(">HHQ")  # class, weight, size of the body (section 4.2.6.1)
_UNREADABLE = (AMQPError, ArithmeticError, LookupError, OSError, RecursionError, ValueError, struct.error)


class UnreadableProperties(pika.BasicProperties):  # type: ignore[misc]  # pika ships no types
    """In place of what could not be decoded: a NaN, a time beyond all calendars, tables in tables in tables."""


class TolerantConnection(AsyncioConnection):  # type: ignore[misc]
    """Builds on two methods that pika has for its own adapters; tests against a genuine broker fail if they go."""

    _aborted = False

    def abort(self) -> None:
        """Close the socket without a word. Idempotent. `close` waits for a broker that may never answer."""
        if not (self.is_closed or self._aborted):
            self._aborted = True
            self._terminate_stream(AMQPConnectionError("given up, because the broker does not answer"))

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
