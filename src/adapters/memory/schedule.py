"""A schedule that recurs at equal intervals."""

from datetime import UTC, datetime, timedelta

from attrs import frozen

from ports.time import Schedule


@frozen
class IntervalSchedule(Schedule):
    """Every `every`, counted from `start` (aware)."""

    every: timedelta
    start: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def next_after(self, moment: datetime) -> datetime:
        slots = (moment - self.start) // self.every + 1
        return (self.start + slots * self.every).astimezone(UTC)
