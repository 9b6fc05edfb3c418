"""yt-dlp's own object, fenced in."""

import logging
from collections.abc import Mapping
from functools import cache
from threading import Event
from typing import Any

from ports.errors import ConfigurationError

log = logging.getLogger(__name__)


def new_downloader(parameters: Mapping[str, Any], abandoned: Event) -> Any:
    """A `YoutubeDL` that counts its `requests`, and refuses to make another once `abandoned` is set.

    It is of one thread at a time and of one call: a shared one answered None to five of six threads. Constructing it
    runs any `yt_dlp_plugins` on `sys.path`, so there are none unless `plugin_dirs` among the parameters asks for them
    (``["default"]`` is yt-dlp's own choice, which it keeps for the whole process).

    Raises:
        ConfigurationError: yt-dlp does not accept the parameters, or cannot read the cookies.
    """
    from yt_dlp.globals import plugin_dirs

    plugin_dirs.value = list(parameters.get("plugin_dirs") or ())
    try:
        downloader = _downloader_class()({**parameters, "logger": _ToLog()}, abandoned)
        downloader.cookiejar  # noqa: B018 - read now, so that a bad file is not taken for a bad source
    except Exception as error:
        raise ConfigurationError(
            f"yt-dlp does not accept its settings: {error} (see YTDLP_EXTRACTORS, YTDLP_COOKIES, YTDLP_OPTIONS)"
        ) from error
    return downloader


@cache
def _downloader_class() -> type:
    from yt_dlp import YoutubeDL
    from yt_dlp.utils import DownloadCancelled

    class Downloader(YoutubeDL):  # type: ignore[misc]
        def __init__(self, parameters: Mapping[str, Any], abandoned: Event) -> None:
            super().__init__(parameters)
            self.requests = 0
            self.abandoned = abandoned

        def urlopen(self, req: Any) -> Any:
            if self.abandoned.is_set():
                raise DownloadCancelled("nobody waits for this any more")
            self.requests += 1
            return super().urlopen(req)

    return Downloader


class _ToLog:
    """Keeps yt-dlp off stdout and stderr. A worker's log shows what it says only when asked for debugging."""

    def debug(self, message: str) -> None:
        log.debug("%s", message)

    info = warning = error = debug
