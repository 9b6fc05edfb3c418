"""The promises of `WorkerRegistry`."""

import pytest

from domain.errors import LeaseLost
from domain.lifecycle import State
from domain.session import WorkerStats
from ports.testing.scenario import scenario
from ports.testing.store_backend import TTL, StoreBackend, keys, only, settle, tasks, worker


class WorkerRegistryPromises:
    @scenario
    async def test_an_opened_session_is_active_under_its_workers_name(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            session = await store.workers.open(worker("maria"))
            (view,) = await store.workers.active()
            assert view.session == session
            assert view.session.worker == worker("maria")
            assert view.last_beat == backend.clock.now()

    @scenario
    async def test_sessions_are_listed_oldest_first_and_two_workers_may_share_a_name(
        self, backend: StoreBackend
    ) -> None:
        async with backend.connect() as store:
            twins = [worker("maria"), worker("joão")]
            opened = [await store.workers.open(twin) for twin in twins]
            assert [view.session for view in await store.workers.active()] == opened

    @scenario
    async def test_a_session_id_is_never_used_again(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            ids = set()
            for _ in range(5):
                session = await store.workers.open(worker())
                ids.add(session.id)
                await store.workers.close(session)
            assert len(ids) == 5

    @scenario
    async def test_a_heartbeat_shows_when_it_came_and_what_was_done(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as other:
            session = await store.workers.open(worker())
            backend.clock.advance(10)
            await store.workers.beat(session, WorkerStats(tasks=3, sources=1, failures=2))
            (view,) = await other.workers.active()
            assert view.stats == WorkerStats(tasks=3, sources=1, failures=2)
            assert view.last_beat == backend.clock.now()

    @scenario
    async def test_a_closed_session_is_gone_and_writes_nothing_more(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(1))
            session = await store.workers.open(worker())
            await store.workers.close(session)
            await store.workers.close(session)
            assert await store.workers.active() == []
            with pytest.raises(LeaseLost):
                await store.workers.beat(session, WorkerStats())
            with pytest.raises(LeaseLost):
                await store.tasks.claim(session, 1)
            with pytest.raises(LeaseLost):
                await store.leases.acquire("Source", session, TTL)

    @scenario
    async def test_closing_releases_claims_without_counting_an_attempt(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(2))
            session = await store.workers.open(worker())
            await store.tasks.claim(session, 2)
            await store.workers.close(session)
            for record in (await store.tasks.list(State.PENDING)).records:
                assert (record.attempts, record.crashes) == (0, 0)
            assert len(await keys(store.tasks, State.PENDING)) == 2

    @scenario
    async def test_a_silent_session_is_buried_at_the_ttl_and_not_before(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as observer:
            session = await store.workers.open(worker())
            assert await observer.workers.bury(TTL) == []
            backend.clock.advance(TTL - 0.001)
            assert await observer.workers.bury(TTL) == []
            backend.clock.advance(0.001)
            assert await observer.workers.bury(TTL) == [session]
            assert await observer.workers.bury(TTL) == []
            assert await observer.workers.active() == []

    @scenario
    async def test_an_observer_that_has_just_arrived_waits_a_whole_ttl(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.workers.open(worker())
            backend.clock.advance(10 * TTL)
            async with backend.connect() as observer:
                assert await observer.workers.bury(TTL) == []

    @scenario
    async def test_a_heartbeat_postpones_the_burial(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as observer:
            session = await store.workers.open(worker())
            for _ in range(4):
                await observer.workers.bury(TTL)
                backend.clock.advance(TTL - 1)
                await store.workers.beat(session, WorkerStats())
            assert await observer.workers.bury(TTL) == []
            assert len(await observer.workers.active()) == 1

    @scenario
    async def test_a_buried_session_loses_its_claims_and_can_write_nothing(self, backend: StoreBackend) -> None:
        async with backend.connect() as zombie, backend.connect() as observer:
            await zombie.tasks.add(tasks(3))
            session = await zombie.workers.open(worker())
            lease = await zombie.leases.acquire("Source", session, TTL)
            assert lease is not None
            claims = await zombie.tasks.claim(session, 2)
            await observer.workers.bury(TTL)
            backend.clock.advance(TTL)
            await observer.workers.bury(TTL)

            with pytest.raises(LeaseLost):
                await zombie.workers.beat(session, WorkerStats())
            with pytest.raises(LeaseLost):
                await settle(zombie.tasks, session, claims[0])
            with pytest.raises(LeaseLost):
                await zombie.tasks.claim(session, 1)
            with pytest.raises(LeaseLost):
                await zombie.leases.renew(lease)
            assert await observer.leases.holder("Source") is None
            pending = (await observer.tasks.list(State.PENDING)).records
            assert [(r.item.key, r.attempts, r.crashes) for r in pending] == [
                ("youtube video0", 0, 1),
                ("youtube video1", 0, 1),
                ("youtube video2", 0, 0),
            ]

    @scenario
    async def test_closing_a_buried_session_does_nothing(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(1))
            session = await store.workers.open(worker("maria"))
            await store.workers.bury(TTL)
            backend.clock.advance(TTL)
            await store.workers.bury(TTL)
            heir = await store.workers.open(worker("joão"))
            await store.tasks.claim(heir, 1)
            await store.workers.close(session)
            assert len(await keys(store.tasks, State.CLAIMED)) == 1

    @scenario
    async def test_a_restarted_worker_buries_its_predecessor_at_once(self, backend: StoreBackend) -> None:
        async with backend.connect() as before, backend.connect() as after:
            await before.tasks.add(tasks(1))
            old = await before.workers.open(worker())
            await before.tasks.claim(old, 1)
            new = await after.workers.open(worker())
            assert [view.session for view in await after.workers.active()] == [new]
            assert (await only(after.tasks, State.PENDING)).crashes == 1
            with pytest.raises(LeaseLost):
                await before.workers.beat(old, WorkerStats())

    @scenario
    async def test_an_item_that_has_lost_too_many_holders_is_dead(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(1))
            for life in range(1, backend.max_crashes + 1):
                assert len(await store.tasks.claim(await store.workers.open(worker()), 1)) == 1, f"life {life}"
            await store.workers.open(worker())
            dead = await only(store.tasks, State.FAILED)
            assert dead.crashes == backend.max_crashes
            assert f"{backend.max_crashes} times" in dead.error
            assert dead.finished_at is not None
