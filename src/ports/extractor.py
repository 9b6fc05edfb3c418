"""Listing what a source holds."""

from abc import abstractmethod
from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from domain.scan import Entry, ScanOptions, ScanSummary


class Scan(Protocol):
    """One pass over a source, lazy: nothing is fetched but by asking for a page, and one page further at most."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The source's title, or its URL where it has none."""

    @property
    @abstractmethod
    def expected(self) -> int | None:
        """How many entries the source claims to have; None where it does not say."""

    @abstractmethod
    def pages(self) -> AsyncGenerator[Sequence[Entry], None]:
        """The wanted entries, page by page as they arrive, each key once, in the source's order.

        May be left early: `aclose()` of the generator stops the pass. To be called once.

        Raises:
            SourceUnavailable: by class; what was yielded before stands. `SourceIncomplete` if the list broke off.
        """

    @property
    @abstractmethod
    def summary(self) -> ScanSummary:
        """How the pass ended. `complete` is False until `pages` is exhausted."""


class MetadataExtractor(Protocol):
    """Turns a URL into what it lists; a single video is a list of one. Downloads nothing.

    Several scans may go on at once.
    """

    @abstractmethod
    async def scan(self, url: str, options: ScanOptions) -> Scan:
        """Open a pass over `url`: its name and count are known on return, no further page has been fetched.

        Raises:
            SourceUnavailable: by class (see `ports.errors`), with the URL and the site's own words.
            ConfigurationError: the adapter's own settings cannot work, whatever the URL.
        """

    @abstractmethod
    async def close(self) -> None:
        """Let go of threads. Idempotent."""
