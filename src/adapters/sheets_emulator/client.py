"""The genuine gspread client, pointed at an emulator."""

from collections.abc import Mapping
from typing import Any

GOOGLE = ("https://sheets.googleapis.com", "https://www.googleapis.com")
SCOPES = ("https://www.googleapis.com/auth/spreadsheets", "https://www.googleapis.com/auth/drive")


def gspread_client(url: str, account: Mapping[str, Any] | None = None, *, timeout: float = 30.0) -> Any:
    """A `gspread.Client` that speaks to the emulator at `url` instead of Google.

    With `account` (a service account's JSON, see `Access.service_account`) google-auth fetches and refreshes its
    tokens; without, none is sent.
    """
    import gspread
    import requests
    from google.auth.credentials import AnonymousCredentials
    from google.auth.transport.requests import AuthorizedSession
    from google.oauth2.service_account import Credentials

    class ToEmulator(requests.adapters.HTTPAdapter):
        def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:  # type: ignore[override]
            for host in GOOGLE:
                if request.url and request.url.startswith(host):
                    request.url = url + request.url.removeprefix(host)
            return super().send(request, **options)

    if account is None:
        credentials: Any = AnonymousCredentials()  # type: ignore[no-untyped-call]
    else:
        credentials = Credentials.from_service_account_info(account, scopes=SCOPES)  # type: ignore[no-untyped-call]
    session = AuthorizedSession(credentials)  # type: ignore[no-untyped-call]
    for host in GOOGLE:
        session.mount(host, ToEmulator())
    client = gspread.Client(auth=credentials, session=session)
    client.http_client.timeout = timeout
    return client
