"""An event loop in which time passes at once: whenever nobody has anything to do, the next sleeper's time has come."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from adapters.memory.time import ManualClock

T = TypeVar("T")


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self._clock = clock

    def _run_once(self) -> None:
        while not self._ready and self._clock.skip():  # type: ignore[attr-defined]
            pass  # whoever slept until then may have been cancelled
        super()._run_once()  # type: ignore[misc]


def run(main: Coroutine[Any, Any, T], clock: ManualClock) -> T:
    """Run `main`, whose every wait is on `clock`."""
    with asyncio.Runner(loop_factory=lambda: _VirtualLoop(clock)) as runner:
        return runner.run(main)
