"""Time, randomness and identity, as values that somebody hands in."""

from abc import abstractmethod
from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Where all time comes from."""

    @abstractmethod
    def now(self) -> datetime:
        """The time of day: aware, in UTC. For display and due times; it may jump."""

    @abstractmethod
    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes back."""

    @abstractmethod
    async def sleep(self, seconds: float) -> None:
        """Return after `seconds` or more; at once (but letting others run) for 0 or less."""


class RandomSource(Protocol):
    """Where all chance comes from."""

    @abstractmethod
    def unit(self) -> float:
        """A float in [0, 1), uniformly drawn."""


class IdGenerator(Protocol):
    """Where all new names come from."""

    @abstractmethod
    def new_id(self) -> str:
        """A name that no process was ever given before.

        Ten or more lower-case letters and digits, the first a letter.
        """


class Schedule(Protocol):
    """When something recurs."""

    @abstractmethod
    def next_after(self, moment: datetime) -> datetime:
        """The first slot strictly after `moment` (aware), in UTC.

        Each slot of local time comes once, through both changes of the clocks: one that is shown twice comes the first
        time, one that is skipped when the gap ends.
        """
