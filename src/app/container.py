"""The one place that builds adapters. Private to `app`: callers swap by keyword (`create_app`) or by URL scheme."""

from dependency_injector import containers, providers

from adapters.system.time import SystemClock, SystemIds, SystemRandom
from app.adapters import coordination_store, metadata_extractor, system_identity
from app.settings import Settings
from ports.coordination import CoordinationStore
from ports.extractor import MetadataExtractor
from ports.identity import WorkerIdentity
from ports.time import Clock, IdGenerator, RandomSource


class Container(containers.DeclarativeContainer):
    """Constructs, opens nothing: connecting is `App.__aenter__`'s."""

    settings: providers.Dependency[Settings] = providers.Dependency()
    clock: providers.Provider[Clock] = providers.Singleton(SystemClock)
    random: providers.Provider[RandomSource] = providers.Singleton(SystemRandom)
    ids: providers.Provider[IdGenerator] = providers.Singleton(SystemIds)
    identity: providers.Provider[WorkerIdentity] = providers.Singleton(system_identity, settings=settings, ids=ids)
    coordination_store: providers.Provider[CoordinationStore] = providers.Singleton(
        coordination_store, settings=settings, clock=clock, ids=ids, random=random
    )
    extractor: providers.Provider[MetadataExtractor] = providers.Singleton(metadata_extractor, settings=settings)
