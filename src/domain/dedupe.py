"""Identity: which two things are the same work.

A key is ``"<site> <id>"`` (the line that yt-dlp's own download archive holds) where the id is known, else
``"url <sha256 of the cleaned URL>"``; an item of a feed is ``"feed <sha256 of the feed's URL and the item's guid>"``.
Keys are case-sensitive, as YouTube's ids are.

Where it is not certain that two URLs show the same, they are two: to do a thing twice is dear, to leave one out is
wrong.
"""

import hashlib
import re
import string
from urllib.parse import SplitResult, parse_qs, parse_qsl, urlencode, urlsplit, urlunsplit

_YOUTUBE_SITES = ("youtube.com", "youtube-nocookie.com", "youtubekids.com", "youtube.googleapis.com")
_WATCH_PATHS = frozenset({"", "watch", "watch_popup", "movie"})
_VIDEO_PATHS = frozenset({"shorts", "live", "embed", "v", "e", "vi"})
_ID_CHARACTERS = frozenset(string.ascii_letters + string.digits + "-_")
_VIDEO_ID_LENGTH = 11
# what stands after /embed/ for a playlist and for a channel's stream; both happen to be as long as an id
_NO_VIDEO_IDS = frozenset({"videoseries", "live_stream"})

# parameters that say where a visitor came from, never what is shown
_TRACKING = frozenset({"fbclid", "gclid", "igshid", "ref_src"})
_YOUTUBE_TRACKING = frozenset({"si", "feature", "pp", "ab_channel", "app", "sub_confirmation"})


def entry_key(site: str | None, identifier: str | None, url: str) -> str:
    """The key of an entry that an extractor has named, or that only has a URL.

    `site` is yt-dlp's ``ie_key``; `identifier` must be unique on it.
    """
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
    if _is_youtube(_host(parts)) and not single_video:
        playlist = _parameter(parts, "list")
        if playlist:
            return f"youtube:playlist {playlist}"
    return task_key(url)


def feed_key(feed: str, guid: str) -> str:
    """The key of an item of the feed at the URL `feed`: a `guid` is unique within its feed only (RSS 2.0)."""
    return "feed " + _digest(f"{clean_url(feed)}\n{guid}")


def display_id(key: str) -> str:
    """What people see in an ID column: the id of a known site (11 characters for YouTube), else 11 of the hash."""
    site, _, identifier = key.partition(" ")
    return identifier[:_VIDEO_ID_LENGTH] if site in {"url", "feed"} else identifier


def clean_url(url: str) -> str:
    """`url` without what does not change what it shows. Cleaning what is clean changes nothing.

    That is: the host's case and `www.`, http for https, a password, the default port, a trailing slash, the order of
    parameters of different names, tracking, and the fragment, unless it is a route (``#/…``, ``#!…``).
    """
    return urlunsplit(_clean(_split(url)))


def _url_key(parts: SplitResult) -> str:
    return "url " + _digest(urlunsplit(_clean(parts)))


def _digest(text: str) -> str:
    # a name from a command line may hold bytes that are no text (surrogates)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _split(url: str) -> SplitResult:
    url = url.strip()
    if not re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*://", url):
        url = f"https://{url.removeprefix('//')}"
    try:
        parts = urlsplit(url)
        place = _place(parts)
    except ValueError:  # an unclosed IPv6 bracket, a port that is no number
        place = ""
    # what is nowhere on the net is only a text, equal to itself
    return parts if place else SplitResult("", "", url, "", "")


def _clean(parts: SplitResult) -> SplitResult:
    if not parts.netloc:
        return parts
    tracking = _TRACKING | _YOUTUBE_TRACKING if _is_youtube(_host(parts)) else _TRACKING
    # bytes that are no UTF-8 (%E1 of a Latin-1 site) go through unchanged
    parameters = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True, errors="surrogateescape")
        if name not in tracking and not name.startswith("utm_")
    ]
    query = urlencode(sorted(parameters, key=lambda parameter: parameter[0]), errors="surrogateescape")
    scheme = "https" if parts.scheme == "http" else parts.scheme
    fragment = parts.fragment if parts.fragment.startswith(("/", "!")) else ""
    return SplitResult(scheme, _place(parts), re.sub(r"[/\s]+$", "", parts.path), query, fragment)


def _host(parts: SplitResult) -> str:
    host = re.sub(r"^(www\.)+|[.\s]+$", "", parts.hostname or "")
    if ":" in host:
        return f"[{host}]"
    return "youtube.com" if host == "m.youtube.com" else host


def _place(parts: SplitResult) -> str:
    """Host and port, empty where there is no host."""
    host, port = _host(parts), parts.port
    return f"{host}:{port}" if host and port not in {None, 80, 443} else host


def _is_youtube(host: str) -> bool:
    return host == "youtu.be" or any(host == site or host.endswith(f".{site}") for site in _YOUTUBE_SITES)


def _parameter(parts: SplitResult, name: str) -> str:
    return parse_qs(parts.query).get(name, [""])[0]


def _youtube_video(parts: SplitResult) -> str | None:
    host = _host(parts)
    if not _is_youtube(host):
        return None
    first, second, *_ = [*filter(None, parts.path.split("/")), "", ""]
    if host == "youtu.be":
        candidate = first
    elif first in _WATCH_PATHS:
        candidate = _parameter(parts, "v") or second
    elif first in _VIDEO_PATHS:
        candidate = second
    else:
        return None
    is_id = len(candidate) == _VIDEO_ID_LENGTH and _ID_CHARACTERS.issuperset(candidate)
    return candidate if is_id and candidate not in _NO_VIDEO_IDS else None
