"""Who calls: a service account, a user who has signed in, or whatever the machine is given (google-auth)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from ports.errors import ConfigurationError

SCOPES = ("https://www.googleapis.com/auth/spreadsheets",)


@frozen
class GoogleAccount:
    """Where credentials come from: a JSON file, its content, or else the application default credentials.

    Both a service account's key and an authorized user's token (as `gcloud auth application-default login` and
    gspread's OAuth keep it) are understood. `anonymous` sends none, for a server of one's own.
    """

    file: str = ""
    content: str = ""
    anonymous: bool = False

    @property
    def origin(self) -> str:
        """Where the credentials come from, for people."""
        if self.content:
            return "from SERVICE_ACCOUNT_JSON"
        if self.file:
            return f"from SERVICE_ACCOUNT_FILE={self.file}"
        return "none is asked for by SHEETS_API_URL" if self.anonymous else "application default credentials"

    def credentials(self) -> Any:
        """Credentials of google-auth, not asked for a token yet.

        Raises:
            ConfigurationError: there are none, or they cannot be read.
        """
        if self.content:
            return self._from_info(_object(self.content, "SERVICE_ACCOUNT_JSON"), "SERVICE_ACCOUNT_JSON")
        if self.file:
            try:
                text = Path(self.file).read_text(encoding="utf-8")
            except (OSError, UnicodeError) as error:
                raise ConfigurationError(f"SERVICE_ACCOUNT_FILE={self.file} cannot be read: {error}") from error
            return self._from_info(_object(text, self.file), self.file)
        if self.anonymous:
            from google.auth.credentials import AnonymousCredentials

            return AnonymousCredentials()  # type: ignore[no-untyped-call]
        return self._from_machine()

    def _from_info(self, info: Mapping[str, Any], origin: str) -> Any:
        from google.oauth2 import credentials as user
        from google.oauth2 import service_account

        try:
            if info.get("type") == "authorized_user":
                return user.Credentials.from_authorized_user_info(info, scopes=SCOPES)  # type: ignore[no-untyped-call]
            return service_account.Credentials.from_service_account_info(info, scopes=SCOPES)  # type: ignore[no-untyped-call]
        except ValueError as error:
            raise ConfigurationError(
                f"{origin} holds no key of a service account, and no signed-in user: {error}; download the key anew "
                "(Google Cloud console, IAM, Service accounts, Keys, JSON)"
            ) from error

    def _from_machine(self) -> Any:
        import google.auth
        from google.auth.exceptions import DefaultCredentialsError

        try:
            credentials, _project = google.auth.default(scopes=SCOPES)
        except DefaultCredentialsError as error:
            raise ConfigurationError(
                "no Google account is set: name a service account's JSON file in SERVICE_ACCOUNT_FILE "
                "(or its content in SERVICE_ACCOUNT_JSON), or run `gcloud auth application-default login`"
            ) from error
        return credentials


def address(credentials: Any) -> str:
    """The e-mail address to share a spreadsheet with; empty where the credentials do not say."""
    return str(getattr(credentials, "service_account_email", "") or getattr(credentials, "account", "") or "")


def _object(text: str, origin: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ConfigurationError(f"{origin} holds no JSON: {error}") from error
    if not isinstance(value, dict):
        raise ConfigurationError(f"{origin} holds no JSON object: it should be the whole key file")
    return value
