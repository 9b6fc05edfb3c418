"""yt-dlp's dictionaries as entries, or as reasons to leave one out."""

from typing import Any

from domain.dedupe import entry_key, feed_key
from domain.scan import Entry, Liveness, SkipReason

REFERENCES = frozenset({"url", "url_transparent"})
"""The types of results that say where something is, not what."""

_AVAILABILITY = {
    "private": SkipReason.PRIVATE,
    "subscriber_only": SkipReason.MEMBERS_ONLY,
    "premium_only": SkipReason.MEMBERS_ONLY,
}
# YouTube keeps unwatchable videos in a playlist under these titles, and nothing else
_TITLES = {
    "[private video]": SkipReason.PRIVATE,
    "[deleted video]": SkipReason.DELETED,
    "[unavailable video]": SkipReason.UNAVAILABLE,
}
_LIVENESS = {
    "is_live": Liveness.LIVE,
    "post_live": Liveness.WAS_LIVE,
    "was_live": Liveness.WAS_LIVE,
    "is_upcoming": Liveness.UPCOMING,
}


def read_entry(info: dict[str, Any], source: str) -> Entry | SkipReason:
    """One entry of the list at `source`. What cannot be watched, or says too little, is a reason instead."""
    title = str(info.get("title") or "")
    referred = info.get("_type") in REFERENCES
    # what yt-dlp has extracted already can be watched, whatever its availability is called
    reason = (referred and _AVAILABILITY.get(info.get("availability") or "")) or _TITLES.get(title.lower())
    if reason:
        return reason
    # an extracted video's `url` is its media file, which expires
    url = info.get("url") if referred else info.get("webpage_url")
    if not isinstance(url, str) or "://" not in url:
        return SkipReason.MALFORMED
    url, smuggled = _unsmuggle(url)
    key, identifier = _identity(info, url, source, smuggled.get("force_videoid"))
    duration = info.get("duration")
    return Entry(
        key=key,
        url=f"https://www.youtube.com/watch?v={identifier}" if key.startswith("youtube ") else url,
        id=identifier,
        title=title,
        duration=float(duration) if isinstance(duration, int | float) else None,
        short="/shorts/" in url,
        liveness=_LIVENESS.get(info.get("live_status") or "", Liveness.NONE),
    )


def _identity(info: dict[str, Any], url: str, source: str, guid: str | None) -> tuple[str, str]:
    """Key and id. The generic extractor names things after their files (``master``, ``index``): that is no identity."""
    # of a reference, `extractor_key` may be that of the list that it stands in
    site = info.get("ie_key") if info.get("_type") in REFERENCES else info.get("extractor_key")
    identifier = info.get("id") or _temporary_id(site, url)
    if site not in (None, "Generic") and identifier:
        return entry_key(site, str(identifier), url), str(identifier)
    key = entry_key(None, None, url)
    if key.startswith("youtube "):
        return key, key.removeprefix("youtube ")
    return (feed_key(source, guid), guid) if guid else (key, "")


def _unsmuggle(url: str) -> tuple[str, dict[str, Any]]:
    from yt_dlp.utils import unsmuggle_url

    plain, data = unsmuggle_url(url, {})
    return plain, data


def _temporary_id(site: str | None, url: str) -> str | None:
    """The id that yt-dlp's own extractor for `url` would give it, without a request."""
    if site in (None, "Generic"):
        return None
    from yt_dlp.extractor import get_info_extractor

    try:
        return get_info_extractor(site).get_temp_id(url)  # type: ignore[no-any-return]
    except KeyError:
        return None
