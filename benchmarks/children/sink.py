"""A web service that says 200 to everything, after so many seconds: as little work as a server can do."""

import asyncio
import sys

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Sink(asyncio.Protocol):
    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._unread += data
        while True:
            head, mark, rest = self._unread.partition(b"\r\n\r\n")
            if not mark:
                return
            _, _, length = head.lower().partition(b"content-length:")
            size = int(length.split(b"\r\n", 1)[0] or 0)
            if len(rest) < size:
                return
            self._unread = rest[size:]
            if self._delay:
                asyncio.get_running_loop().call_later(self._delay, self._transport.write, ANSWER)
            else:
                self._transport.write(ANSWER)


async def main(delay: float) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: Sink(delay), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
