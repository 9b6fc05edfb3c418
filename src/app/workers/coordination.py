"""The worker: heartbeats, expansion and tasks side by side, until it is told to stop or nothing is left."""

import asyncio

from app.patience import Patience
from app.use_cases.overview import overview
from app.workers.expander import Expander
from app.workers.membership import Membership
from app.workers.task_runner import TaskRunner
from ports.coordination import CoordinationStore
from ports.time import Clock

IDLE_FIRST = 0.05


class CoordinationWorker:
    """Runs once. `drain` ends it when nothing is left that anybody still has to finish."""

    def __init__(
        self,
        store: CoordinationStore,
        membership: Membership,
        expander: Expander,
        runner: TaskRunner,
        *,
        clock: Clock,
        patience: Patience,
        drain: bool = False,
        grace: float = 30.0,
    ) -> None:
        self._store = store
        self._membership = membership
        self._expander = expander
        self._runner = runner
        self._clock = clock
        self._patience = patience
        self._drain = drain
        self._grace = grace
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Stop in good order: start nothing more, let what runs finish within the grace period. Idempotent."""
        self._stopping.set()
        self._runner.stop()

    async def run(self) -> None:
        """Work until stopped, or drained.

        Raises:
            MutiraoError: a store that cannot be used; what was held is released if it still can be.
        """
        async with self._membership:
            tasks = asyncio.create_task(self._run_tasks(), name="mutirao-tasks")
            sources = asyncio.create_task(self._expand_sources(), name="mutirao-sources")
            stopping = asyncio.create_task(self._stopping.wait())
            try:
                await asyncio.wait({tasks, sources, stopping}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                self.stop()
                await self._wind_down(tasks, sources)
                stopping.cancel()
            for loop in (tasks, sources):
                if not loop.cancelled():
                    loop.result()

    async def _wind_down(self, tasks: asyncio.Task[None], sources: asyncio.Task[None]) -> None:
        sources.cancel()
        grace = asyncio.create_task(self._clock.sleep(self._grace))
        await asyncio.wait({tasks, grace}, return_when=asyncio.FIRST_COMPLETED)
        tasks.cancel()
        await asyncio.wait({tasks, sources})
        grace.cancel()
        await self._runner.drain(self._grace)
        await self._expander.step_down()

    async def _run_tasks(self) -> None:
        idle = IDLE_FIRST
        while not self._stopping.is_set():
            moved = await self._runner.step()
            if not moved and self._drain and await self._nothing_left():
                return
            idle = IDLE_FIRST if moved else min(idle * 2, self._store.idle_pause)
            await self._runner.wait(idle)

    async def _expand_sources(self) -> None:
        idle = IDLE_FIRST
        while not self._stopping.is_set():
            expanded = await self._expander.expand_next()
            idle = IDLE_FIRST if expanded else min(idle * 2, self._store.idle_pause)
            await self._clock.sleep(max(idle, self._expander.resting))

    async def _nothing_left(self) -> bool:
        if self._runner.busy:
            return False
        seen = await self._patience(lambda: overview(self._store, self._clock))
        return seen.left == 0
