"""Servers on loopback that run while entered."""

import threading
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import Self


class Loopback:
    """Serves `server` from a thread of its own, until left."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self._server = server
        self._thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def let_go(self) -> None:
        """Answer whoever waits."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.let_go()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
