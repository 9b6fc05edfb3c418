"""A few feeds on loopback for the demo, listed by yt-dlp's generic extractor."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from xml.sax.saxutils import escape


class Feeds:
    """Runs while entered. `url(name)` serves the feed called `name`; one that there is not is a 404."""

    def __init__(self, feeds: dict[str, list[str]]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                name = self.path.strip("/")
                body = _rss(name, feeds[name], f"http://{self.headers['Host']}") if name in feeds else b"no such feed"
                self.send_response(200 if name in feeds else 404)
                self.send_header("Content-Type", "application/rss+xml")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
                """Requests are no news."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/{name}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _rss(name: str, episodes: list[str], base: str) -> bytes:
    items = "".join(
        f"<item><title>{escape(episode)}</title><link>{base}/{escape(episode)}.mp4</link></item>"
        for episode in episodes
    )
    head = f"<title>{escape(name)}</title><link>{base}/{escape(name)}</link>"
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{head}{items}</channel></rss>'.encode()
