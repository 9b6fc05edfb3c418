"""Identity: which two things are the same work.

A key is ``"<site> <id>"`` (the line that yt-dlp's own download archive holds) where the id is known, else
``"url <sha256 of the cleaned URL>"``. Keys are case-sensitive, as YouTube's ids are.
"""

import hashlib
import string
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

_YOUTUBE_HOSTS = frozenset({"youtube.com", "youtube-nocookie.com", "music.youtube.com"})
_VIDEO_PATHS = frozenset({"shorts", "live", "embed", "v", "e", "vi"})
_ID_CHARACTERS = frozenset(string.ascii_letters + string.digits + "-_")
_VIDEO_ID_LENGTH = 11
# parameters that say where a visitor came from, never what is shown
_TRACKING = frozenset({"si", "feature", "pp", "ab_channel", "fbclid", "gclid", "igshid", "ref_src", "app"})


def entry_key(site: str | None, identifier: str | None, url: str) -> str:
    """The key of an entry that an extractor has named (`site` is yt-dlp's ``ie_key``), or that only has a URL."""
    if site and identifier:
        return f"{site.lower()} {identifier}"
    return task_key(url)


def task_key(url: str) -> str:
    """The key of a single URL: a YouTube video in any of its spellings is ``youtube <id>``."""
    parts = _split(url)
    video = _youtube_video(parts)
    return f"youtube {video}" if video else _url_key(parts)


def source_key(url: str, *, single_video: bool = False) -> str:
    """The key of a source. A `watch?v=…&list=…` is its playlist unless `single_video`.

    A channel's handle, its id and its tabs are different keys: only the site knows that they are one channel.
    """
    parts = _split(url)
    if _site(parts) in _YOUTUBE_HOSTS | {"youtu.be"}:
        playlist = dict(parse_qsl(parts.query)).get("list")
        if playlist and not single_video:
            return f"youtube:playlist {playlist}"
        video = _youtube_video(parts)
        if video:
            return f"youtube {video}"
    return _url_key(parts)


def display_id(key: str) -> str:
    """What people see in an ID column: the id of a known site (11 characters for YouTube), else 11 of the hash."""
    site, _, identifier = key.partition(" ")
    return identifier[:_VIDEO_ID_LENGTH] if site == "url" else identifier


def clean_url(url: str) -> str:
    """`url` without what does not change what it shows: case of the host, `www.`, fragment, tracking, order."""
    return urlunsplit(_clean(_split(url)))


def _url_key(parts: SplitResult) -> str:
    return "url " + hashlib.sha256(urlunsplit(_clean(parts)).encode()).hexdigest()


def _split(url: str) -> SplitResult:
    url = url.strip()
    if "://" not in url:
        url = f"https://{url.removeprefix('//')}"
    try:
        return urlsplit(url)
    except ValueError:  # an unclosed IPv6 bracket, say: it is then only a text, equal to itself
        return SplitResult("", "", url, "", "")


def _clean(parts: SplitResult) -> SplitResult:
    query = sorted(
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if name not in _TRACKING and not name.startswith("utm_")
    )
    # http and https of one address are one thing: people paste either
    scheme = "https" if parts.scheme.lower() == "http" else parts.scheme.lower()
    return SplitResult(scheme, _site(parts, with_port=True), parts.path.rstrip("/"), urlencode(query), "")


def _site(parts: SplitResult, *, with_port: bool = False) -> str:
    host = (parts.hostname or "").removesuffix(".")
    for prefix in ("www.", "m."):
        host = host.removeprefix(prefix)
    if not with_port:
        return host
    try:
        port = parts.port
    except ValueError:
        return parts.netloc.lower()
    return host if port in (None, 80, 443) else f"{host}:{port}"


def _youtube_video(parts: SplitResult) -> str | None:
    site = _site(parts)
    segments = [segment for segment in parts.path.split("/") if segment]
    if site == "youtu.be":
        candidate = segments[0] if segments else ""
    elif site not in _YOUTUBE_HOSTS or not segments:
        return None
    elif segments[0] in {"watch", "watch_popup"}:
        query = dict(parse_qsl(parts.query))
        candidate = query.get("v", "") or (segments[1] if len(segments) > 1 else "")
    elif segments[0] in _VIDEO_PATHS and len(segments) > 1:
        candidate = segments[1]
    else:
        return None
    return candidate if len(candidate) == _VIDEO_ID_LENGTH and _ID_CHARACTERS.issuperset(candidate) else None
