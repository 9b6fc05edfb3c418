"""yt-dlp's results as one flat stream: redirects followed, lists within lists opened, each held to its own count."""

from collections.abc import Iterator
from typing import Any

from adapters.ytdlp.entries import REFERENCES
from adapters.ytdlp.failures import translate, translated
from ports.errors import SourceIncomplete, SourceNotYet, SourceUnsupported

Info = dict[str, Any]

MAX_DEPTH = 4
MAX_REDIRECTS = 10
_LISTS = frozenset({"playlist", "multi_video"})
_LIST_EXTRACTORS = frozenset({"YoutubeTab", "YoutubePlaylist"})
_END = object()


class Results:
    """What `url` gives. Nothing is fetched but what is asked for."""

    def __init__(self, downloader: Any, url: str, mix_limit: int) -> None:
        self.capped = False
        self._downloader = downloader
        self._url = url
        self._mix_limit = mix_limit

    def open(self) -> Info:
        """A list, or a single video.

        Raises:
            SourceUnavailable: by class.
        """
        with translated(self._url):
            info = self._resolve({"url": self._url})
        if not is_list(info) and info.get("live_status") == "is_upcoming":
            raise SourceNotYet(f"{self._url}: it has not begun")
        return info

    def entries(self, info: Info, depth: int = 0) -> Iterator[Info]:
        """The entries of a list, and those of the lists among them: a channel is a list of its tabs.

        Raises:
            SourceUnavailable: by class; `SourceIncomplete` if a list is shorter than it claims to be.
        """
        for entry in self._listed(info):
            nested = self._opened(entry) if depth < MAX_DEPTH else entry
            if is_list(nested):
                yield from self.entries(nested, depth + 1)
            else:
                yield _as_its_page(nested, info) if _has_no_address(nested) else nested

    def _listed(self, info: Info) -> Iterator[Info]:
        claimed, listed = info.get("playlist_count"), 0
        entries = iter(info.get("entries") or ())
        endless = str(info.get("id") or "").startswith("RD")
        while True:
            if endless and listed == self._mix_limit:
                self.capped = True
                return
            try:
                entry: Any = next(entries, _END)
            except Exception as error:
                failure = translate(error, self._url)
                # yt-dlp takes an empty last page for a broken one (its issues 8206, 10394): the count knows better
                if isinstance(failure, SourceIncomplete) and claimed is not None and listed >= claimed:
                    return
                raise failure from error
            if entry is _END:
                break
            if entry is not None:
                listed += 1
                yield entry
        if claimed is not None and listed < claimed:
            raise SourceIncomplete(
                f"{self._url}: only {listed} of its {claimed} entries were listed; YouTube may show the others to "
                "the cookies of an account (YTDLP_COOKIES)"
            )

    def _opened(self, entry: Info) -> Info:
        """An entry that refers to a list of YouTube's is that list."""
        if entry.get("_type") not in REFERENCES or entry.get("ie_key") not in _LIST_EXTRACTORS:
            return entry
        with translated(self._url):
            return self._resolve(entry)

    def _resolve(self, result: Info) -> Info:
        """Follow redirects between extractors: a handle to a channel, a page to the video that it embeds."""
        outer: Info = {}
        for _ in range(MAX_REDIRECTS):
            found = self._downloader.extract_info(
                result["url"], download=False, process=False, ie_key=result.get("ie_key")
            )
            if found is None:
                break
            if found.get("_type") not in REFERENCES:
                return {**found, **outer}
            if found["_type"] == "url_transparent":  # what refers this way knows better than what it refers to
                described = ("title", "duration", "webpage_url", "live_status")
                outer = {**{name: found[name] for name in described if found.get(name) is not None}, **outer}
            result = found
        raise SourceUnsupported(f"{self._url}: yt-dlp finds nothing there but references")


def _has_no_address(entry: Info) -> bool:
    return entry.get("_type") in (None, "video") and not entry.get("webpage_url")


def _as_its_page(entry: Info, page: Info) -> Info:
    """A video that has no address but its list's page (two videos of one post): the page is what can be worked on."""
    return {**entry, "webpage_url": page.get("webpage_url"), "id": None}


def is_list(info: Info) -> bool:
    return info.get("_type") in _LISTS
