"""Looking after the parts of the system: each says what is wrong with it, or else it is seen whether it opens."""

from collections.abc import Awaitable, Callable, Sequence

from domain.errors import MutiraoError
from domain.finding import Finding, good, note, problem
from ports.broker import Broker
from ports.coordination import CoordinationStore
from ports.diagnosis import Assuming, Diagnosable
from ports.errors import ConfigurationError
from ports.extractor import MetadataExtractor

NOBODYS_QUEUE = "mutirao-doctor"
"""Asked for where no queue is set: it shows whether the broker answers, and is not made by asking."""


async def diagnose_store(build: Callable[[], CoordinationStore]) -> Sequence[Finding]:
    """What is to be said of the store that `build` makes. One that cannot say so itself is opened and closed."""

    async def look() -> Sequence[Finding]:
        store = build()
        if isinstance(store, Diagnosable):
            return await store.diagnose()
        async with store:
            sources, tasks, workers = await store.sources.counts(), await store.tasks.counts(), store.workers
            live = len(await workers.active())
        seen = f"opens: {sources.left} sources and {tasks.left} tasks to do, {live} workers have a session"
        return [good("store", seen)]

    return await _told("store", look)


async def try_assumptions(build: Callable[[], CoordinationStore]) -> Sequence[Finding]:
    """What the store that `build` makes relies on, tried out.

    Raises:
        ConfigurationError: it relies on nothing that would have to be tried.
        PortError: it cannot be asked.
    """
    store = build()
    if not isinstance(store, Assuming):
        raise ConfigurationError(
            "--spreadsheet tries out a Google spreadsheet, but COORDINATION_URL names another store"
        )
    return await store.try_assumptions()


async def diagnose_extractor(build: Callable[[], MetadataExtractor]) -> Sequence[Finding]:
    """What is to be said of the extractor that `build` makes."""

    async def look() -> Sequence[Finding]:
        extractor = build()
        try:
            if isinstance(extractor, Diagnosable):
                return await extractor.diagnose()
        finally:
            await extractor.close()
        return [note("extractor", "has nothing to say of itself")]

    return await _told("extractor", look)


async def diagnose_broker(build: Callable[[], Broker], queue: str) -> Sequence[Finding]:
    """Whether the broker that `build` makes answers, and what waits in `queue`."""

    async def look() -> Sequence[Finding]:
        async with build() as broker:
            depth = await broker.depth(queue or NOBODYS_QUEUE)
        if not queue:
            return [good("broker", "answers")]
        return [good("broker", f"answers: in {queue} {depth.due} tasks wait, {depth.dead} are dead")]

    return await _told("broker", look)


async def _told(subject: str, look: Callable[[], Awaitable[Sequence[Finding]]]) -> Sequence[Finding]:
    try:
        return await look()
    except MutiraoError as error:  # its text says what to do
        return [problem(subject, str(error))]
