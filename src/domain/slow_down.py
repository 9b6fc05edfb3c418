"""How a queue slows down when its target asks for it (429, 503), and finds its pace again.

As TCP does: each round of refusals halves how many requests are under way at once, each round of answers adds one.
A target that refuses even single requests is left alone for pauses that double.
"""

from attrs import evolve, field, frozen, validators

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0


@frozen
class Pace:
    """At most `allowed` (1 or more) of `limit` requests at once, none before `resumes_at` (monotonic seconds)."""

    limit: int = field(validator=validators.ge(1))
    allowed: float = field()
    pause: float = 0.0
    resumes_at: float = 0.0
    slowed_at: float = float("-inf")

    @allowed.default
    def _unhindered(self) -> float:
        return float(self.limit)

    def pushed_back(self, *, sent_at: float, now: float, asked: float = 0.0) -> "Pace":
        """The pace after a refusal, at `now`, of what was sent at `sent_at`; the target `asked` for so many seconds.

        What was sent before the queue last slowed down tells nothing new. No pause is longer than a minute: one
        target's wish must not hold up the others' tasks for an hour.
        """
        if sent_at < self.slowed_at:
            return self
        pause = 0.0
        if self.allowed < 2:
            pause = min(max(FIRST_PAUSE, self.pause * 2), LONGEST_PAUSE)
        rest = max(pause, min(asked, LONGEST_PAUSE))
        return evolve(
            self,
            allowed=max(1.0, self.allowed / 2),
            pause=pause,
            resumes_at=max(self.resumes_at, now + rest),
            slowed_at=now,
        )

    def answered(self) -> "Pace":
        """The pace after anything but a refusal."""
        if self.allowed >= self.limit and not self.pause:
            return self
        return evolve(self, allowed=min(float(self.limit), self.allowed + 1 / self.allowed), pause=0.0)

    def wait(self, in_flight: int, now: float) -> float | None:
        """Seconds until one more may be sent; None: not before one of those `in_flight` has ended."""
        if in_flight >= int(self.allowed):
            return None
        return max(0.0, self.resumes_at - now)
