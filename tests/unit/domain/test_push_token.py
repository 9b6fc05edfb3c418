"""Which token goes to whom."""

import pytest

from domain.errors import TaskRefused
from domain.push_token import CLOUD_PLATFORM, OAuthToken, OidcToken, PushToken, parse_token


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("oidc", OidcToken()),
        ("OIDC", OidcToken()),
        ("oidc:https://a.example", OidcToken("https://a.example")),
        ("oauth", OAuthToken(CLOUD_PLATFORM)),
        ("oauth: a b ", OAuthToken("a b")),
    ],
)
def test_a_token_is_read(text: str, token: PushToken) -> None:
    assert parse_token(text) == token


@pytest.mark.parametrize("text", ["", "jwt", "https://a.example"])
def test_what_is_no_token_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="oidc:AUDIENCE"):
        parse_token(text)


@pytest.mark.parametrize(
    ("url", "audience"),
    [
        ("https://a.example/x?y#z", "https://a.example"),
        ("https://user:word@A.example:8443/x", "https://a.example:8443"),
        ("http://[::1]:80/", "http://[::1]:80"),
    ],
)
def test_the_audience_is_the_targets_origin(url: str, audience: str) -> None:
    assert OidcToken().purpose(url) == audience


def test_a_given_audience_is_for_every_target() -> None:
    assert OidcToken("mine").purpose("https://a.example/") == "mine"


@pytest.mark.parametrize("url", ["https://pubsub.googleapis.com/v1", "HTTPS://Pubsub.Googleapis.com.:443/v1"])
def test_google_gets_access_tokens(url: str) -> None:
    assert OAuthToken("a").purpose(url) == "a"


@pytest.mark.parametrize(
    "url", ["http://pubsub.googleapis.com/", "https://a.example/", "https://x@a.example/.googleapis.com"]
)
def test_nobody_else_gets_access_tokens(url: str) -> None:
    with pytest.raises(TaskRefused):
        OAuthToken().purpose(url)
