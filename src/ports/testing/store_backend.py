"""What the coordination suites ask of whoever binds them, and the items they work on."""

from collections.abc import Callable, Sequence

from attrs import frozen

from domain.lifecycle import Completed, Settled, State
from domain.scan import ScanOptions
from domain.session import Session, Worker
from domain.work import Claim, ItemT, Receipt, Record, Settlement, Source, Task
from ports.coordination import CoordinationStore, WorkQueue
from ports.testing.scenario import MovableClock

TTL = 60.0


@frozen
class StoreBackend:
    """A fresh, empty store. Each `connect()` gives another participant's view of it, not yet entered.

    All of them live by `clock`. `max_crashes` is what the stores were told to bear.
    """

    connect: Callable[[], CoordinationStore]
    clock: MovableClock
    max_crashes: int = 5


def worker(name: str = "maria") -> Worker:
    return Worker(id=f"id-of-{name}", name=name)


def sources(count: int) -> list[Source]:
    return [Source(key=f"url {n}", url=f"https://feeds.example/{n}") for n in range(count)]


def tasks(count: int, start: int = 0) -> list[Task]:
    return [
        Task(
            key=f"youtube video{n}",
            url=f"https://www.youtube.com/watch?v=video{n}",
            id=f"video{n}",
            source="url 0",
            name=f"Vídeo {n}",
            duration=60.5 + n,
        )
        for n in range(start, start + count)
    ]


ODD_TASK = Task(
    key="youtube -1e10_AbCdE",
    url="https://example.org/?q=%00&a='; DROP TABLE tasks; --",
    id="-1e10_AbCdE",
    name='=IMPORTXML("http://x"; "//a")\n\t"quoted" 🎈 ünï',
    duration=None,
)

PICKY_SOURCE = Source(
    key="youtube:playlist PL1",
    url="https://www.youtube.com/playlist?list=PL1",
    options=ScanOptions(title="aula|lição", min_duration=60, max_duration=3600.5, shorts=False, live=False, limit=7),
)


async def settle(
    queue: WorkQueue[ItemT], session: Session, claim: Claim[ItemT], event: Settled | None = None
) -> Receipt:
    """Settle one claim, as completed unless told otherwise."""
    (receipt,) = await queue.settle(session, [Settlement(claim, event or Completed())])
    return receipt


async def records(queue: WorkQueue[ItemT], state: State) -> Sequence[Record[ItemT]]:
    return (await queue.list(state, limit=1000)).records


async def keys(queue: WorkQueue[ItemT], state: State) -> list[str]:
    return [record.item.key for record in await records(queue, state)]


async def only(queue: WorkQueue[ItemT], state: State) -> Record[ItemT]:
    """The one record in `state`."""
    (record,) = await records(queue, state)
    return record
