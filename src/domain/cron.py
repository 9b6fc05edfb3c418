"""Crontab expressions: which are good, and when a slot of local time comes.

Five fields, as in crontab(5): minute, hour, day of month, month, day of week. What a schedule never reaches, and what
crontab would read as something else than was meant, is refused.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo

from attrs import field, frozen

ALIASES: Mapping[str, str] = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_LONGEST_MONTH = {1: 31, 2: 29, 3: 31, 4: 30, 5: 31, 6: 30, 7: 31, 8: 31, 9: 30, 10: 31, 11: 30, 12: 31}
_ELEMENT = re.compile(r"(?P<first>\*|[0-9]+|[a-z]{3})(?:-(?P<last>[0-9]+|[a-z]{3}))?(?:/(?P<step>[0-9]+))?", re.ASCII)


@frozen
class _Field:
    name: str
    low: int
    high: int
    names: Mapping[str, int] = field(factory=dict)

    def values(self, text: str) -> frozenset[int] | None:
        """The numbers that `text` names; None for all of them, where a star says so.

        Raises:
            ValueError: it names none, or something else than it seems to.
        """
        elements = text.split(",")
        # of the day of week, 7 is another name for Sunday
        numbers = {value % 7 if self.high == 7 else value for element in elements for value in self._range(element)}
        return None if {"*", "*/1"} & set(elements) else frozenset(numbers)

    def _range(self, element: str) -> range:
        match = _ELEMENT.fullmatch(element)
        if match is None:
            raise ValueError(f"{element!r} is no {self.name}: *, a number, a range (1-5), or one with a step (*/5)")
        first, last, step = match["first"], match["last"], match["step"]
        if first == "*" and last:
            raise ValueError(f"{element!r} is no {self.name}: a star has no end")
        low = self.low if first == "*" else self._number(first)
        # crontab reads 10/5 as "from 10 on, every 5"
        high = self._number(last) if last else self.high if first == "*" or step else low
        if high < low:
            raise ValueError(f"the {self.name} {element!r} runs backwards; write it as two ranges")
        every = int(step or 1)
        if not 1 <= every <= self.high - self.low + 1:
            raise ValueError(f"the step of the {self.name} {element!r} must be 1 to {self.high - self.low + 1}")
        return range(low, high + 1, every)

    def _number(self, text: str) -> int:
        value = self.names.get(text, int(text) if text.isdigit() else -1)
        if not self.low <= value <= self.high:
            raise ValueError(f"the {self.name} {text!r} must be {self.low} to {self.high}")
        return value


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of month", 1, 31),
    _Field("month", 1, 12, {name: number for number, name in enumerate(_MONTHS, 1)}),
    _Field("day of week", 0, 7, {name: number for number, name in enumerate(_DAYS)}),
)


def checked(expression: str) -> str:
    """`expression` (five fields, or an alias such as ``@daily``) spelt out: five stars or ascending lists of numbers.

    Where day of month and day of week are both limited, either will do. Spelling out what is spelt out changes nothing.

    Raises:
        ValueError: it is no crontab expression, or one that never comes (31 February); the text says what is wrong.
    """
    text = expression.strip().lower()
    parts = ALIASES.get(text, text).split()
    if len(parts) != len(_FIELDS):
        raise ValueError(
            f"{expression!r} has {len(parts)} fields; it takes five: minute, hour, day of month, month, day of week"
        )
    fields = [rule.values(part) for rule, part in zip(_FIELDS, parts, strict=True)]
    _, _, days, months, weekdays = fields
    if days and weekdays is None and all(min(days) > _LONGEST_MONTH[month] for month in months or _LONGEST_MONTH):
        raise ValueError(f"{expression!r} never comes: none of its months has a day {min(days)}")
    return " ".join("*" if values is None else ",".join(map(str, sorted(values))) for values in fields)


def instant_of(slot: datetime, zone: tzinfo) -> datetime:
    """When `slot` (naive, local time of `zone`) comes, in UTC: once, whatever the clocks do.

    A time that clocks going back show twice comes the first time. One that they skip comes when the gap ends.
    """
    at = slot.replace(tzinfo=zone).astimezone(UTC)
    if at.astimezone(zone).replace(tzinfo=None) == slot:
        return at
    # PEP 495: across a gap, fold 0 reads the slot by the offset before it (an instant behind the gap), fold 1 by the
    # offset after it (an instant before the gap)
    before, behind = slot.replace(tzinfo=zone, fold=1).astimezone(UTC), at
    offset = behind.astimezone(zone).utcoffset()
    while behind - before > timedelta(seconds=1):
        middle = before + (behind - before) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            behind = middle
        else:
            before = middle
    return behind.replace(microsecond=0)
