"""Each of yt-dlp's exceptions means one thing, however deep it is wrapped."""

from email.message import Message

import pytest
from yt_dlp.networking.exceptions import (
    CertificateVerifyError,
    HTTPError,
    IncompleteRead,
    ProxyError,
    TransportError,
)
from yt_dlp.utils import DownloadError, ExtractorError, GeoRestrictedError, UnsupportedError, UserNotLive

from adapters.ytdlp.failures import translate
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

URL = "https://www.youtube.com/playlist?list=PL1"


class Response:
    def __init__(self, status: int, **headers: str) -> None:
        self.status = status
        self.reason = "because"
        self.headers = Message()
        for name, value in headers.items():
            self.headers[name.replace("_", "-")] = value

    def close(self) -> None:
        pass


def http(status: int, **headers: str) -> HTTPError:
    return HTTPError(Response(status, **headers))


def wrapped(cause: Exception) -> DownloadError:
    """As yt-dlp raises: the cause within an ExtractorError within a DownloadError."""
    inner = ExtractorError("Unable to download API page", cause=cause)
    return DownloadError(f"ERROR: {inner}", (type(inner), inner, None))


def said(text: str) -> DownloadError:
    inner = ExtractorError(text, expected=True)
    return DownloadError(f"ERROR: {text}", (type(inner), inner, None))


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (wrapped(http(429)), SourceRateLimited),
        (wrapped(http(403)), SourceRateLimited),
        (said("Sign in to confirm you're not a bot. Use --cookies for the authentication"), SourceRateLimited),
        (said("This content isn't available, try again later."), SourceRateLimited),
        (wrapped(http(500)), SourceNetworkError),
        (wrapped(http(503)), SourceNetworkError),
        (wrapped(http(408)), SourceNetworkError),
        (wrapped(TransportError("connection reset")), SourceNetworkError),
        (wrapped(ProxyError("proxy is away")), SourceNetworkError),
        (wrapped(ProxyError("Tunnel connection failed: 503 Service Unavailable")), SourceNetworkError),
        (wrapped(IncompleteRead(partial=7)), SourceNetworkError),
        (said("YouTube said: Unknown error."), SourceNetworkError),
        (ConnectionResetError("by peer"), SourceNetworkError),
        (DownloadError("x", (HTTPError, http(502), None)), SourceNetworkError),
        (said("Incomplete data received"), SourceIncomplete),
        (said("Failed to parse JSON (caused by JSONDecodeError)"), SourceIncomplete),
        (said("Join this channel to get access to members-only content"), SourceNeedsLogin),
        (said("Sign in to confirm your age"), SourceNeedsLogin),
        (said("Premieres in 3 hours"), SourceNotYet),
        (UserNotLive(video_id="x"), SourceNotYet),
        (said("This live event will begin in 3 hours."), SourceNotYet),
        (said("Private video. Sign in if you've been granted access to this video"), SourceGone),
        (said("This video is private. Please sign in to verify that you may see it."), SourceGone),
        (said("This video has been removed by the uploader"), SourceGone),
        (said("The playlist does not exist."), SourceGone),
        (said("This channel does not have a streams tab"), SourceGone),
        (wrapped(http(404)), SourceGone),
        (wrapped(http(410)), SourceGone),
        (GeoRestrictedError("not for your country"), SourceGone),
        (UnsupportedError(URL), SourceUnsupported),
        (said("No suitable extractor found for URL"), SourceUnsupported),
        (said('Unable to handle request: Unsupported url scheme: "gopher"'), SourceUnsupported),
        (UnsupportedError("https://x.example/how-to-solve-a-captcha"), SourceUnsupported),
        (wrapped(TransportError("certificate verify failed: self-signed")), SourceUnsupported),
        (wrapped(CertificateVerifyError("self-signed")), SourceUnsupported),
        (ValueError("what is this"), SourceGone),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)[:40]),
)
def test_an_exception_is_of_one_class(error: Exception, kind: type[SourceUnavailable]) -> None:
    translated = translate(error, URL)
    assert type(translated) is kind
    assert URL in str(translated)


def test_what_lies_beneath_is_found_however_it_is_attached() -> None:
    middle = ValueError("while reading the page")
    middle.__cause__ = http(429, Retry_After="37")
    error = said("Unable to extract the page")
    assert type(translate(error, URL)) is SourceGone
    error.__context__ = middle
    limited = translate(error, URL)
    assert (type(limited), limited.retry_after) == (SourceRateLimited, 37)


def test_the_text_is_yt_dlps_own_without_what_is_meant_for_its_developers() -> None:
    error = ExtractorError("Unable to extract the title")
    assert str(translate(DownloadError(f"\x1b[0;31mERROR:\x1b[0m {error}", (type(error), error, None)), URL)) == (
        f"{URL}: Unable to extract the title"
    )


def test_retry_after_is_kept_in_seconds_or_as_a_date() -> None:
    assert translate(wrapped(http(429, Retry_After="37")), URL).retry_after == 37
    date = http(429, Retry_After="Thu, 01 Jan 2026 12:00:30 GMT", Date="Thu, 01 Jan 2026 12:00:00 GMT")
    assert translate(wrapped(date), URL).retry_after == 30
    assert translate(wrapped(http(429, Retry_After="soon")), URL).retry_after is None


def test_advice_on_cookies_is_given_where_it_would_help() -> None:
    assert "YTDLP_COOKIES" in str(translate(said("Join this channel"), URL))
