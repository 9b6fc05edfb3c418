"""The header with which a server asks to be left alone for a while (RFC 9110, section 10.2.3)."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

LONGEST = timedelta(days=366)


def retry_after(value: str, now: datetime) -> datetime | None:
    """When `value` asks to be tried again: seconds from `now`, or a date; None where it is neither.

    What lies further off than a year is a year.
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        # more digits than any number of seconds needs
        seconds = int(value.lstrip("0")[:10] or "0")
        return now + min(timedelta(seconds=seconds), LONGEST)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    # the asctime form names no zone, and every HTTP date is in GMT
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    return min(at, now + LONGEST)
