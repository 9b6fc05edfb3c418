"""The promises of `WorkQueue` about what is finished, dead or counted."""

from attrs import evolve

from domain.lifecycle import Discarded, Failed, Redriven, Rescanned, State
from domain.scan import ScanOptions
from ports.testing.scenario import scenario
from ports.testing.store_backend import StoreBackend, keys, only, settle, sources, tasks, worker


class HistoryPromises:
    @scenario
    async def test_redriving_sends_the_dead_back_counted_afresh(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(3))
            session = await store.workers.open(worker())
            dead, done = await store.tasks.claim(session, 2)
            await settle(store.tasks, session, dead, Failed("no"))
            await settle(store.tasks, session, done)
            backend.clock.advance(100)
            every = [*(task.key for task in tasks(3)), "youtube unknown"]
            assert await store.tasks.intervene(every, Redriven()) == {dead.item.key}
            record = (await store.tasks.list(State.PENDING)).records[0]
            assert (record.item.key, record.attempts, record.crashes, record.error) == (dead.item.key, 0, 0, "")
            assert record.finished_at is None
            (again,) = await store.tasks.claim(session, 1)
            assert (again.attempt, again.first_attempt_at) == (1, backend.clock.now())
            assert not (await settle(store.tasks, session, dead)).recorded

    @scenario
    async def test_rescanning_sends_a_finished_source_back_and_keeps_what_is_known(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.sources.add([evolve(s, options=ScanOptions(limit=3)) for s in sources(2)])
            session = await store.workers.open(worker())
            claim, _pending = await store.sources.claim(session, 2)
            scanned = evolve(claim.item, name="Canal", entries=9, scans=1)
            await settle(store.sources, session, evolve(claim, item=scanned))
            changed = await store.sources.intervene([s.key for s in sources(2)], Rescanned(full=True))
            assert changed == {claim.item.key}
            assert (await only(store.sources, State.PENDING)).item == evolve(scanned, full=True)

    @scenario
    async def test_a_discarded_item_is_listed_as_such_and_does_not_come_back(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(1))
            session = await store.workers.open(worker())
            (claim,) = await store.tasks.claim(session, 1)
            assert await store.tasks.intervene([claim.item.key], Discarded()) == frozenset()
            await settle(store.tasks, session, claim, Failed("no"))
            assert await store.tasks.intervene([claim.item.key], Discarded()) == {claim.item.key}
            assert await store.tasks.intervene([claim.item.key], Redriven()) == frozenset()
            assert (await only(store.tasks, State.DISCARDED)).error == "no"

    @scenario
    async def test_counts_show_how_the_queue_moves(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            assert (await store.tasks.counts()).oldest_pending is None
            added_at = backend.clock.now()
            await store.tasks.add(tasks(4))
            backend.clock.advance(10)
            await store.tasks.add(tasks(2, start=4))
            session = await store.workers.open(worker())
            done, failed, _held = await store.tasks.claim(session, 3)
            await settle(store.tasks, session, done)
            await settle(store.tasks, session, failed, Failed("no"))
            counts = await store.tasks.counts()
            assert dict(counts.by_state) == {
                State.PENDING: 3,
                State.CLAIMED: 1,
                State.COMPLETED: 1,
                State.FAILED: 1,
            }
            assert (counts.left, counts.total, counts.oldest_pending) == (4, 6, added_at)
            assert counts.finished_last_minute in (2, None)
            backend.clock.advance(61)
            assert (await store.tasks.counts()).finished_last_minute in (0, None)

    @scenario
    async def test_pages_show_each_record_once_though_others_come_and_go(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(25))
            session = await store.workers.open(worker())
            first = await store.tasks.list(State.PENDING, limit=10)
            await store.tasks.claim(session, 5)
            await store.tasks.add(tasks(5, start=25))
            second = await store.tasks.list(State.PENDING, after=first.after, limit=10)
            third = await store.tasks.list(State.PENDING, after=second.after, limit=10)
            seen = [record.item.key for page in (first, second, third) for record in page.records]
            assert seen == [task.key for task in tasks(30)]
            assert third.after is None

    @scenario
    async def test_the_history_is_listed_in_the_order_of_finishing(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(6))
            session = await store.workers.open(worker())
            claims = list(await store.tasks.claim(session, 6))
            for claim in reversed(claims):
                await settle(store.tasks, session, claim)
            assert await keys(store.tasks, State.COMPLETED) == [claim.item.key for claim in reversed(claims)]
            page = await store.tasks.list(State.COMPLETED, limit=6)
            assert page.after is None
