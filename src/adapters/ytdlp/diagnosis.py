"""What yt-dlp is there, and whether it can be used as the settings say. Blocking; nothing is fetched."""

import re
from collections.abc import Sequence
from threading import Event

from adapters.ytdlp.downloader import new_downloader
from adapters.ytdlp.options import ALIASES, YtDlpOptions, family
from domain.finding import Finding, good, note, problem
from domain.scan import ScanOptions
from ports.errors import ConfigurationError


def findings(settings: YtDlpOptions) -> Sequence[Finding]:
    """Version, settings, extractors, and the JavaScript runtimes of this machine."""
    from yt_dlp.version import __version__

    version = good("yt-dlp", __version__)
    try:
        new_downloader(settings.parameters(ScanOptions()), Event()).close()
    except ConfigurationError as error:
        return [version, problem("settings", str(error))]
    return [version, *_extractors(settings.extractors), _runtimes()]


def _extractors(wanted: Sequence[str]) -> Sequence[Finding]:
    """Which may run; a name that is none's stands for nothing, and yt-dlp does not say so."""
    from yt_dlp.extractor import gen_extractor_classes

    names = {extractor.IE_NAME for extractor in gen_extractor_classes()}
    strange = [
        name
        for name in wanted
        if name.removeprefix("-") not in ALIASES and not _matching(family(name).removeprefix("-"), names)
    ]
    if strange:
        fix = "write it in YTDLP_EXTRACTORS as in the list of `yt-dlp --list-extractors`"
        return [problem("extractors", f"yt-dlp has no extractor {', '.join(strange)}", fix)]
    return [good("extractors", ", ".join(wanted))]


def _matching(pattern: str, names: set[str]) -> bool:
    found = re.compile(pattern, re.IGNORECASE)
    return any(found.fullmatch(name) for name in names)


def _runtimes() -> Finding:
    from yt_dlp.globals import supported_js_runtimes

    found = [info for runtime in supported_js_runtimes.value.values() if (info := runtime().info)]
    usable = [info for info in found if info.supported]
    seen = ", ".join(f"{info.name} {info.version}{'' if info.supported else ' (too old)'}" for info in found) or "none"
    if usable:
        return good("JavaScript runtime", seen)
    return note(
        "JavaScript runtime",
        f"{seen}; listing does without",
        "install deno if your handler downloads from YouTube with yt-dlp",
    )
