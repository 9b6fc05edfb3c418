"""Put sources into the queue."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from attrs import frozen

from app.errors import InvalidSource
from domain.dedupe import source_key
from domain.scan import ScanOptions
from domain.work import Added, Source
from ports.coordination import WorkQueue


@frozen
class AddSources:
    """Idempotent: a URL that is known already, in any of its spellings, is a duplicate."""

    sources: WorkQueue[Source]

    async def __call__(self, urls: Sequence[str], options: ScanOptions | None = None) -> Added:
        """Add all of `urls` or, when one of them is no URL, none.

        Raises:
            InvalidSource: names every one that is no URL.
        """
        invalid = [url for url in urls if not _is_url(url)]
        if invalid:
            raise InvalidSource(
                "not a URL: " + ", ".join(repr(url) for url in invalid) + " (expected something like https://…)"
            )
        options = options or ScanOptions()
        return await self.sources.add([as_source(url, options) for url in urls])


def as_source(url: str, options: ScanOptions) -> Source:
    return Source(key=source_key(url, single_video=options.single_video), url=url.strip(), options=options)


def _is_url(url: str) -> bool:
    """Whether an extractor could make anything of `url`: a bare host may lack its scheme, as people paste it."""
    url = url.strip()
    if any(character.isspace() for character in url):
        return False
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme.lower() not in {"http", "https"}:
        return bool(parts.scheme and (host or parts.path))  # somebody's own extractor may know it
    return "." in host or ":" in host or host == "localhost"
