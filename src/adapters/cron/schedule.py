"""A schedule written as a crontab expression, in the local time of a zone."""

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croniter import croniter

from domain.cron import checked, instant_of
from ports.errors import ConfigurationError
from ports.time import Schedule


class CronSchedule(Schedule):
    """The slots of `expression` (five fields or an alias such as ``@daily``) in `zone`, by its IANA name.

    In the hour that clocks going back repeat, no slot comes: also those of ``*/5 * * * *`` have come already. Where
    that matters, stay with UTC.
    """

    def __init__(self, expression: str, zone: str = "UTC") -> None:
        """Read `expression`.

        Raises:
            ConfigurationError: it is no crontab expression or never comes, or the zone is unknown; with what to do.
        """
        try:
            self._expression = checked(expression)
        except ValueError as error:
            raise ConfigurationError(f"crontab: {error}") from error
        try:
            self._zone = ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ConfigurationError(
                f"crontab: there is no time zone {zone!r}; use an IANA name such as America/Sao_Paulo"
            ) from error

    def next_after(self, moment: datetime) -> datetime:
        local = moment.astimezone(self._zone).replace(tzinfo=None)
        # croniter fires twice when the clocks of a zone go back, so it is given local time in which no clock changes
        slots = croniter(self._expression, local)
        while True:
            at = instant_of(slots.get_next(datetime), self._zone)
            if at > moment:
                return at
