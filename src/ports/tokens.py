"""Tokens by which a target knows who calls."""

from abc import abstractmethod
from typing import Protocol


class TokenSource(Protocol):
    """Gives bearer tokens. One is fetched once for all who ask, and kept until shortly before it expires."""

    @abstractmethod
    async def token(self, url: str) -> str:
        """The bearer token for a request to `url`, good for some minutes at least where its issuer can be reached.

        Cancelled, it leaves the fetching to go on for whoever asks next.

        Raises:
            TaskRefused: there never is one for `url`.
            TokenUnavailable: there is none now.
        """

    @abstractmethod
    async def close(self) -> None:
        """Let go of threads and connections. Idempotent."""
