"""The token by which a target of pushes knows the worker: Google's OIDC for one's own services, OAuth for its APIs."""

from typing import TypeAlias
from urllib.parse import urlsplit

from attrs import frozen

from domain.errors import TaskRefused

CLOUD_PLATFORM = "https://www.googleapis.com/auth/cloud-platform"


@frozen
class OidcToken:
    """An identity token for `audience`; empty: for each target's own origin (``https://host``), as Cloud Run takes it.

    With one audience for all, whoever publishes a task chooses who gets the token: let `SSRF_POLICY` name them.
    """

    audience: str = ""

    def purpose(self, url: str) -> str:
        """The audience of a token for `url`: tokens for the same one are the same."""
        if self.audience:
            return self.audience
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()


@frozen
class OAuthToken:
    """An access token for `scope` (several, with blanks). It opens Google's APIs, so it goes to no one else."""

    scope: str = CLOUD_PLATFORM

    def purpose(self, url: str) -> str:
        """The scope.

        Raises:
            TaskRefused: `url` is no API of Google.
        """
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
        if parts.scheme.lower() != "https" or not host.endswith(".googleapis.com"):
            raise TaskRefused(
                f"an OAuth token goes to https://*.googleapis.com only, not to {parts.scheme}://{host}: "
                "use an OIDC token for a service of your own"
            )
        return self.scope


PushToken: TypeAlias = OidcToken | OAuthToken


def parse_token(text: str) -> PushToken:
    """``oidc``, ``oidc:AUDIENCE``, ``oauth`` or ``oauth:SCOPE``.

    Raises:
        ValueError: it is none of these.
    """
    kind, _, rest = text.strip().partition(":")
    match kind.lower():
        case "oidc":
            return OidcToken(rest.strip())
        case "oauth":
            return OAuthToken(rest.strip() or CLOUD_PLATFORM)
        case _:
            raise ValueError(f"{text!r} is none of oidc, oidc:AUDIENCE, oauth and oauth:SCOPE")
