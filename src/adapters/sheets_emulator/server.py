"""The emulator over HTTP, on loopback."""

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from adapters.sheets_emulator.access import Access
from adapters.sheets_emulator.admin import ADMIN, Admin
from adapters.sheets_emulator.api.service import SheetsService
from adapters.sheets_emulator.api.store import Permission
from adapters.sheets_emulator.desk import Desk, Served
from adapters.sheets_emulator.faults import Faults
from adapters.sheets_emulator.grid.workbook import Workbook
from adapters.sheets_emulator.page import page
from adapters.sheets_emulator.person import Person
from adapters.sheets_emulator.quota import Quota
from ports.time import Clock

HEARTBEAT = 15.0
"""Seconds of silence after which whoever watches is told that nothing has happened."""


class EmulatorServer:
    """Serves a `desk` while entered, in a thread, on a free port or on `port`.

    With `authenticate`, calls need a token of a service account made here; with `metered`, Google's default quota
    holds. What `desk` holds (``desk.quota.per_user``, ``desk.access.lifetime``, …) may be changed at any time.
    """

    def __init__(self, clock: Clock, *, port: int = 0, authenticate: bool = False, metered: bool = False) -> None:
        self.desk = Desk(
            clock,
            SheetsService(clock),
            access=Access(clock) if authenticate else None,
            quota=Quota(clock) if metered else None,
        )
        self._server = _Server(port, self.desk)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        """Where it listens: the API, and the page."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def faults(self) -> Faults:
        """Where to lay faults."""
        return self.desk.faults

    def create(self, title: str, *, shared_with: Mapping[str, Any] | None = None, identifier: str = "") -> Workbook:
        """A new spreadsheet; `shared_with` a service account only, if given."""
        with self._server.turn:
            store = self.desk.service.store
            file = store.create(title, identifier=identifier)
            if shared_with is not None:
                file.permissions = [Permission(store.draw_id(), "user", "writer", shared_with["client_email"])]
            return file.book

    def workbook(self, spreadsheet: str) -> Workbook:
        """A spreadsheet as it is at this moment."""
        return self.desk.service.store.files[spreadsheet].book

    def person(self, spreadsheet: str) -> Person:
        """Somebody who edits a spreadsheet; between calls, or from within `desk.before_call`."""
        return Person(self.desk.service, spreadsheet)

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
        self._server.close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, desk: Desk) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.desk = desk
        self.admin = Admin(desk)
        self.turn = threading.Condition()
        self.changes = 0
        self.closing = threading.Event()
        desk.service.store.watchers.append(self._changed)

    def _changed(self, _spreadsheet: str) -> None:
        with self.turn:
            self.changes += 1
            self.turn.notify_all()

    def wait_for_change(self, told: int) -> int:
        """How many changes there were, once that is another number than `told`, or after a while."""
        with self.turn:
            self.turn.wait_for(lambda: self.changes != told or self.closing.is_set(), HEARTBEAT)
            return self.changes

    def close(self) -> None:
        self.closing.set()
        with self.turn:
            self.turn.notify_all()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = urlsplit(self.path).path
        if path == f"{ADMIN}/events":
            self._watch()
            return
        served = page(self.command, path)
        if served is None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            with self.server.turn:
                admin, desk = self.server.admin, self.server.desk
                by_admin = path.startswith(f"{ADMIN}/")
                served = (admin if by_admin else desk).handle(self.command, self.path, headers, body)
        if served is None:
            self.close_connection = True
            return
        if served.delay:
            self.server.closing.wait(served.delay)
        self._send(served)

    def _send(self, served: Served) -> None:
        self.send_response_only(served.status)
        for name, value in served.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(served.content)))
        self.end_headers()
        self.wfile.write(served.content)

    def _watch(self) -> None:
        """Server-sent events: a number that grows with each change, as long as somebody listens."""
        self.send_response_only(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.close_connection = True
        told = -1
        while not self.server.closing.is_set():
            changes = self.server.wait_for_change(told)
            self.wfile.write(b": nothing new\n\n" if changes == told else f"data: {changes}\n\n".encode())
            self.wfile.flush()
            told = changes

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = _answer  # noqa: N815 - the library's names

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Requests are no news."""
