"""An HTTP request, and what keeps one from being sent."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from urllib.parse import quote, urlsplit

from attrs import field, frozen

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
MAX_URL = 2083
"""Characters, as Cloud Tasks has it."""
MAX_HEADERS = 80_000
"""Bytes of all names and values, as Cloud Tasks has it."""

OF_THE_CONNECTION = frozenset(
    {"connection", "content-length", "expect", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"}
)
"""Headers that the connection says for itself. From whoever makes a request, they would break its framing."""

# RFC 9110, sections 5.1 and 5.5
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
# RFC 3986, with the percent sign of what is encoded already
_URL_SAFE = "-._~:/?#[]@!$&'()*+,;=%"
_URL = re.compile(rf"[A-Za-z0-9{re.escape(_URL_SAFE)}]*")
# most URLs, told to be good at one glance
_PLAIN_URL = re.compile(rf"https?://[A-Za-z0-9._-]+(:[1-9][0-9]{{0,3}})?([/?#][A-Za-z0-9{re.escape(_URL_SAFE)}]*)?")
_CONTROLS = "".join(map(chr, [*range(0x20), 0x7F]))
_HOST = re.compile(r"[A-Za-z0-9._~:%-]+")


@frozen
class HttpRequest:
    """What is sent, to the letter; a dispatcher adds only what the connection needs."""

    url: str
    method: str = "POST"
    headers: Mapping[str, str] = field(factory=dict)
    body: bytes = b""


def ascii_url(url: str) -> str:
    """`url` with its host in IDNA, and percent-encoded what no URL may hold; control characters are left to be refused.

    Encoding what is encoded changes nothing.
    """
    if _URL.fullmatch(url):
        return url
    scheme, mark, rest = url.partition("://")
    cut = next((place for place, letter in enumerate(rest) if letter in "/?#"), len(rest))
    user, at, host = rest[:cut].rpartition("@")
    with suppress(UnicodeError):  # an empty or overlong label: the host is refused for its letters
        host = host.encode("idna").decode()
    tail = quote(rest[cut:], safe=_URL_SAFE + _CONTROLS, errors="surrogatepass")
    return f"{scheme}{mark}{quote(user, safe=_URL_SAFE)}{at}{host}{tail}"


def problems(request: HttpRequest) -> list[str]:
    """What keeps `request` from ever being sent, each with what to do; empty if nothing does. Shows no secret."""
    return [*_url_problems(request.url), *_method_problems(request.method), *_header_problems(request.headers)]


def _url_problems(url: str) -> Iterator[str]:
    if len(url) > MAX_URL:
        yield f"the URL has {len(url)} characters, {MAX_URL} are allowed: send what is long in the payload"
    elif _PLAIN_URL.fullmatch(url):
        return
    elif not url:
        yield "there is no URL: name one with the task or with its queue"
    elif not _URL.fullmatch(url):
        yield f"the URL {_shown(url)} has a blank, a control character or a letter beyond ASCII: percent-encode it"
    elif not url.lower().startswith(("http://", "https://")):
        yield f"the URL {_shown(url)} must begin with http:// or https://"
    else:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError as error:
            yield f"the URL {_shown(url)} cannot be read: {error}"
        else:
            if not _HOST.fullmatch(host) or port == 0:
                yield f"the URL {_shown(url)} names no host and port that could be asked"


def _method_problems(method: str) -> Iterator[str]:
    if method not in METHODS:
        yield f"the method {method[:20]!r} must be one of {', '.join(METHODS)}"


def _header_problems(headers: Mapping[str, str]) -> Iterator[str]:
    names, values = "".join(headers), "".join(headers.values())
    if len(names) + len(values) > MAX_HEADERS:
        yield f"the headers have {len(names) + len(values)} bytes, {MAX_HEADERS} are allowed: use the payload instead"
    # all at once, since nearly always nothing is wrong
    good = _HEADER_NAME.fullmatch(names or "-") and _HEADER_VALUE.fullmatch(values)
    if not good or "" in headers or not OF_THE_CONNECTION.isdisjoint(map(str.lower, headers)):
        for name, value in headers.items():
            yield from _problems_of_header(name, value)


def _problems_of_header(name: str, value: str) -> Iterator[str]:
    if name.lower() in OF_THE_CONNECTION:
        yield f"the header {name!r} is the dispatcher's own: leave it out"
    if not _HEADER_NAME.fullmatch(name):
        yield f"the header name {name[:80]!r} must be of letters, digits and hyphens"
    if not _HEADER_VALUE.fullmatch(value):
        yield f"the header {name[:80]!r} has a line break, a control character or one beyond Latin-1: encode it"


def _shown(url: str) -> str:
    """Enough of `url` to tell it by, without what may be secret: a password, a query."""
    scheme, mark, rest = url.partition("://")
    place = re.split(r"[?#]", rest if mark else scheme, maxsplit=1)[0].rpartition("@")[2]
    return repr((f"{scheme}://{place}" if mark else place)[:120])
