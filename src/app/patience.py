"""Riding out a store that does not answer."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from attrs import frozen

from app.events import Listener, StoreTrouble
from domain.jitter import Jitter
from domain.retry import UNLIMITED, RetryPolicy
from ports.errors import PortError
from ports.time import Clock, RandomSource

T = TypeVar("T")


STORE_BACKOFF = RetryPolicy(max_attempts=UNLIMITED, min_backoff=0.5, max_backoff=30, jitter=Jitter.EQUAL)


@frozen
class Patience:
    """Repeats a call for as long as its failure is one that may pass: an hour without the store is survived.

    For calls that are safe to repeat only; every write of the coordination ports is.
    """

    clock: Clock
    random: RandomSource
    listener: Listener
    backoff: RetryPolicy = STORE_BACKOFF

    async def __call__(self, call: Callable[[], Awaitable[T]]) -> T:
        """The result of `call()`, sooner or later.

        Raises:
            MutiraoError: what cannot be mended by waiting (`LeaseLost`, `StoreCorrupt`, …).
        """
        failures = 0
        while True:
            try:
                return await call()
            except PortError as error:
                if not error.retryable:
                    raise
                failures += 1
                delay = self.backoff.jitter.apply(self.backoff.backoff(failures), self.random.unit())
                delay = max(delay, error.retry_after or 0)
                self.listener(StoreTrouble(str(error), delay))
                await self.clock.sleep(delay)
