"""Who works, and for how long others believe it.

A worker opens a *session*; every claim and lease of it belongs to that session; one heartbeat keeps them all.
A session whose heartbeat has not moved for a TTL, **as seen on the observer's own monotonic clock**, is dead and may
be buried. No two machines' clocks are ever compared.
"""

from datetime import datetime

from attrs import define, field, frozen


@frozen
class Worker:
    """A participant. `id` is of one live process at a time and survives its restarts; `name` is for people."""

    id: str
    name: str


@frozen
class Session:
    """One life of a worker. Fresh for each process; never reused."""

    id: str
    worker: Worker


@frozen
class WorkerStats:
    """What a worker has done in this session."""

    tasks: int = 0
    sources: int = 0
    failures: int = 0


@frozen
class WorkerView:
    """A live session as others see it. `last_beat` is for display; nothing is decided by it."""

    session: Session
    last_beat: datetime
    stats: WorkerStats


@frozen
class Lease:
    """Exclusive use of `name` by one session. `token` grows with each acquisition of the name."""

    name: str
    session: Session
    token: int


@frozen
class Sighting:
    """A counter that somebody else moves, and when (own monotonic clock, seconds) it was first seen at `value`."""

    value: int
    since: float


@define
class Watch:
    """Tells the dead from the silent: remembers each counter's last movement as this observer saw it."""

    sightings: dict[str, Sighting] = field(factory=dict)

    def expired(self, name: str, value: int, *, now: float, ttl: float) -> bool:
        """Record that `name` shows `value` at `now`; True when it has not moved for `ttl` seconds or more.

        The first sighting never expires: an observer that has just arrived waits a whole TTL.
        """
        seen = self.sightings.get(name)
        if seen is None or seen.value != value:
            self.sightings[name] = Sighting(value, now)
            return False
        return now - seen.since >= ttl

    def forget_all_but(self, names: set[str]) -> None:
        """Drop what is no longer there, so that a long run does not grow."""
        for name in self.sightings.keys() - names:
            del self.sightings[name]
