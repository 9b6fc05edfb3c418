"""The leader's loop: at most one worker at a time expands sources."""

import asyncio
from datetime import timedelta

from attrs import define

from app.events import ExtractionPaused, Listener, StoreTrouble
from app.patience import Patience
from app.use_cases.expand_source import ExpandSource
from app.use_cases.intervene import RescanSources
from app.use_cases.overview import LEADERSHIP
from app.workers.membership import GOODBYE, Membership
from domain.errors import LeaseLost
from domain.lifecycle import Completed, Failed
from domain.session import Lease
from domain.work import Settlement, Source
from ports.coordination import CoordinationStore
from ports.errors import PortError
from ports.time import Clock


@define
class Expander:
    """Expands one source at a time while this worker leads. `rescan_every` seconds brings finished sources back."""

    store: CoordinationStore
    membership: Membership
    expand: ExpandSource
    clock: Clock
    patience: Patience
    listener: Listener
    ttl: float
    rescan_every: float | None = None
    _paused_until: float = 0.0
    _lease: Lease | None = None

    @property
    def resting(self) -> float:
        """Seconds until this worker may extract again, because a site has asked for fewer requests."""
        return max(0.0, self._paused_until - self.clock.monotonic())

    async def expand_next(self) -> bool:
        """Lead, if nobody else does, and expand one source; False if there was none to expand, or it is not ours to.

        The leadership is kept for the next call; `step_down` gives it up.

        Raises:
            MutiraoError: a store that cannot be used.
        """
        if self.resting or not self.membership.trusted:
            return False
        session = self.membership.session
        try:
            self._lease = await self.patience(lambda: self.store.leases.acquire(LEADERSHIP, session, self.ttl))
            if self._lease is None:
                return False
            if self.rescan_every:
                before = self.clock.now() - timedelta(seconds=self.rescan_every)
                await self.patience(lambda: RescanSources(self.store.sources).due(before))
            claims = await self.patience(lambda: self.store.sources.claim(session, 1))
            if not claims:
                return False
            keeper = asyncio.create_task(self._keep(self._lease), name="mutirao-leadership")
            try:
                expansion = await self.expand(claims[0])
                await self._settle(expansion.settlement)
            finally:
                keeper.cancel()
                await asyncio.wait([keeper])
        except LeaseLost:
            await self.membership.replace(session)
            return False
        if expansion.pause is not None:
            self._paused_until = self.clock.monotonic() + expansion.pause
            self.listener(ExtractionPaused(expansion.pause, expansion.reason))
            await self.step_down()  # another machine may be welcome at that site
        return True

    async def step_down(self) -> None:
        """Give the leadership up, if this worker has it. A store that does not answer frees it by itself later."""
        if self._lease is not None:
            lease, self._lease = self._lease, None
            try:
                async with asyncio.timeout(GOODBYE):
                    await self.store.leases.release(lease)
            except (PortError, TimeoutError) as error:
                self.listener(StoreTrouble(f"could not give the leadership up: {str(error) or 'no answer'}", 0))

    async def _settle(self, settlement: Settlement[Source]) -> None:
        session = self.membership.session
        (receipt,) = await self.patience(lambda: self.store.sources.settle(session, [settlement]))
        if receipt.recorded:
            self.membership.count(
                sources=isinstance(settlement.event, Completed), failures=isinstance(settlement.event, Failed)
            )

    async def _keep(self, lease: Lease) -> None:
        """Renew while a long scan runs. A lost lease does no harm: the claim on the source is what counts."""
        while True:
            await self.clock.sleep(self.ttl / 3)
            try:
                await self.patience(lambda: self.store.leases.renew(lease))
            except LeaseLost:
                return
