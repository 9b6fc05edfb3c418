"""Putting the hexagon together."""

from types import TracebackType
from typing import Self

from attrs import define, frozen
from dependency_injector import providers

from app.container import Container
from app.events import Listener, tell_nobody
from app.patience import Patience
from app.settings import Settings, load_settings
from app.use_cases.add_sources import AddSources
from app.use_cases.expand_source import ExpandSource
from app.use_cases.intervene import RescanSources
from app.use_cases.overview import Overview, overview
from app.use_cases.run_task import Handler, RunTask
from app.workers.coordination import CoordinationWorker
from app.workers.expander import Expander
from app.workers.membership import Membership
from app.workers.task_runner import TaskRunner
from domain.retry import RetryPolicy
from ports.coordination import CoordinationStore
from ports.errors import ConfigurationError
from ports.extractor import MetadataExtractor
from ports.identity import WorkerIdentity
from ports.time import Clock, RandomSource


def create_app(settings: Settings | None = None, **adapters: object) -> "App":
    """An `App` over the adapters that `settings` (None: the environment and `.env`) name.

    Each of `adapters` takes the place of the configured one: `coordination_store`, `extractor`, `clock`, `random`,
    `ids`, `identity`. Nothing is opened yet.

    Raises:
        ConfigurationError: names every setting that is missing or wrong, or an adapter that there is no place for.
    """
    container = Container(settings=settings or load_settings())
    for name, adapter in adapters.items():
        if name not in container.providers or name == "settings":
            known = ", ".join(sorted(set(container.providers) - {"settings"}))
            raise ConfigurationError(f"create_app() has no place for an adapter {name!r}; known are {known}")
        if adapter is not None:
            container.providers[name].override(providers.Object(adapter))
    container.check_dependencies()
    return App(
        settings=container.settings(),
        clock=container.clock(),
        random=container.random(),
        identity=container.identity(),
        store=container.coordination_store(),
        extractor=container.extractor(),
    )


@frozen
class Crew:
    """The parts of one worker that share a session."""

    membership: Membership
    expander: Expander
    runner: TaskRunner
    patience: Patience


@define
class App:
    """The use cases over one store. An async context manager: entering it connects, leaving it lets go."""

    settings: Settings
    clock: Clock
    random: RandomSource
    identity: WorkerIdentity
    store: CoordinationStore
    extractor: MetadataExtractor

    async def __aenter__(self) -> Self:
        await self.store.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.extractor.close()
            self.identity.release()
        finally:
            await self.store.__aexit__(kind, error, trace)

    @property
    def add_sources(self) -> AddSources:
        return AddSources(self.store.sources)

    @property
    def rescan_sources(self) -> RescanSources:
        return RescanSources(self.store.sources)

    async def overview(self) -> Overview:
        return await overview(self.store, self.clock)

    def crew(self, handler: Handler, *, slots: int = 1, listener: Listener = tell_nobody) -> Crew:
        """The parts of a worker that runs `handler`, `slots` tasks at a time."""
        settings = self.settings
        patience = Patience(self.clock, self.random, listener)
        membership = Membership(
            self.store.workers,
            self.identity.acquire(settings.worker_name),
            clock=self.clock,
            patience=patience,
            listener=listener,
            ttl=settings.lease_ttl,
            interval=settings.heartbeat_interval,
        )
        expand = ExpandSource(
            self.store.tasks,
            self.extractor,
            self.clock,
            self.random,
            patience,
            defaults=settings.scan_options,
            listener=listener,
        )
        expander = Expander(
            self.store,
            membership,
            expand,
            self.clock,
            patience,
            listener,
            ttl=settings.lease_ttl,
            rescan_every=settings.rescan_every,
        )
        policy = RetryPolicy(max_attempts=settings.max_attempts, min_backoff=settings.retry_backoff)
        runner = TaskRunner(
            self.store.tasks,
            RunTask(handler, policy, self.clock, self.random),
            membership,
            clock=self.clock,
            patience=patience,
            listener=listener,
            slots=slots,
            batch=settings.batch,
            linger=self.store.batch_pause,
        )
        return Crew(membership, expander, runner, patience)

    def worker(
        self,
        handler: Handler,
        *,
        slots: int = 1,
        drain: bool = False,
        grace: float = 30.0,
        listener: Listener = tell_nobody,
    ) -> CoordinationWorker:
        """A worker, ready to `run()` once this app is entered. It stops by itself if `drain`, when nothing is left."""
        crew = self.crew(handler, slots=slots, listener=listener)
        return CoordinationWorker(
            self.store,
            crew.membership,
            crew.expander,
            crew.runner,
            clock=self.clock,
            patience=crew.patience,
            drain=drain,
            grace=grace,
        )
