"""What yt-dlp's exceptions mean for a source."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any

from attrs import frozen

from domain.errors import MutiraoError
from ports.errors import (
    SourceGone,
    SourceIncomplete,
    SourceNeedsLogin,
    SourceNetworkError,
    SourceNotYet,
    SourceRateLimited,
    SourceUnavailable,
    SourceUnsupported,
)


@frozen
class _Rule:
    kind: type[SourceUnavailable]
    text: str = ""
    statuses: frozenset[int] = frozenset()
    classes: frozenset[str] = frozenset()
    advice: str = ""

    def matches(self, chain: list[BaseException], text: str) -> bool:
        return bool(
            (self.text and re.search(self.text, text, re.IGNORECASE))
            or any(_status(error) in self.statuses for error in chain)
            or any(cls.__name__ in self.classes for error in chain for cls in type(error).__mro__)
        )


# The first that matches wins. Rate limits stand before login: yt-dlp adds advice on cookies to the message about bots.
# Certificates stand before the network, whose errors they are a kind of; private before login, which it advises.
_RULES = (
    _Rule(
        SourceRateLimited,
        text=r"not a bot|try again later|captcha|too many requests|rate.?limited",
        statuses=frozenset({429, 403}),
    ),
    _Rule(
        SourceUnsupported,
        text=r"certificate.verify",
        classes=frozenset({"CertificateVerifyError"}),
        advice="; YTDLP_NO_CHECK_CERTIFICATE=1 would accept it",
    ),
    _Rule(
        SourceNetworkError,
        text=r"unknown error",  # what YouTube says, with status 200, when it is broken
        statuses=frozenset({408, *range(500, 600)}),
        classes=frozenset({"TransportError", "ProxyError", "ConnectionError", "TimeoutError"}),
    ),
    _Rule(SourceIncomplete, text=r"incomplete data received|incomplete yt initial data|failed to parse json"),
    _Rule(SourceGone, text=r"private (video|playlist)|(video|playlist) is private"),
    _Rule(
        SourceNeedsLogin,
        text=r"members.only|join this channel|confirm your age|please sign in|login required|for registered users",
        advice="; the cookies of an account that may see it would help (YTDLP_COOKIES)",
    ),
    _Rule(
        SourceNotYet,
        text=r"premieres in|will begin in|not currently live",
        classes=frozenset({"UserNotLive"}),
    ),
    _Rule(
        SourceUnsupported,
        text=r"no suitable extractor",
        advice="; YTDLP_EXTRACTORS says which may be used, and `generic` tries any page",
    ),
    _Rule(
        SourceUnsupported,
        text=r"unsupported url|invalid url|not a valid (url|host)|failed to parse: |file:// urls are disabled",
        classes=frozenset({"UnsupportedError"}),
    ),
)


@contextmanager
def translated(url: str) -> Iterator[None]:
    """What yt-dlp raises within is raised as the port's error; one of ours passes as it is."""
    try:
        yield
    except MutiraoError:
        raise
    except Exception as error:
        raise translate(error, url) from error


def translate(error: BaseException, url: str) -> SourceUnavailable:
    """The port's error for `error`, in yt-dlp's own words.

    What no rule knows is not worth repeating: removed, not for this country, another 4xx, a tab that there is not, a
    page that yt-dlp cannot read.
    """
    chain = list(_chain(error))
    said = _message(chain[0])
    # what stands in a URL (a video's title, often) says nothing about what went wrong
    text = re.sub(r"\w+://\S+", "", "\n".join(_message(link) for link in chain))
    for rule in _RULES:
        if rule.matches(chain, text):
            return rule.kind(f"{url}: {said}{rule.advice}", retry_after=_retry_after(chain))
    return SourceGone(f"{url}: {said}")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """`error` and all that is beneath it: causes, contexts, and what yt-dlp keeps in `exc_info` and `cause`."""
    seen: set[int] = set()
    waiting: list[Any] = [error]
    while waiting:
        link = waiting.pop(0)
        if not isinstance(link, BaseException) or id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        exc_info = getattr(link, "exc_info", None) or (None, None, None)
        waiting += [exc_info[1], getattr(link, "cause", None), link.__cause__, link.__context__]


def _message(error: BaseException) -> str:
    text = str(getattr(error, "orig_msg", None) or getattr(error, "msg", None) or error)
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return text.removeprefix("ERROR: ").partition("; please report this issue")[0].strip() or type(error).__name__


def _status(error: BaseException) -> int | None:
    status = getattr(error, "status", None)
    return status if isinstance(status, int) else None


def _retry_after(chain: list[BaseException]) -> float | None:
    for error in chain:
        headers: Any = getattr(getattr(error, "response", None), "headers", None) or {}
        value = headers.get("Retry-After")
        if value and value.strip().isdigit():
            return float(value)
        if value:
            return _seconds_between(headers.get("Date"), value)
    return None


def _seconds_between(sent: str | None, until: str) -> float | None:
    """How long from the response's own Date to an HTTP date: no clock of ours is asked."""
    try:
        gap = parsedate_to_datetime(until) - parsedate_to_datetime(sent or "")
    except (TypeError, ValueError):
        return None
    return max(0.0, gap.total_seconds())
