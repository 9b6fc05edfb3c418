"""yt-dlp's dictionaries as entries, or as reasons to leave one out."""

from typing import Any

from domain.dedupe import entry_key
from domain.scan import Entry, Liveness, SkipReason

_AVAILABILITY = {
    "private": SkipReason.PRIVATE,
    "needs_auth": SkipReason.PRIVATE,
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


def read_entry(info: dict[str, Any]) -> Entry | SkipReason:
    """One flat entry. What cannot be watched, or says too little, is a reason instead."""
    title = str(info.get("title") or "")
    reason = _AVAILABILITY.get(info.get("availability") or "") or _TITLES.get(title.lower())
    if reason is not None:
        return reason
    url = info.get("url") or info.get("webpage_url") or info.get("original_url")
    site = info.get("ie_key") or info.get("extractor_key")
    if info.get("_type") in (None, "video"):
        url = info.get("webpage_url") or url  # an extracted video's `url` may be its media file, which expires
    if not isinstance(url, str) or "://" not in url:
        return SkipReason.MALFORMED
    url, smuggled = _unsmuggle(url)
    identifier = info.get("id") or _temporary_id(info) or smuggled.get("force_videoid")
    short = "/shorts/" in url
    key = entry_key(site, str(identifier) if identifier else None, url)
    if key.startswith("youtube "):
        identifier = key.removeprefix("youtube ")
        url = f"https://www.youtube.com/watch?v={identifier}"
    duration = info.get("duration")
    return Entry(
        key=key,
        url=url,
        id=str(identifier or ""),
        title=title,
        duration=float(duration) if isinstance(duration, int | float) else None,
        short=short,
        liveness=_LIVENESS.get(info.get("live_status") or "", Liveness.NONE),
    )


def _unsmuggle(url: str) -> tuple[str, dict[str, Any]]:
    from yt_dlp.utils import unsmuggle_url

    plain, data = unsmuggle_url(url, {})
    return plain, data


def _temporary_id(info: dict[str, Any]) -> str | None:
    """The id that yt-dlp's own extractor for the URL would give it, without a request."""
    if info.get("ie_key") in (None, "Generic"):
        return None
    from yt_dlp.extractor import get_info_extractor

    try:
        return get_info_extractor(info["ie_key"]).get_temp_id(info["url"])  # type: ignore[no-any-return]
    except KeyError:
        return None
