"""The promises of `LeaseStore`."""

import pytest

from domain.errors import LeaseLost
from domain.session import Lease
from ports.testing.scenario import scenario
from ports.testing.store_backend import TTL, StoreBackend, worker


def held(lease: Lease | None) -> Lease:
    assert lease is not None
    return lease


class LeaseStorePromises:
    @scenario
    async def test_a_name_has_one_holder(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as other:
            maria = await store.workers.open(worker("maria"))
            joao = await other.workers.open(worker("joão"))
            lease = held(await store.leases.acquire("Source", maria, TTL))
            assert (lease.name, lease.session) == ("Source", maria)
            assert await other.leases.acquire("Source", joao, TTL) is None
            assert await other.leases.acquire("Other", joao, TTL) is not None
            assert await other.leases.holder("Source") == lease
            assert await other.leases.holder("Nobody's") is None

    @scenario
    async def test_the_holder_gets_its_own_lease_back(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            session = await store.workers.open(worker())
            lease = await store.leases.acquire("Source", session, TTL)
            assert await store.leases.acquire("Source", session, TTL) == lease

    @scenario
    async def test_expired_lease_can_be_taken_over_at_the_ttl_and_not_before(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as other:
            maria = await store.workers.open(worker("maria"))
            joao = await other.workers.open(worker("joão"))
            lost = held(await store.leases.acquire("Source", maria, TTL))
            assert await other.leases.acquire("Source", joao, TTL) is None
            backend.clock.advance(TTL - 0.001)
            assert await other.leases.acquire("Source", joao, TTL) is None
            backend.clock.advance(0.001)
            taken = held(await other.leases.acquire("Source", joao, TTL))
            assert taken.token > lost.token
            with pytest.raises(LeaseLost):
                await store.leases.renew(lost)
            assert await store.leases.acquire("Source", maria, TTL) is None

    @scenario
    async def test_a_renewed_lease_is_kept(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as other:
            maria = await store.workers.open(worker("maria"))
            joao = await other.workers.open(worker("joão"))
            lease = held(await store.leases.acquire("Source", maria, TTL))
            for _ in range(4):
                assert await other.leases.acquire("Source", joao, TTL) is None
                backend.clock.advance(TTL - 1)
                await store.leases.renew(lease)
            assert await other.leases.acquire("Source", joao, TTL) is None

    @scenario
    async def test_releasing_frees_the_name_and_may_be_repeated(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            maria = await store.workers.open(worker("maria"))
            joao = await store.workers.open(worker("joão"))
            lease = held(await store.leases.acquire("Source", maria, TTL))
            await store.leases.release(lease)
            await store.leases.release(lease)
            with pytest.raises(LeaseLost):
                await store.leases.renew(lease)
            assert held(await store.leases.acquire("Source", joao, TTL)).token > lease.token

    @scenario
    async def test_releasing_a_lost_lease_leaves_the_new_holder_alone(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            maria = await store.workers.open(worker("maria"))
            joao = await store.workers.open(worker("joão"))
            lost = held(await store.leases.acquire("Source", maria, TTL))
            await store.leases.release(lost)
            kept = held(await store.leases.acquire("Source", joao, TTL))
            await store.leases.release(lost)
            assert await store.leases.holder("Source") == kept

    @scenario
    async def test_a_lease_ends_with_its_session(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            maria = await store.workers.open(worker("maria"))
            joao = await store.workers.open(worker("joão"))
            lease = held(await store.leases.acquire("Source", maria, TTL))
            await store.workers.close(maria)
            with pytest.raises(LeaseLost):
                await store.leases.renew(lease)
            assert held(await store.leases.acquire("Source", joao, TTL)).token > lease.token
