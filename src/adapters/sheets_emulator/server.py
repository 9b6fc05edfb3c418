"""The service over HTTP, on loopback."""

import json
import threading
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from adapters.sheets_emulator.service import SheetsService
from ports.time import Clock


class EmulatorServer:
    """Serves `service` while entered, in a thread, on a free port or on `port`."""

    def __init__(self, clock: Clock, *, port: int = 0) -> None:
        self.service = SheetsService(clock)
        lock = threading.Lock()
        service = self.service

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                with lock:
                    answer = service.handle(self.command, self.path, body)
                payload = b"" if answer.body is None else json.dumps(answer.body, ensure_ascii=False).encode()
                self.send_response_only(answer.status)
                self.send_header("Date", format_datetime(clock.now(), usegmt=True))
                self.send_header("Content-Type", "application/json; charset=UTF-8")
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = _answer  # noqa: N815 - the library's names

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
                """Requests are no news."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
