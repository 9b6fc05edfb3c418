"""When a failed attempt is tried again, and when it is given up.

The formula is that of Cloud Tasks (RetryConfig): the interval doubles `max_doublings` times, then grows linearly, and
is at most `max_backoff`.
"""

from datetime import datetime, timedelta

from attrs import field, frozen, validators

from domain.jitter import Jitter

UNLIMITED = -1


@frozen
class RetryAt:
    """Try again, not before `at`."""

    at: datetime


@frozen
class DeadLetter:
    """Give up, and say why."""

    reason: str


@frozen
class RetryPolicy:
    """Seconds, and attempts that count the first one.

    `max_attempts` of -1 and `max_retry_duration` of 0 are no limit. Where both limits are set, retrying stops only
    when both are used up.
    """

    max_attempts: int = field(default=100)
    min_backoff: float = field(default=0.1, validator=validators.ge(0))
    max_backoff: float = field(default=3600.0, validator=validators.ge(0))
    max_doublings: int = field(default=16, validator=validators.ge(0))
    max_retry_duration: float = field(default=0.0, validator=validators.ge(0))
    jitter: Jitter = Jitter.NONE

    @max_attempts.validator
    def _check_max_attempts(self, _attribute: object, value: int) -> None:
        if value != UNLIMITED and value < 1:
            raise ValueError(f"max_attempts must be -1 (unlimited) or at least 1, not {value}")

    def backoff(self, retry: int) -> float:
        """Seconds before the `retry`-th retry (from 1), without jitter.

        With a minimum of 10, a maximum of 300 and 3 doublings: 10, 20, 40, 80, 160, 240, 300, 300, …
        """
        doublings = self.max_doublings
        if retry <= doublings + 1:
            # the exponent is bounded so that a large max_doublings cannot overflow a float
            interval = self.min_backoff * 2.0 ** min(retry - 1, 1000)
        else:
            interval = self.min_backoff * 2.0 ** min(doublings, 1000) * (retry - doublings)
        return min(interval, self.max_backoff)

    def decide(
        self,
        *,
        attempt: int,
        first_attempt_at: datetime,
        now: datetime,
        unit: float,
        retry_after: datetime | None = None,
    ) -> RetryAt | DeadLetter:
        """What follows when the `attempt`-th attempt (from 1) has failed at `now`.

        `retry_after` is when the other side asked to be tried again: the later of it and the backoff is taken, at
        most `max_backoff` from `now`. `unit` in [0, 1) draws the jitter.
        """
        if self._used_up(attempt, (now - first_attempt_at).total_seconds()):
            return DeadLetter(f"gave up after {attempt} attempt{'s' if attempt != 1 else ''}")
        delay = self.jitter.apply(self.backoff(attempt), unit)
        if retry_after is not None:
            asked = (retry_after - now).total_seconds()
            delay = max(delay, min(asked, self.max_backoff))
        return RetryAt(now + timedelta(seconds=delay))

    def _used_up(self, attempt: int, elapsed: float) -> bool:
        limits = []
        if self.max_attempts != UNLIMITED:
            limits.append(attempt >= self.max_attempts)
        if self.max_retry_duration > 0:
            limits.append(elapsed >= self.max_retry_duration)
        return bool(limits) and all(limits)
