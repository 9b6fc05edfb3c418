"""The emulator over HTTP, on loopback."""

import json
import threading
from collections.abc import Mapping
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from adapters.sheets_emulator.access import Access
from adapters.sheets_emulator.desk import Desk
from adapters.sheets_emulator.quota import Quota
from adapters.sheets_emulator.service import SheetsService
from adapters.sheets_emulator.workbook import Workbook
from ports.time import Clock


class EmulatorServer:
    """Serves a `desk` while entered, in a thread, on a free port or on `port`.

    With `authenticate`, calls need a token of a service account made here; with `metered`, Google's default quota
    holds.
    """

    def __init__(self, clock: Clock, *, port: int = 0, authenticate: bool = False, metered: bool = False) -> None:
        self.desk = Desk(
            SheetsService(clock),
            access=Access(clock) if authenticate else None,
            quota=Quota(clock) if metered else None,
        )
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.desk = self.desk
        self._server.clock = clock
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def create(self, title: str, *, shared_with: Mapping[str, Any] | None = None, identifier: str = "") -> Workbook:
        """A new spreadsheet; `shared_with` a service account only, if given."""
        with self._server.turn:
            book = self.desk.service.create(title, identifier=identifier)
            if shared_with is not None and self.desk.access is not None:
                self.desk.access.shared[book.id] = {shared_with["client_email"]}
            return book

    def service_account(self, name: str = "worker") -> dict[str, Any]:
        """The JSON of a new service account, which must authenticate here."""
        if self.desk.access is None:
            raise ValueError("this emulator asks for no tokens: make it with authenticate=True")
        return self.desk.access.service_account(self.url, name)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    desk: Desk
    clock: Clock

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.turn = threading.Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.server.turn:
            answer = self.server.desk.handle(self.command, self.path, headers, body)
        if answer is None:
            self.close_connection = True
            return
        payload = b"" if answer.body is None else json.dumps(answer.body, ensure_ascii=False).encode()
        self.send_response_only(answer.status)
        self.send_header("Date", format_datetime(self.server.clock.now(), usegmt=True))
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)
        self.server.desk.traffic["answered"] += len(payload)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = _answer  # noqa: N815 - the library's names

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Requests are no news."""
