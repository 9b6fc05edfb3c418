"""How yt-dlp is set up for listing, and nothing but listing."""

import logging
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from domain.scan import ScanOptions

log = logging.getLogger(__name__)


@frozen
class YtDlpOptions:
    """What a worker's settings say of yt-dlp.

    `extractors` are the names (or regular expressions) of those that may run; ``generic`` fetches any URL, so it has to
    be asked for. `raw` is merged over everything: yt-dlp's own parameters, as its Python API names them. `mix_limit`
    caps YouTube's endless mixes. Times in seconds.
    """

    extractors: tuple[str, ...] = ("youtube",)
    proxy: str = ""
    no_check_certificate: bool = False
    cookies: str = ""
    sleep_requests: float = 0.0
    socket_timeout: float = 20.0
    retries: int = 3
    mix_limit: int = 200
    raw: Mapping[str, Any] = field(factory=dict)

    def parameters(self, options: ScanOptions) -> dict[str, Any]:
        """The parameters of one `YoutubeDL`."""
        parameters: dict[str, Any] = {
            "quiet": True,
            "no_warnings": False,
            "noprogress": True,
            "logger": _Silent(),
            "skip_download": True,
            "extract_flat": "in_playlist",
            # a list that breaks off must raise, not end: by default 200 of 450 entries look like a success
            "ignoreerrors": False,
            "extractor_args": {"youtube": {"raise_incomplete_data": [""]}},
            "allowed_extractors": [_family(name) for name in self.extractors],
            "noplaylist": options.single_video,
            "socket_timeout": self.socket_timeout,
            "extractor_retries": self.retries,
            "sleep_interval_requests": self.sleep_requests,
            "nocheckcertificate": self.no_check_certificate,
            "cachedir": False,
        }
        if self.proxy:
            parameters["proxy"] = self.proxy
        if self.cookies:
            parameters["cookiefile"] = self.cookies
        return {**parameters, **self.raw}


def _family(name: str) -> str:
    """``youtube`` means ``youtube:tab`` and its like, too; a pattern of the user's is left as it is."""
    return f"{name}(:.*)?" if name.replace("_", "").isalnum() else name


class _Silent:
    """Sends what yt-dlp says to the log, at a level that a worker's log does not show unless asked."""

    def debug(self, message: str) -> None:
        log.debug("%s", message)

    info = debug

    def warning(self, message: str) -> None:
        log.debug("%s", message)

    def error(self, message: str) -> None:
        log.debug("%s", message)
