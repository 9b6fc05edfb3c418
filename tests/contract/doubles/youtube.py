"""A YouTube on loopback, for yt-dlp's own extractor: an HTTP proxy that answers for the site instead of forwarding.

The genuine extractor sends its genuine requests, through CONNECT and TLS, to `www.youtube.com`; the proxy ends the TLS
with a certificate of its own and answers from a catalogue. Requests are counted; faults strike where they are laid.
"""

import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.contract.doubles.tls import server_context
from tests.contract.doubles.youtube_pages import (
    Channel,
    Playlist,
    Video,
    alert,
    channel_continuation,
    channel_page,
    continuation,
    html,
    mix_page,
    player,
    playlist_page,
)


class YouTube:
    """Runs while entered. `proxy` is what yt-dlp is to be given; `requests` counts what came, by kind."""

    def __init__(self, directory: Path) -> None:
        self.playlists: dict[str, Playlist] = {}
        self.channels: dict[str, Channel] = {}
        self.videos: dict[str, Video] = {}
        self.requests: Counter[str] = Counter()
        self.certificate = directory / "cert.pem"
        self._context = server_context(directory, "www.youtube.com", "youtubei.googleapis.com")
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.site = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._cache: dict[str, bytes] = {}

    @property
    def proxy(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def add(self, *things: Playlist | Channel | Video) -> None:
        for thing in things:
            match thing:
                case Playlist():
                    self.playlists[thing.id] = thing
                case Channel():
                    self.channels[thing.handle] = thing
                case Video():
                    self.videos[thing.id] = thing
        self._cache.clear()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, method: str, target: str, body: dict[str, Any]) -> tuple[int, str, bytes]:
        """Status, content type and body of one request."""
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if method == "GET":
            self.requests["page"] += 1
            return 200, "text/html; charset=utf-8", self._cached(target, lambda: self._page(parts.path, query))
        api = parts.path.rpartition("/")[2]
        self.requests[api] += 1
        if api == "browse":
            return self._browse(body)
        if api == "player":
            video = self.videos.get(body.get("videoId", ""))
            missing = {"playabilityStatus": {"status": "ERROR", "reason": "Video unavailable"}}
            return _json(player(video) if video else missing)
        if api == "next":
            return _json(mix_page(body.get("playlistId", "RD"), int(body.get("index") or 0)))
        return _json({})

    def _page(self, path: str, query: dict[str, str]) -> bytes:
        if path == "/playlist":
            playlist = self.playlists.get(query["list"])
            return html(playlist_page(playlist) if playlist else alert("The playlist does not exist."))
        if path == "/watch" and query.get("list", "").startswith("RD"):
            return html(mix_page(query["list"], 0))
        if path == "/watch" and "list" in query:
            playlist = self.playlists.get(query["list"])
            return html(playlist_page(playlist) if playlist else alert("The playlist does not exist."))
        if path == "/watch":
            video = self.videos.get(query["v"])
            response = player(video) if video else {"playabilityStatus": {"status": "ERROR"}}
            return html({}, f"<script>var ytInitialPlayerResponse = {json.dumps(response)};</script>")
        if path.startswith("/@"):
            handle, _, tab = path.removeprefix("/@").partition("/")
            channel = self.channels.get(handle)
            return html(channel_page(channel, tab or "videos") if channel else alert("This channel does not exist."))
        return html(alert("This page isn't available."))

    def _browse(self, body: dict[str, Any]) -> tuple[int, str, bytes]:
        if "continuation" not in body:  # the reload that shows unavailable videos, too
            playlist = self.playlists.get(body.get("browseId", "").removeprefix("VL"))
            if playlist is None:
                return _json(alert("The playlist does not exist."))
            return 200, "application/json", self._cached(f"VL{playlist.id}", lambda: _json(playlist_page(playlist))[2])
        name, _, offset = body["continuation"].rpartition(":")
        if "/" in name:
            handle, _, tab = name.partition("/")
            return _json(channel_continuation(self.channels[handle], tab, int(offset)))
        playlist = self.playlists[name]
        if playlist.fault and int(offset) == (playlist.fault_page - 1) * 100:
            fault = playlist.fault
            if playlist.heals:
                import attrs

                self.playlists[name] = attrs.evolve(playlist, fault=None)
            return _fault(fault)
        key = body["continuation"]
        return 200, "application/json", self._cached(key, lambda: _json(continuation(playlist, int(offset)))[2])

    def _cached(self, key: str, make: Any) -> bytes:
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]


def _json(value: dict[str, Any]) -> tuple[int, str, bytes]:
    return 200, "application/json; charset=utf-8", json.dumps(value).encode()


def _fault(fault: str) -> tuple[int, str, bytes]:
    match fault:
        case "500":
            return 500, "text/plain", b"Internal Server Error"
        case "429":
            return 429, "text/plain", b"Too Many Requests"
        case "broken":
            return 200, "application/json", b'{"onResponseReceivedActions": [{"appendCont'
        case "empty":
            return _json({"responseContext": {}})
        case _:
            return 0, "", b""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    site: YouTube

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_CONNECT(self) -> None:
        self.send_response_only(200)
        self.end_headers()
        self.wfile.flush()
        self.connection = self.server.site._context.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)
        self.close_connection = False

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self._answer(json.loads(self.rfile.read(length) or b"{}"))

    def _answer(self, body: dict[str, Any]) -> None:
        target = self.path
        status, kind, payload = self.server.site.answer(self.command, target, body)
        if status == 0:  # dropped
            self.close_connection = True
            self.connection.close()
            return
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(payload)))
        if status == 429:
            self.send_header("Retry-After", "37")
        self.end_headers()
        self.wfile.write(payload)

    def finish(self) -> None:
        super().finish()
        self.connection.close()  # the TLS socket, once there is one

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass
