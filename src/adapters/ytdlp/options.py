"""How yt-dlp is set up for listing, and nothing but listing."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen, validators

from domain.scan import ScanOptions
from ports.errors import ConfigurationError

_PROXY_SCHEMES = frozenset({"http", "https", "socks4", "socks4a", "socks5", "socks5h"})
# what stands for many extractors in yt-dlp's `allowed_extractors`, and is no name
ALIASES = frozenset({"all", "default", "end"})


@frozen
class YtDlpOptions:
    """What a worker's settings say of yt-dlp.

    `extractors` are the names (or regular expressions) of those that may run; ``generic`` fetches any URL, so it has to
    be asked for. `cookies` is the path of a cookies.txt; it is read for each scan and never written to. `raw` is merged
    over everything but what makes a broken list raise: yt-dlp's own parameters, as its Python API names them (and
    `plugin_dirs`, since plugins are off unless asked for). `mix_limit` caps YouTube's endless mixes. Times in seconds.

    Raises:
        ConfigurationError: a proxy or an option that yt-dlp cannot use.
        ValueError: a number that makes no sense.
    """

    extractors: tuple[str, ...] = field(default=("youtube",), validator=validators.min_len(1))
    proxy: str = field(default="", repr=False)
    no_check_certificate: bool = False
    cookies: str = ""
    sleep_requests: float = field(default=0.0, validator=validators.ge(0))
    socket_timeout: float = field(default=20.0, validator=validators.gt(0))
    retries: int = field(default=3, validator=validators.ge(0))
    mix_limit: int = field(default=200, validator=validators.ge(1))
    raw: Mapping[str, Any] = field(factory=dict, repr=False)

    @proxy.validator
    def _check_proxy(self, _attribute: object, proxy: str) -> None:
        scheme, separator, _ = proxy.partition("://")
        if separator and scheme.lower() not in _PROXY_SCHEMES:
            known = ", ".join(sorted(_PROXY_SCHEMES))
            raise ConfigurationError(f"YTDLP_PROXY: yt-dlp knows no {scheme}:// proxy; it knows {known}")

    @raw.validator
    def _check_raw(self, _attribute: object, raw: Mapping[str, Any]) -> None:
        arguments = raw.get("extractor_args", {})
        if not isinstance(arguments, Mapping) or not all(isinstance(each, Mapping) for each in arguments.values()):
            example = '{"extractor_args": {"youtube": {"player_client": ["web"]}}}'
            raise ConfigurationError(f"YTDLP_OPTIONS: extractor_args is an object of objects, as in {example}")

    def parameters(self, options: ScanOptions) -> dict[str, Any]:
        """The parameters of one `YoutubeDL`.

        Raises:
            ConfigurationError: the cookies cannot be read.
        """
        parameters: dict[str, Any] = {
            "quiet": True,
            "noprogress": True,
            "skip_download": True,
            "extract_flat": "in_playlist",
            "allowed_extractors": [family(name) for name in self.extractors],
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
        parameters |= self.raw
        if parameters.get("cookiefile"):
            parameters["cookiefile"] = _copy(parameters["cookiefile"])
        # a list that breaks off must raise, not end: by default 200 of 450 entries look like a success
        parameters["ignoreerrors"] = False
        parameters["extractor_args"] = _raising(self.raw.get("extractor_args", {}))
        return parameters


def _copy(cookies: str) -> io.StringIO:
    """yt-dlp writes to a path when it is done, but workers may share the file, or may only read it."""
    try:
        return io.StringIO(Path(cookies).expanduser().read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"YTDLP_COOKIES: {cookies} cannot be read: {error}") from error


def family(name: str) -> str:
    """``youtube`` means ``youtube:tab`` and its like, too; a pattern of the user's is left as it is."""
    plain = name.removeprefix("-").replace("_", "").isalnum()
    return f"{name}(:.*)?" if plain and name.removeprefix("-") not in ALIASES else name


def _raising(extractor_args: Mapping[str, Any]) -> dict[str, Any]:
    youtube = {**extractor_args.get("youtube", {}), "raise_incomplete_data": [""]}
    return {**extractor_args, "youtube": youtube}
