"""Time that passes by itself, for tests that live by a manual clock."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from adapters.memory.time import ManualClock

T = TypeVar("T")


def passing_time(main: Coroutine[Any, Any, T], clock: ManualClock) -> T:
    """Run `main` in a loop in which time passes at once: when nobody has anything to do, the next sleeper wakes."""

    class Loop(asyncio.SelectorEventLoop):
        def _run_once(self) -> None:
            while not self._ready and clock.skip():  # type: ignore[attr-defined]
                pass  # whoever slept until then may have been cancelled
            super()._run_once()  # type: ignore[misc]

    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(main)
