"""What a scan of a source yields, and which of it is wanted."""

import re
from collections.abc import Mapping
from enum import StrEnum

from attrs import field, frozen, validators


class SkipReason(StrEnum):
    """Why an entry did not become a task."""

    PRIVATE = "private"
    DELETED = "deleted"
    MEMBERS_ONLY = "members_only"
    UNAVAILABLE = "unavailable"
    NOT_YET = "not_yet"
    SHORT = "short"
    LIVE = "live"
    DURATION = "duration"
    TITLE = "title"
    MALFORMED = "malformed"


class Liveness(StrEnum):
    """`NONE` was never live, `WAS_LIVE` is a recording of a stream."""

    NONE = "none"
    LIVE = "live"
    WAS_LIVE = "was_live"
    UPCOMING = "upcoming"


@frozen
class Entry:
    """One entry of a source. `duration` is in seconds; None where the source does not say."""

    key: str
    url: str
    id: str = ""
    title: str = ""
    duration: float | None = None
    short: bool = False
    liveness: Liveness = Liveness.NONE


def _pattern(value: str | None) -> str | None:
    """Refuse a pattern that does not compile while it can still be told to whoever wrote it."""
    if value:
        try:
            re.compile(value)
        except re.error as error:
            raise ValueError(f"the title pattern {value!r} is no regular expression: {error}") from error
    return value or None


@frozen
class ScanOptions:
    """What to take from a source.

    `title` is a regular expression searched for in the title, case ignored. Durations are in seconds, both ends
    included; an entry without a known duration passes. `limit` keeps the first N wanted entries (with `newest_first`,
    the newest N). `single_video` reads `watch?v=…&list=…` as the video instead of the playlist.

    Raises:
        ValueError: says which of them can select nothing, or cannot be read.
    """

    title: str | None = field(default=None, converter=_pattern)
    min_duration: float | None = None
    max_duration: float | None = field(default=None)
    shorts: bool = True
    live: bool = True
    limit: int | None = field(default=None, validator=validators.optional(validators.ge(1)))
    newest_first: bool = False
    single_video: bool = False

    @max_duration.validator
    def _check_durations(self, _attribute: object, longest: float | None) -> None:
        if longest is not None and self.min_duration is not None and longest < self.min_duration:
            raise ValueError(f"no video is {self.min_duration:g} s or longer and {longest:g} s or shorter")


@frozen
class ScanSummary:
    """How a scan ended. `complete` only if the source's whole list (or all that `limit` asked for) was seen."""

    complete: bool
    skipped: Mapping[SkipReason, int] = field(factory=dict)
    note: str = ""


def reason_to_skip(entry: Entry, options: ScanOptions) -> SkipReason | None:
    """Why `entry` is not wanted under `options`; None if it is. `limit` is the scan's to count."""
    if entry.liveness is Liveness.UPCOMING:
        return SkipReason.NOT_YET
    if entry.short and not options.shorts:
        return SkipReason.SHORT
    if entry.liveness is not Liveness.NONE and not options.live:
        return SkipReason.LIVE
    if entry.duration is not None:
        too_short = options.min_duration is not None and entry.duration < options.min_duration
        too_long = options.max_duration is not None and entry.duration > options.max_duration
        if too_short or too_long:
            return SkipReason.DURATION
    if options.title and not re.search(options.title, entry.title, re.IGNORECASE):
        return SkipReason.TITLE
    return None
