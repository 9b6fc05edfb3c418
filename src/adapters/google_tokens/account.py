"""Whose tokens: those of a service account, or of whatever the machine is given."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from domain.push_token import OidcToken, PushToken
from ports.errors import ConfigurationError


@frozen
class TokenAccount:
    """A service account's key, by its file or content; else the application default credentials or metadata server."""

    file: str = ""
    content: str = ""

    @property
    def origin(self) -> str:
        """Where the credentials come from, for people."""
        if self.content:
            return "with the key in SERVICE_ACCOUNT_JSON"
        return f"with the key in {self.file}" if self.file else "with application default credentials"

    def credentials(self, kind: PushToken, purpose: str, request: Callable[..., Any]) -> Any:
        """Credentials of google-auth that `refresh` gives a token of `kind` for `purpose`, an audience or scopes.

        Raises:
            GoogleAuthError, ValueError, ConfigurationError: there are none.
        """
        import google.auth
        from google.oauth2 import id_token, service_account

        if isinstance(kind, OidcToken):
            if key := self._key():
                return service_account.IDTokenCredentials.from_service_account_info(key, target_audience=purpose)  # type: ignore[no-untyped-call]
            return id_token.fetch_id_token_credentials(purpose, request)  # type: ignore[no-untyped-call]
        scopes = purpose.split()
        if key := self._key():
            return service_account.Credentials.from_service_account_info(key, scopes=scopes)  # type: ignore[no-untyped-call]
        return google.auth.default(scopes=scopes, request=request)[0]  # type: ignore[arg-type]

    def _key(self) -> Mapping[str, Any] | None:
        if not self.content and not self.file:
            return None
        try:
            key = json.loads(self.content or Path(self.file).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigurationError(f"the service account's key cannot be read: {error}") from error
        if not isinstance(key, dict):
            raise ConfigurationError("the service account's key is no JSON object: it should be the whole key file")
        return key
