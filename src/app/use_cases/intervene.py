"""What a person does to finished work: redrive or discard the dead, scan a source again."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from attrs import frozen

from domain.dedupe import source_key
from domain.lifecycle import Discarded, Redriven, Rescanned, State
from domain.work import ItemT, Record, Source
from ports.coordination import WorkQueue

PAGE = 500


async def redrive(queue: WorkQueue[ItemT], keys: Sequence[str] | None = None) -> frozenset[str]:
    """Send those of `keys` (None: all) that are dead back to the queue, counted afresh; returns them."""
    return await _each_dead(queue, keys, Redriven())


async def discard(queue: WorkQueue[ItemT], keys: Sequence[str] | None = None) -> frozenset[str]:
    """Give those of `keys` (None: all) that are dead up for good; returns them. Their keys stay known."""
    return await _each_dead(queue, keys, Discarded())


@frozen
class RescanSources:
    """Send finished sources back to the queue, to find what is new in them."""

    sources: WorkQueue[Source]

    async def __call__(self, urls: Sequence[str] | None = None, *, full: bool = False) -> frozenset[str]:
        """Rescan those of `urls` (None: all) that are finished; returns their keys. `full` goes through known ones."""
        if urls is None:
            keys = [record.item.key async for record in every(self.sources, State.COMPLETED)]
        else:
            keys = [key for url in urls for key in {url, source_key(url)}]
        return await self.sources.intervene(keys, Rescanned(full))

    async def due(self, before: datetime) -> frozenset[str]:
        """Rescan what was finished before `before`."""
        keys = []
        async for record in every(self.sources, State.COMPLETED):
            if record.finished_at is None or record.finished_at > before:
                break  # the History is in the order of finishing
            keys.append(record.item.key)
        return await self.sources.intervene(keys, Rescanned()) if keys else frozenset()


async def every(queue: WorkQueue[ItemT], state: State) -> AsyncIterator[Record[ItemT]]:
    """All records in `state`, read page by page."""
    after: str | None = None
    while True:
        page = await queue.list(state, after=after, limit=PAGE)
        for record in page.records:
            yield record
        if page.after is None:
            return
        after = page.after


async def _each_dead(
    queue: WorkQueue[ItemT], keys: Sequence[str] | None, event: Redriven | Discarded
) -> frozenset[str]:
    if keys is None:
        keys = [record.item.key async for record in every(queue, State.FAILED)]
    changed: set[str] = set()
    for start in range(0, len(keys), PAGE):
        changed |= await queue.intervene(keys[start : start + PAGE], event)
    return frozenset(changed)
