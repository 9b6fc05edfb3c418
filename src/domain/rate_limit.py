"""A token bucket, as values: so many dispatches a second, and so many at once."""

from attrs import field, frozen, validators


@frozen
class RateLimit:
    """`per_second` in the long run, and `burst` at once after a rest."""

    per_second: float = field(validator=validators.gt(0))
    burst: int = field(default=1, validator=validators.ge(1))


@frozen
class TokenBucket:
    """How many tokens there were at `at` (monotonic seconds). Below zero: tokens that are promised already."""

    tokens: float
    at: float

    @classmethod
    def full(cls, limit: RateLimit, now: float) -> "TokenBucket":
        return cls(float(limit.burst), now)

    def take(self, limit: RateLimit, now: float) -> tuple["TokenBucket", float]:
        """The bucket without one more token, and the seconds to wait before that token may be used.

        Whoever waits as long as told keeps the limit: no t seconds see more than ``burst + per_second × t`` uses.
        """
        tokens = min(float(limit.burst), self.tokens + (now - self.at) * limit.per_second) - 1
        return TokenBucket(tokens, now), max(0.0, -tokens / limit.per_second)
