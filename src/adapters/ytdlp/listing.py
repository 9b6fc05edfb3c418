"""The blocking half of a scan: runs in a thread, talks to yt-dlp."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from adapters.ytdlp.entries import read_entry
from adapters.ytdlp.failures import translate
from adapters.ytdlp.options import YtDlpOptions
from domain.scan import Entry, ScanOptions, SkipReason, reason_to_skip
from ports.errors import SourceIncomplete, SourceUnavailable, SourceUnsupported

PAGE = 100
"""Entries a page, YouTube's own page size: what is stored is stored before the next request goes out."""

MAX_DEPTH = 4
_LISTS = frozenset({"YoutubeTab", "YoutubePlaylist"})
_REDIRECTS = frozenset({"url", "url_transparent"})


class Listing:
    """One pass. `open` makes the first request; `next_page` as many as one page of entries needs.

    A `YoutubeDL` is of one thread at a time and of one call: a shared one answered None to five of six threads.
    """

    def __init__(self, url: str, options: ScanOptions, settings: YtDlpOptions) -> None:
        self.name = url
        self.expected: int | None = None
        self.complete = False
        self.note = ""
        self.skipped: Counter[SkipReason] = Counter()
        self._url = url
        self._options = options
        self._settings = settings
        self._seen: set[str] = set()
        self._listed = 0
        self._wanted = 0
        self._entries: Iterator[Entry] = iter(())
        self._downloader: Any = None

    def open(self) -> None:
        """Raises: SourceUnavailable, by class."""
        from yt_dlp import YoutubeDL
        from yt_dlp.globals import plugin_dirs

        plugin_dirs.value = []  # constructing a YoutubeDL would run any yt_dlp_plugins on sys.path
        try:
            self._downloader = YoutubeDL(self._settings.parameters(self._options), auto_init=True)
            info = self._resolve({"url": self._url})
        except Exception as error:
            raise self._translated(error) from error
        self.name = str(info.get("title") or self._url)
        count = info.get("playlist_count")
        self.expected = count if isinstance(count, int) else None
        if info.get("_type") in ("playlist", "multi_video"):
            entries = self._flatten(info, depth=0)
        else:
            self.expected = 1
            entries = iter([info])
        if str(info.get("id") or "").startswith("RD"):
            entries = self._capped(entries)
        self._entries = self._wanted_of(entries)

    def next_page(self) -> list[Entry]:
        """The next entries; empty when the list is at its end.

        Raises:
            SourceUnavailable: by class. What the broken page still gave is on the page returned before.
        """
        page: list[Entry] = []
        try:
            while len(page) < PAGE and (entry := next(self._entries, None)) is not None:
                page.append(entry)
        except Exception as error:
            failure = self._translated(error)
            if not page:
                raise failure from error
            self._entries = _raising(failure)
            return page
        if len(page) < PAGE:
            self._check_count(page)
        return page

    def close(self) -> None:
        self._entries = iter(())
        if self._downloader is not None:
            self._downloader.close()

    def _check_count(self, page: list[Entry]) -> None:
        if self.complete:
            return
        self.complete = True
        short = self.expected is not None and self._listed < self.expected and not self._cut_short()
        # the site counts what it does not show (hidden videos), so only a gap of more than a page is a broken list
        if short and self.expected is not None and self.expected - self._listed > PAGE:
            self.complete = False
            failure = SourceIncomplete(
                f"{self._url}: incomplete: {self._listed} of {self.expected} entries were listed"
            )
            if not page:
                raise failure
            self._entries = _raising(failure)

    def _cut_short(self) -> bool:
        return bool(self.note) or (self._options.limit is not None and self._wanted >= self._options.limit)

    def _resolve(self, result: dict[str, Any]) -> dict[str, Any]:
        """Follow redirects between extractors (a handle to a channel, a short link to a playlist)."""
        for _ in range(10):
            found = self._downloader.extract_info(
                result["url"], download=False, process=False, ie_key=result.get("ie_key")
            )
            if found is None:
                raise SourceUnsupported(f"{self._url}: yt-dlp found nothing there")
            if found.get("_type") not in _REDIRECTS:
                return dict(found)
            result = found
        raise SourceUnsupported(f"{self._url}: redirects in a circle")

    def _flatten(self, info: dict[str, Any], depth: int) -> Iterator[dict[str, Any]]:
        """Entries, and the entries of lists among them: a channel is a list of its tabs."""
        for entry in info.get("entries") or ():
            if entry is None:
                self.skipped[SkipReason.MALFORMED] += 1
                continue
            nested = entry.get("_type") in ("playlist", "multi_video")
            if not nested and entry.get("_type") in _REDIRECTS and entry.get("ie_key") in _LISTS:
                nested = depth < MAX_DEPTH
                entry = self._resolve(entry) if nested else entry  # noqa: PLW2901
                nested = entry.get("_type") in ("playlist", "multi_video")
            if nested and depth < MAX_DEPTH:
                yield from self._flatten(entry, depth + 1)
            else:
                yield entry

    def _capped(self, entries: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for number, entry in enumerate(entries):
            if number >= self._settings.mix_limit:
                self.note = f"a mix has no end: only its first {self._settings.mix_limit} entries were taken"
                return
            yield entry

    def _wanted_of(self, entries: Iterator[dict[str, Any]]) -> Iterator[Entry]:
        limit = self._options.limit
        found = self._readable(entries)
        if self._options.newest_first and self.expected != 1:
            # a playlist shows its oldest first: only its whole list tells the newest (a channel's own order is kept)
            everything = list(found)
            found = iter(everything if _is_channel(self._url) else reversed(everything))
        for entry in found:
            reason = reason_to_skip(entry, self._options)
            if reason is not None:
                self.skipped[reason] += 1
                continue
            if limit is not None and self._wanted >= limit:
                self.note = f"only the first {limit} were asked for"
                return
            self._wanted += 1
            yield entry
            if limit is not None and self._wanted >= limit:
                return

    def _readable(self, entries: Iterator[dict[str, Any]]) -> Iterator[Entry]:
        for info in entries:
            self._listed += 1
            entry = read_entry(info)
            if isinstance(entry, SkipReason):
                self.skipped[entry] += 1
            elif entry.key not in self._seen:
                self._seen.add(entry.key)
                yield entry

    def _translated(self, error: Exception) -> SourceUnavailable:
        return error if isinstance(error, SourceUnavailable) else translate(error, self._url)


class _raising(Iterator[Entry]):  # noqa: N801 - reads as the function that it is
    """An iterator that raises when it is asked for the next page."""

    def __init__(self, error: SourceUnavailable) -> None:
        self._error = error

    def __next__(self) -> Entry:
        raise self._error


def _is_channel(url: str) -> bool:
    return any(part in url for part in ("/@", "/channel/", "/c/", "/user/"))
