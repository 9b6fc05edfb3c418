"""How fast a worker may call a shared, metered store."""

from attrs import frozen


@frozen
class PacingPolicy:
    """`base` seconds between calls, plus jitter that grows by up to `spread` seconds with each further worker.

    The defaults are those that yt-gsheet-orchestrator documents: no jitter for one worker, up to 0.5 s for two, up to
    2.0 s for five.
    """

    base: float = 1.0
    spread: float = 0.5

    def interval(self, workers: int, unit: float) -> float:
        """Seconds to wait before the next call, with `workers` alive and `unit` drawn from [0, 1)."""
        return self.base + unit * self.spread * max(0, workers - 1)
