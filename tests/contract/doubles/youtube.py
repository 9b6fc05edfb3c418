"""A YouTube on loopback, for yt-dlp's own extractor: an HTTP proxy that answers for the site instead of forwarding.

The genuine extractor sends its genuine requests, through CONNECT and TLS, to `www.youtube.com`; the proxy ends the TLS
with a certificate of its own and answers from a catalogue. Requests are counted; faults strike where they are laid.
"""

import json
import socket
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from attrs import evolve

from tests.contract.doubles.loopback import Loopback
from tests.contract.doubles.tls import server_context
from tests.contract.doubles.youtube_catalogue import PAGE, Channel, Fault, Playlist, Video
from tests.contract.doubles.youtube_pages import (
    alert,
    channel_continuation,
    channel_page,
    continuation,
    html,
    mix_page,
    player,
    playlist_page,
)

Answer = tuple[int, str, bytes]
"""Status, content type and body."""

HANG_UP: Answer = (0, "", b"")

_FAULTS: dict[Fault, Answer] = {
    "500": (500, "text/plain", b"Internal Server Error"),
    "429": (429, "text/plain", b"Too Many Requests"),
    "broken": (200, "application/json", b'{"onResponseReceivedActions": [{"appendCont'),
    "empty": (200, "application/json", b'{"responseContext": {}}'),
}


class YouTube(Loopback):
    """Runs while entered. `proxy` is what yt-dlp is to be given.

    `requests` counts what came, by kind; `cookies` is what the last request brought. A "hanging" page sets `hanging`,
    waits until `released` is set, and then hangs up.
    """

    def __init__(self, directory: Path) -> None:
        self.playlists: dict[str, Playlist] = {}
        self.channels: dict[str, Channel] = {}
        self.videos: dict[str, Video] = {}
        self.requests: Counter[str] = Counter()
        self.cookies = ""
        self.hanging = threading.Event()
        self.released = threading.Event()
        self.certificate = directory / "cert.pem"
        self._context = server_context(directory, "www.youtube.com", "youtubei.googleapis.com")
        super().__init__(_Server(self))
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

    def render(self) -> None:
        """Render every page of every playlist now, so that serving it costs nothing."""
        for playlist in self.playlists.values():
            self.answer("GET", f"/playlist?list={playlist.id}", {})
            self.answer("POST", "/youtubei/v1/browse", {"browseId": f"VL{playlist.id}"})
            for offset in range(PAGE, playlist.end, PAGE):
                self.answer("POST", "/youtubei/v1/browse", {"continuation": f"{playlist.id}:{offset}"})
        self.requests.clear()

    def let_go(self) -> None:
        self.released.set()

    def answer(self, method: str, target: str, body: dict[str, Any]) -> Answer:
        """The answer to one request."""
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if method == "GET":
            self.requests["page"] += 1
            if faulty := self._struck(query.get("list", ""), page=1):
                return faulty
            return 200, "text/html; charset=utf-8", self._cached(target, lambda: self._page(parts.path, query))
        api = parts.path.rpartition("/")[2]
        self.requests[api] += 1
        if api == "browse":
            return self._browse(body)
        if api == "resolve_url":  # where yt-dlp turns when the page could not be had
            listed = parse_qs(urlsplit(body.get("url", "")).query).get("list", [""])[0]
            return self._struck(listed, page=1) or _json({})
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

    def _browse(self, body: dict[str, Any]) -> Answer:
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
        if faulty := self._struck(name, page=int(offset) // PAGE + 1):
            return faulty
        key = body["continuation"]
        return 200, "application/json", self._cached(key, lambda: _json(continuation(playlist, int(offset)))[2])

    def _struck(self, name: str, page: int) -> Answer | None:
        playlist = self.playlists.get(name)
        if playlist is None or playlist.fault in (None, "silent") or playlist.fault_page != page:
            return None
        if playlist.heals:
            self.playlists[name] = evolve(playlist, fault=None)
        if playlist.fault == "hanging":
            self.hanging.set()
            self.released.wait()
        return _FAULTS.get(playlist.fault, HANG_UP)

    def _cached(self, key: str, make: Any) -> bytes:
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]


def _json(value: dict[str, Any]) -> Answer:
    return 200, "application/json; charset=utf-8", json.dumps(value).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, site: YouTube) -> None:
        self.site = site
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
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
        # behind a proxy urllib3 holds a body back until its head is acknowledged, for which Linux takes 40 ms
        if hasattr(socket, "TCP_QUICKACK"):
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        length = int(self.headers.get("Content-Length") or 0)
        self._answer(json.loads(self.rfile.read(length) or b"{}"))

    def _answer(self, body: dict[str, Any]) -> None:
        self.server.site.cookies = self.headers.get("Cookie") or ""
        status, kind, payload = self.server.site.answer(self.command, self.path, body)
        if (status, kind, payload) == HANG_UP:
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
