"""Expand a claimed source into tasks, page by page, and say what became of it."""

from contextlib import aclosing
from datetime import timedelta

from attrs import define, evolve, frozen

from app.events import Listener, PageStored, SourceFinished, SourceStarted
from app.patience import Patience
from domain.dedupe import display_id
from domain.lifecycle import Completed, Failed, Released, Retried, Settled
from domain.retry import RetryAt, RetryPolicy
from domain.scan import Entry, ScanOptions
from domain.work import Claim, Settlement, Source, Task
from ports.coordination import WorkQueue
from ports.errors import SourceNotYet, SourceRateLimited, SourceUnavailable
from ports.extractor import MetadataExtractor, Scan
from ports.time import Clock, RandomSource

KNOWN_RUN = 50
"""A re-scan ends after this many entries in a row that were known: what follows was seen before."""

FULL_SCAN_EVERY = 10
"""Every so many scans go all the way, since a playlist may grow at its end."""

NOT_YET_AGAIN = timedelta(hours=1)

SOURCE_RETRIES = RetryPolicy(max_attempts=5, min_backoff=5, max_backoff=600, max_doublings=5)


@frozen
class Expansion:
    """What came of a claimed source. `pause` asks the worker to leave that site alone for so many seconds."""

    settlement: Settlement[Source]
    pause: float | None = None
    reason: str = ""


@define
class _Tally:
    new: int = 0
    known: int = 0
    known_run: int = 0

    def count(self, page: list[Task], new: frozenset[str]) -> None:
        self.new += len(new)
        self.known += len(page) - len(new)
        for task in page:
            self.known_run = 0 if task.key in new else self.known_run + 1


@frozen
class ExpandSource:
    """Stores tasks as pages arrive. Repeating it after a crash enqueues no key twice.

    A source is completed only when its whole list was seen; a list that broke off keeps what it gave and is tried
    again, a bounded number of times. When a site asks for fewer requests the source is released, its attempts
    untouched, and the worker is asked to pause.
    """

    tasks: WorkQueue[Task]
    extractor: MetadataExtractor
    clock: Clock
    random: RandomSource
    patience: Patience
    defaults: ScanOptions
    listener: Listener
    policy: RetryPolicy = SOURCE_RETRIES
    pause: float = 60.0

    async def __call__(self, claim: Claim[Source]) -> Expansion:
        """Expand `claim`'s source.

        Raises:
            MutiraoError: a store that cannot be used; nothing of the claim is settled.
        """
        source, tally = claim.item, _Tally()
        self.listener(SourceStarted(source, claim.attempt))
        try:
            scan = await self.extractor.scan(source.url, self._options(source))
            whole = await self._store(source, scan, tally)
        except SourceUnavailable as error:
            return self._failed(claim, error, tally)
        entries = tally.new + tally.known
        if not whole:
            entries = max(entries, (source.entries or 0) + tally.new)
        done = evolve(source, name=scan.name, entries=entries, scans=source.scans + 1, full=False)
        self.listener(
            SourceFinished(done, Completed(), tally.new, tally.known, scan.summary.skipped, scan.summary.note)
        )
        return Expansion(Settlement(evolve(claim, item=done), Completed()))

    def _options(self, source: Source) -> ScanOptions:
        """A source that nobody asked anything special of is scanned as the worker's settings say."""
        return self.defaults if source.options == ScanOptions() else source.options

    async def _store(self, source: Source, scan: Scan, tally: _Tally) -> bool:
        """Store what `scan` finds; False if it ended early because the rest is known."""
        may_stop = source.scans > 0 and not source.full and source.scans % FULL_SCAN_EVERY != 0
        async with aclosing(scan.pages()) as pages:
            async for page in pages:
                found = [as_task(entry, source) for entry in page]
                tally.count(found, await self._add(found))
                self.listener(PageStored(source, scan.name, tally.new, tally.known, scan.expected))
                if may_stop and tally.known_run >= KNOWN_RUN:
                    return False
        return True

    async def _add(self, found: list[Task]) -> frozenset[str]:
        added = await self.patience(lambda: self.tasks.add(found))
        return added.new

    def _failed(self, claim: Claim[Source], error: SourceUnavailable, tally: _Tally) -> Expansion:
        outcome = self._outcome(claim, error)
        self.listener(SourceFinished(claim.item, outcome, tally.new, tally.known))
        pause = None
        if isinstance(error, SourceRateLimited):
            pause = error.retry_after or self.pause
        return Expansion(Settlement(claim, outcome), pause, str(error))

    def _outcome(self, claim: Claim[Source], error: SourceUnavailable) -> Settled:
        match error:
            case SourceRateLimited():
                return Released()
            case SourceNotYet():
                return Retried(str(error), self.clock.now() + NOT_YET_AGAIN)
            case _ if not error.retryable:
                return Failed(str(error))
        decision = self.policy.decide(
            attempt=claim.attempt,
            first_attempt_at=claim.first_attempt_at,
            now=self.clock.now(),
            unit=self.random.unit(),
        )
        return Retried(str(error), decision.at) if isinstance(decision, RetryAt) else Failed(str(error))


def as_task(entry: Entry, source: Source) -> Task:
    return Task(
        key=entry.key,
        url=entry.url,
        id=entry.id or display_id(entry.key),
        source=source.key,
        name=entry.title,
        duration=entry.duration,
    )
