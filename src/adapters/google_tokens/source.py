"""Tokens of a service account, or of the machine's own (google-auth)."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from attrs import define

from adapters.google_tokens.account import TokenAccount
from domain.push_token import PushToken
from ports.errors import TokenUnavailable
from ports.time import Clock
from ports.tokens import TokenSource

RENEWED_BEFORE = timedelta(minutes=3, seconds=45)
"""As google-auth has it: the metadata server gives out the same token again until it is this near its end."""
MOST_KEPT = 1_000
"""Tokens, one for each audience."""
TIMEOUT = 10
"""Seconds for one request to Google."""
THREADS = 4


@define
class _Kept:
    """The credentials for one purpose, and whoever fetches a token with them just now."""

    credentials: Any = None
    fetching: "asyncio.Task[None] | None" = None

    def is_good(self, at: datetime) -> bool:
        """Whether there is a token which is good at `at`."""
        if self.credentials is None or not self.credentials.token:
            return False
        expiry = self.credentials.expiry
        return expiry is None or at < expiry.replace(tzinfo=UTC)


class GoogleTokenSource(TokenSource):
    """Tokens of `kind` for `account`."""

    def __init__(self, kind: PushToken, account: TokenAccount, *, clock: Clock) -> None:
        self._kind = kind
        self._account = account
        self._clock = clock
        self._kept: dict[str, _Kept] = {}
        self._threads = ThreadPoolExecutor(THREADS, "google-tokens")

    async def token(self, url: str) -> str:
        purpose = self._kind.purpose(url)
        kept = self._kept.get(purpose)
        if kept is None:
            if len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            kept = self._kept[purpose] = _Kept()
        if not kept.is_good(self._clock.now() + RENEWED_BEFORE):
            await self._renew(kept, purpose)
        return str(kept.credentials.token)

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _renew(self, kept: _Kept, purpose: str) -> None:
        if kept.fetching is None:
            kept.fetching = asyncio.create_task(self._fetch(kept, purpose))
            kept.fetching.add_done_callback(partial(_fetched, kept))
        try:
            await asyncio.shield(kept.fetching)
        except TokenUnavailable:
            if not kept.is_good(self._clock.now()):
                raise

    async def _fetch(self, kept: _Kept, purpose: str) -> None:
        await asyncio.get_running_loop().run_in_executor(self._threads, self._fetch_now, kept, purpose)

    def _fetch_now(self, kept: _Kept, purpose: str) -> None:
        from google.auth.exceptions import GoogleAuthError
        from google.auth.transport.requests import Request

        request = partial(Request(), timeout=TIMEOUT)
        try:
            if kept.credentials is None:
                kept.credentials = self._account.credentials(self._kind, purpose, request)
            kept.credentials.refresh(request)
        except (GoogleAuthError, ValueError) as error:
            raise TokenUnavailable(f"no token for {purpose} {self._account.origin}: {error}") from error


def _fetched(kept: _Kept, fetching: "asyncio.Task[None]") -> None:
    kept.fetching = None
    if not fetching.cancelled():
        # whoever waited for it may be gone
        fetching.exception()
