"""RSS feeds on loopback, over plain http, for yt-dlp's generic extractor."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from xml.sax.saxutils import escape

from tests.contract.doubles.loopback import Loopback


class Feed(Loopback):
    """Runs while entered. `url(name)` serves the feed called `name`, with these titles; unknown ones are 404.

    The feed called "untitled" has no title.
    """

    def __init__(self, **feeds: list[str]) -> None:
        self._pages = {
            "/plain.html": ("text/html", b"<html><body>nothing to watch</body></html>"),
            "/file.mp4": ("video/mp4", b"not really"),
            **{f"/{name}.xml": ("application/rss+xml", _rss(name, titles)) for name, titles in feeds.items()},
        }
        pages = self._pages

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                kind, body = pages.get(self.path, ("text/plain", b""))
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            def do_HEAD(self) -> None:
                self.do_GET()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        super().__init__(ThreadingHTTPServer(("127.0.0.1", 0), Handler))

    @property
    def plain(self) -> str:
        """A page with nothing to watch."""
        return self._at("/plain.html")

    @property
    def file(self) -> str:
        """A single video."""
        return self._at("/file.mp4")

    def url(self, name: str) -> str:
        return self._at(f"/{name}.xml")

    def _at(self, path: str) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"


def _rss(name: str, titles: list[str]) -> bytes:
    """A feed of episodes, the oldest first, a minute apart."""
    items = "".join(
        f"<item><title>{escape(title)}</title><link>https://podcast.example/{name}/{number}.mp4</link>"
        f"<pubDate>Thu, 01 Jan 2026 {number // 60:02}:{number % 60:02}:00 GMT</pubDate></item>"
        for number, title in enumerate(titles)
    )
    title = "" if name == "untitled" else f"<title>Feed {escape(name)}</title>"
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{title}{items}</channel></rss>'.encode()
