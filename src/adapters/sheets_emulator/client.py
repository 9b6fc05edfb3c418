"""The genuine gspread and google-auth, pointed at an emulator: over HTTP, or within the process."""

from collections.abc import Callable, Mapping
from typing import Any

from adapters.sheets_emulator.desk import Desk

GOOGLE = ("https://sheets.googleapis.com", "https://www.googleapis.com")
SCOPES = ("https://www.googleapis.com/auth/spreadsheets", "https://www.googleapis.com/auth/drive")


def gspread_client(url: str, account: Mapping[str, Any] | None = None, *, timeout: float = 30.0) -> Any:
    """A `gspread.Client` that speaks to the emulator at `url` instead of Google.

    With `account` (a service account's JSON, see `EmulatorServer.service_account`) google-auth fetches and refreshes
    its tokens; without, none is sent. Close it with ``client.http_client.session.close()``.
    """
    import requests

    class ToEmulator(requests.adapters.HTTPAdapter):
        def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:  # type: ignore[override]
            for host in GOOGLE:
                if request.url and request.url.startswith(host):
                    request.url = url + request.url.removeprefix(host)
            return super().send(request, **options)

    return _client(account, dict.fromkeys(GOOGLE, ToEmulator), timeout)


def gspread_client_in_process(desk: Desk, account: Mapping[str, Any] | None = None, *, timeout: float = 30.0) -> Any:
    """A `gspread.Client` whose requests `desk` answers directly, without a network or a thread."""
    return _client(account, {"https://": lambda: transport(desk), "http://": lambda: transport(desk)}, timeout)


def transport(desk: Desk, *, wait: Callable[[float], None] = lambda _seconds: None) -> Any:
    """What to mount in a `requests.Session` for `desk` to answer its requests.

    A dropped connection is a ConnectionError, an answer that would come after the request's timeout a ReadTimeout; as
    long as it takes, at most the timeout, is waited by `wait` (of seconds), which a test gives a clock's hands to.
    """
    import io

    import requests
    import urllib3

    class InProcess(requests.adapters.BaseAdapter):
        def send(self, request: requests.PreparedRequest, *_more: Any, **options: Any) -> requests.Response:
            headers = {name.lower(): str(value) for name, value in request.headers.items()}
            body: Any = request.body or b""
            content = body.encode() if isinstance(body, str) else bytes(body)
            with desk.turn:
                served = desk.handle(request.method or "GET", request.path_url, headers, content)
            if served is None:
                raise requests.ConnectionError("Connection aborted.", request=request)
            limit = options.get("timeout")
            limit = limit[1] if isinstance(limit, tuple) else limit
            wait(served.delay if limit is None else min(served.delay, limit))
            if limit is not None and served.delay > limit:
                raise requests.ReadTimeout(f"Read timed out. (read timeout={limit})", request=request)
            raw = urllib3.HTTPResponse(
                io.BytesIO(served.content), headers=served.headers, status=served.status, preload_content=False
            )
            return requests.adapters.HTTPAdapter().build_response(request, raw)

        def close(self) -> None:
            """Nothing is open."""

    return InProcess()


def _client(account: Mapping[str, Any] | None, transports: Mapping[str, Callable[[], Any]], timeout: float) -> Any:
    import gspread
    import requests
    from google.auth.credentials import AnonymousCredentials
    from google.auth.transport.requests import AuthorizedSession, Request
    from google.oauth2.service_account import Credentials

    if account is None:
        credentials: Any = AnonymousCredentials()  # type: ignore[no-untyped-call]
    else:
        credentials = Credentials.from_service_account_info(account, scopes=SCOPES)  # type: ignore[no-untyped-call]
    tokens = requests.Session()
    session = AuthorizedSession(credentials, auth_request=Request(tokens))  # type: ignore[no-untyped-call]
    for prefix, made in transports.items():
        tokens.mount(prefix, made())
        session.mount(prefix, made())
    client = gspread.Client(auth=credentials, session=session)
    client.http_client.timeout = timeout
    return client
