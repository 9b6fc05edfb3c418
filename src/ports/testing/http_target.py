"""A server on loopback that behaves as badly as servers do, for the tests of HTTP dispatchers."""

import gzip
import select
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from ssl import SSLContext
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import parse_qs, urlsplit

from attrs import frozen

PATIENCE = 60.0
BOMB = gzip.compress(bytes(16 * 1024 * 1024))
"""Some 16 KiB that decompress to 16 MiB."""


@frozen
class Received:
    """A request as it came in. `connection` tells the connections from each other."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes
    connection: int

    def header(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]


class HttpTarget:
    """Runs while entered. The path of a request says what becomes of it; what came in is in `received`, in order.

    `/status/N` is answered with N (and the query's ``retry-after``), `/body/N` with N bytes, `/bomb` with gzip,
    `/redirect` with 302, `/cookie` with a cookie, `/early` with 103 and then 200. `/wait` is answered when `let_go` is
    called; `/drip` is answered with a byte now and then, `/drip-head` in the head already, `/endless` with a body
    without end. `/last` is answered as if the connection were kept, which is then closed; on `/hang-up` it is closed
    without an answer, on `/short` in the middle of one; `/garbage` is answered with no HTTP.
    """

    def __init__(self, tls: SSLContext | None = None) -> None:
        """Listen on a free port; with `tls`, for HTTPS."""
        self.received: list[Received] = []
        self.accepted = 0
        self._waiting = 0
        self._open: set[socket.socket] = set()
        self._changed = threading.Condition()
        self.freed = threading.Event()
        self._server = _Server(self, tls)
        self._scheme = "https" if tls else "http"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def url(self, path: str, *, host: str = "127.0.0.1", scheme: str = "") -> str:
        return f"{scheme or self._scheme}://{host}:{self._server.server_address[1]}{path}"

    def let_go(self) -> None:
        """Answer whoever waits, or comes to wait from now on."""
        self.freed.set()

    def until_waiting(self, count: int) -> None:
        """Return when `count` requests wait at once."""
        self._until(lambda: self._waiting >= count)

    def until_waiting_no_more_than(self, count: int) -> None:
        """Return when at most `count` requests wait: the others' clients are gone."""
        self._until(lambda: self._waiting <= count)

    def until_all_closed(self) -> None:
        """Return when no connection is open."""
        self._until(lambda: not self._open)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.freed.set()
        self._server.shutdown()
        with self._changed:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        self._server.server_close()
        self._thread.join()

    def opened(self, connection: socket.socket) -> int:
        """For the server: note a new connection; returns its number."""
        with self._changed:
            self.accepted += 1
            self._open.add(connection)
            return self.accepted

    def closed(self, connection: socket.socket) -> None:
        """For the server: note the end of a connection."""
        with self._changed:
            self._open.discard(connection)
            self._changed.notify_all()

    def waiting(self, more: int) -> None:
        """For the server: note that so many more requests wait."""
        with self._changed:
            self._waiting += more
            self._changed.notify_all()

    def _until(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            if not self._changed.wait_for(condition, PATIENCE):
                raise TimeoutError("what the test waits for does not come")


class _Server(ThreadingTCPServer):
    request_queue_size = 128
    daemon_threads = True

    def __init__(self, target: HttpTarget, tls: SSLContext | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = target
        if tls is not None:
            # the handshake is the handler's, so that one client's failure is not everybody's
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what many tests are about."""

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self.target.closed(request)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self._target = cast("_Server", self.server).target
        self._number = self._target.opened(self.connection)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as its base has it
        """Say nothing."""

    def handle_method(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        received = Received(self.command, self.path, self.headers.items(), body, self._number)
        self._target.received.append(received)
        url = urlsplit(self.path)
        action, _, argument = url.path[1:].partition("/")
        self.close_connection = False
        getattr(self, f"on_{action.replace('-', '_')}")(argument, parse_qs(url.query))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = handle_method  # noqa: N815 - as its base

    def answer(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status not in {204, 304}:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def on_status(self, status: str, query: dict[str, list[str]]) -> None:
        self.answer(int(status), headers={name: values[0] for name, values in query.items()})

    def on_body(self, size: str, _query: object) -> None:
        self.answer(200, bytes(int(size)))

    def on_bomb(self, *_: object) -> None:
        self.answer(200, BOMB, {"Content-Encoding": "gzip"})

    def on_redirect(self, *_: object) -> None:
        self.answer(302, headers={"Location": self._target.url("/status/200")})

    def on_cookie(self, *_: object) -> None:
        self.answer(200, headers={"Set-Cookie": "session=1; Path=/"})

    def on_early(self, *_: object) -> None:
        self.send_response_only(103)
        self.end_headers()
        self.answer(200)

    def on_wait(self, *_: object) -> None:
        self._target.waiting(1)
        try:
            while not self._target.freed.wait(0.02):
                if select.select([self.connection], [], [], 0)[0] and not self.connection.recv(1, socket.MSG_PEEK):
                    return  # the client is gone
            self.answer(200)
        finally:
            self._target.waiting(-1)

    def on_drip(self, *_: object) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        self._drip(b".")

    def on_drip_head(self, *_: object) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
        self._drip(b".")

    def _drip(self, drop: bytes) -> None:
        while not self._target.freed.wait(0.02):
            self.wfile.write(drop)

    def on_endless(self, *_: object) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            self.wfile.write(b"10000\r\n" + bytes(0x10000) + b"\r\n")

    def on_last(self, *_: object) -> None:
        self.answer(200)
        self.close_connection = True

    def on_hang_up(self, *_: object) -> None:
        self.close_connection = True

    def on_short(self, *_: object) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort")
        self.close_connection = True

    def on_garbage(self, *_: object) -> None:
        self.wfile.write(b"SMTP ready, more or less\r\n\r\n")
        self.close_connection = True
