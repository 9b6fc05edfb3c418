"""What every shipped suite uses: async tests without a plugin, a clock that tests move, ready-made items."""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import ParamSpec, Protocol

from ports.time import Clock

P = ParamSpec("P")


class MovableClock(Clock, Protocol):
    """A clock whose time passes when a test says so (`adapters.memory.time.ManualClock` is one)."""

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass."""


def scenario(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run an async test in an event loop of its own."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def body() -> None:
            await test(*args, **kwargs)

        asyncio.run(body())

    return run
