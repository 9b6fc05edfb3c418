"""An RSS feed on loopback, for yt-dlp's generic extractor."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from xml.sax.saxutils import escape


class Feed:
    """Runs while entered. `url(name)` serves the feed called `name`; unknown ones are 404."""

    def __init__(self, **feeds: list[str]) -> None:
        self.feeds = dict(feeds)
        feeds_served = self.feeds

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                titles = feeds_served.get(self.path.strip("/").removesuffix(".xml"))
                body = rss(self.path, titles, f"http://{self.headers['Host']}") if titles is not None else b""
                if self.path == "/plain.html":
                    body = b"<html><body>nothing to watch</body></html>"
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "application/rss+xml")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_HEAD(self) -> None:
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def plain(self) -> str:
        """A page with nothing to watch."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/plain.html"

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/{name}.xml"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def rss(name: str, titles: list[str], base: str) -> bytes:
    """A feed of episodes with these titles."""
    items = "".join(
        f"<item><title>{escape(title)}</title><link>{base}/episodes/{number}.mp4</link></item>"
        for number, title in enumerate(titles)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Feed {escape(name)}</title>'
        f"<link>{base}{escape(name)}</link>{items}</channel></rss>"
    ).encode()
