"""The three calls that this store makes, through gspread, in a thread of their own."""

from collections.abc import Callable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any, Final

from adapters.google_sheets.calls import Calls, CallThread
from adapters.google_sheets.credentials import GoogleAccount, address
from adapters.google_sheets.failures import translated
from adapters.google_sheets.pace import Meter, Pace
from adapters.google_sheets.requests import Request
from ports.time import Clock

GOOGLE: Final = "https://sheets.googleapis.com"
TIMEOUT = 60.0
"""Seconds; Google ends a call after three minutes, and gspread's own default is never."""

SKEW = 5.0
"""Seconds by which this machine's clock may differ from Google's before Google's is believed."""


class SheetsClient:
    """Calls on one spreadsheet. One at a time; opened lazily, closed by `close`.

    Raises, from each call: what `failures.translated` says.
    """

    def __init__(
        self,
        spreadsheet: str,
        account: GoogleAccount,
        *,
        clock: Clock,
        api_url: str = "",
        pace: Pace,
        transport: Callable[[], Any] | None = None,
        calls: Calls | None = None,
    ) -> None:
        """`api_url` answers in place of Google; `transport` makes what carries requests."""
        self.spreadsheet = spreadsheet
        self._account = account
        self._clock = clock
        self._api_url = api_url.rstrip("/")
        self._transport = transport
        self._pace = pace
        self._http: Any = None
        self._calls = calls or CallThread()
        self.skew = 0.0
        self.address = ""

    async def describe(self, fields: str, ranges: Sequence[str] = ()) -> Mapping[str, Any]:
        """spreadsheets.get: what `fields` names, of `ranges` where there are any."""
        return await self._read("", {"fields": fields, "ranges": list(ranges)})

    async def read(self, ranges: Sequence[str], *, by_columns: bool = False) -> list[list[list[str]]]:
        """What each of `ranges` (in A1 notation) shows, as texts: rows, or columns, without empty ends."""
        params = {"ranges": list(ranges), "majorDimension": "COLUMNS" if by_columns else "ROWS"}
        answer = await self._read("/values:batchGet", params)
        return [block.get("values", []) for block in answer.get("valueRanges", [])]

    async def change(
        self, requests: Sequence[Request], ranges: Sequence[str] = (), fields: str = "replies"
    ) -> Mapping[str, Any]:
        """batchUpdate, now and once: all of `requests` or none, in order.

        The answer shows `ranges` as they are afterwards.
        """
        body: dict[str, Any] = {"requests": list(requests)}
        if ranges:
            body |= {
                "includeSpreadsheetInResponse": True,
                "responseIncludeGridData": True,
                "responseRanges": list(ranges),
            }
        return await self._call("post", ":batchUpdate", params={"fields": fields}, json=body)

    async def change_patiently(self, requests: Sequence[Request]) -> None:
        """batchUpdate of what does no harm when it takes effect twice."""
        await self._pace.patiently(Meter.WRITE, lambda: self.change(requests))

    async def _read(self, path: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        return await self._pace.patiently(Meter.READ, lambda: self._call("get", path, params=params))

    async def close(self) -> None:
        """Let go of connections and the thread. Idempotent."""
        http, self._http = self._http, None
        if http is not None:
            http.session.close()
        self._calls.stop()

    async def _call(self, method: str, path: str, **arguments: Any) -> Mapping[str, Any]:
        return await self._calls.run(lambda: self._send(method, path, arguments))

    def _send(self, method: str, path: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._http is None:
            self._http = self._connect()
        with translated(self.spreadsheet, self.address):
            response = self._http.request(method, f"{GOOGLE}/v4/spreadsheets/{self.spreadsheet}{path}", **arguments)
            self._compare_clocks(response.headers.get("Date", ""))
            answer: Mapping[str, Any] = response.json()
            return answer

    def _connect(self) -> Any:
        import requests
        from google.auth.transport.requests import AuthorizedSession, Request
        from gspread.http_client import HTTPClient

        credentials = self._account.credentials()
        self.address = address(credentials)
        tokens = requests.Session()
        session = AuthorizedSession(credentials, auth_request=Request(tokens))  # type: ignore[no-untyped-call]
        if self._transport is not None:
            for each in (tokens, session):
                each.mount("https://", self._transport())
                each.mount("http://", self._transport())
        elif self._api_url:
            session.mount(GOOGLE, _elsewhere(self._api_url))
        http = HTTPClient(credentials, session)
        http.timeout = TIMEOUT
        return http

    def _compare_clocks(self, date: str) -> None:
        try:
            theirs = parsedate_to_datetime(date)
        except (TypeError, ValueError):
            return
        skew = (theirs - self._clock.now()).total_seconds()
        self.skew = skew if abs(skew) > SKEW else 0.0


def _elsewhere(url: str) -> Any:
    """Sends what is meant for Google to `url`."""
    import requests

    class Elsewhere(requests.adapters.HTTPAdapter):
        def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:  # type: ignore[override]
            request.url = url + (request.url or "").removeprefix(GOOGLE)
            return super().send(request, **options)

    return Elsewhere()
