"""The promises of `WorkQueue`."""

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from domain.errors import LeaseLost
from domain.lifecycle import Completed, Discarded, Failed, Released, Retried, Settled, State
from domain.work import Settlement
from ports.testing.scenario import scenario
from ports.testing.store_backend import (
    ODD_TASK,
    PICKY_SOURCE,
    StoreBackend,
    keys,
    only,
    settle,
    sources,
    tasks,
    worker,
)


class WorkQueuePromises:
    @scenario
    async def test_added_items_are_queued_in_the_order_given(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as other:
            added = await store.tasks.add(tasks(30))
            assert added.new == {task.key for task in tasks(30)}
            assert added.duplicates == frozenset()
            assert await keys(other.tasks, State.PENDING) == [task.key for task in tasks(30)]
            assert (await other.tasks.list(State.PENDING)).records[0].created_at == backend.clock.now()
            assert await keys(other.sources, State.PENDING) == []

    @scenario
    async def test_a_known_key_is_a_duplicate_whatever_became_of_it(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            session = await store.workers.open(worker())
            await store.tasks.add(tasks(4))
            done, failed, discarded = await store.tasks.claim(session, 3)
            await settle(store.tasks, session, done)
            await settle(store.tasks, session, failed, Failed("no"))
            await settle(store.tasks, session, discarded, Failed("no"))
            await store.tasks.intervene([discarded.item.key], Discarded())
            added = await store.tasks.add([*tasks(5), *tasks(5)])
            assert added.new == {"youtube video4"}
            assert added.duplicates == {task.key for task in tasks(4)}
            assert (await store.tasks.counts()).total == 5

    @scenario
    async def test_adding_nothing_adds_nothing(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            assert (await store.tasks.add([])).new == frozenset()
            assert (await store.tasks.counts()).total == 0

    @scenario
    async def test_keys_differ_by_case(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            one, two = tasks(2)
            await store.tasks.add([evolve(one, key="youtube AbC"), evolve(two, key="youtube aBc")])
            assert await keys(store.tasks, State.PENDING) == ["youtube AbC", "youtube aBc"]

    @scenario
    async def test_what_was_added_comes_back_to_the_letter(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as other:
            await store.tasks.add([ODD_TASK])
            await store.sources.add([PICKY_SOURCE])
            session = await other.workers.open(worker())
            (task,) = await other.tasks.claim(session, 1)
            (source,) = await other.sources.claim(session, 1)
            assert task.item == ODD_TASK
            assert source.item == PICKY_SOURCE

    @scenario
    async def test_the_oldest_are_claimed_first_up_to_the_limit(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(5))
            session = await store.workers.open(worker())
            assert [c.item.key for c in await store.tasks.claim(session, 3)] == [t.key for t in tasks(3)]
            assert await store.tasks.claim(session, 0) == []
            assert [c.item.key for c in await store.tasks.claim(session, 10)] == [t.key for t in tasks(2, start=3)]
            assert await store.tasks.claim(session, 10) == []

    @scenario
    async def test_a_claim_shows_who_holds_it_and_is_its_first_attempt(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as other:
            await store.tasks.add(tasks(1))
            (claim,) = await store.tasks.claim(await store.workers.open(worker("maria")), 1)
            assert claim.attempt == 1
            assert claim.first_attempt_at == backend.clock.now()
            record = await only(other.tasks, State.CLAIMED)
            assert (record.worker, record.claimed_at) == ("maria", backend.clock.now())

    @scenario
    async def test_no_item_is_claimed_twice_however_many_claim_at_once(self, backend: StoreBackend) -> None:
        async with backend.connect() as one, backend.connect() as two:
            await one.tasks.add(tasks(40))
            sessions = [(store, await store.workers.open(worker(f"w{n}"))) for n, store in enumerate([one, two] * 4)]
            batches = await asyncio.gather(*(store.tasks.claim(session, 6) for store, session in sessions))
            claimed = [claim.item.key for batch in batches for claim in batch]
            assert len(claimed) == len(set(claimed))
            rest = await one.tasks.claim(sessions[0][1], 40)
            assert len(claimed) + len(rest) == 40

    @scenario
    async def test_a_completed_item_is_in_the_history_once(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as other:
            await store.tasks.add(tasks(1))
            session = await store.workers.open(worker("maria"))
            (claim,) = await store.tasks.claim(session, 1)
            backend.clock.advance(5)
            assert (await settle(store.tasks, session, claim)).recorded
            again = await settle(store.tasks, session, claim, Failed("too late"))
            assert (again.key, again.recorded) == (claim.item.key, False)
            record = await only(other.tasks, State.COMPLETED)
            assert (record.item, record.worker, record.attempts, record.error) == (tasks(1)[0], "maria", 1, "")
            assert record.finished_at == backend.clock.now()
            assert record.claimed_at == backend.clock.now() - timedelta(seconds=5)
            assert (await other.tasks.counts()).total == 1

    @scenario
    async def test_a_failed_item_is_dead_with_its_whole_error(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(1))
            session = await store.workers.open(worker())
            (claim,) = await store.tasks.claim(session, 1)
            error = "=HYPERLINK falhou: ünï 🎈\n" + "x" * 20_000
            await settle(store.tasks, session, claim, Failed(error))
            record = await only(store.tasks, State.FAILED)
            assert record.error == error
            assert record.attempts == 1
            assert record.finished_at == backend.clock.now()

    @scenario
    async def test_an_error_of_any_characters_is_recorded(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(1))
            session = await store.workers.open(worker())
            (claim,) = await store.tasks.claim(session, 1)
            assert (await settle(store.tasks, session, claim, Failed("nul \x00, half a pair \ud83c."))).recorded
            record = await only(store.tasks, State.FAILED)
            assert record.error.startswith("nul ")
            assert record.error.endswith(".")

    @scenario
    async def test_a_retried_item_is_due_at_its_time_and_not_before(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(2))
            session = await store.workers.open(worker())
            first_attempt_at = backend.clock.now()
            (claim,) = await store.tasks.claim(session, 1)
            due = backend.clock.now() + timedelta(seconds=30)
            await settle(store.tasks, session, claim, Retried("try later", due))
            waiting = (await store.tasks.list(State.PENDING)).records[0]
            assert (waiting.attempts, waiting.not_before, waiting.error) == (1, due, "try later")

            backend.clock.advance(29.999)
            assert [c.item.key for c in await store.tasks.claim(session, 5)] == ["youtube video1"]
            backend.clock.advance(0.001)
            (again,) = await store.tasks.claim(session, 5)
            assert (again.item.key, again.attempt) == ("youtube video0", 2)
            assert again.first_attempt_at == first_attempt_at
            await settle(store.tasks, session, again)
            record = await only(store.tasks, State.COMPLETED)
            assert (record.attempts, record.error) == (2, "")

    @scenario
    async def test_a_released_item_is_claimed_again_as_if_never_tried(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(1))
            session = await store.workers.open(worker())
            (claim,) = await store.tasks.claim(session, 1)
            assert (await settle(store.tasks, session, claim, Released())).recorded
            (again,) = await store.tasks.claim(session, 1)
            assert again.attempt == 1
            assert again.epoch != claim.epoch

    @scenario
    async def test_an_old_claim_cannot_settle_a_new_one_of_the_same_session(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(1))
            session = await store.workers.open(worker())
            (old,) = await store.tasks.claim(session, 1)
            await settle(store.tasks, session, old, Released())
            await store.tasks.claim(session, 1)
            assert not (await settle(store.tasks, session, old)).recorded
            assert await keys(store.tasks, State.CLAIMED) == [old.item.key]

    @scenario
    async def test_one_session_cannot_settle_anothers_claim(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(1))
            maria = await store.workers.open(worker("maria"))
            joao = await store.workers.open(worker("joão"))
            (claim,) = await store.tasks.claim(maria, 1)
            assert not (await settle(store.tasks, joao, claim)).recorded
            assert (await settle(store.tasks, maria, claim)).recorded

    @scenario
    async def test_each_settlement_of_a_batch_has_its_own_receipt(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(5))
            session = await store.workers.open(worker())
            claims = list(await store.tasks.claim(session, 5))
            await settle(store.tasks, session, claims[1], Released())
            due = backend.clock.now() + timedelta(seconds=1)
            events: list[Settled] = [Completed(), Completed(), Failed("no"), Retried("later", due), Released()]
            receipts = await store.tasks.settle(
                session, [Settlement(*pair) for pair in zip(claims, events, strict=True)]
            )
            assert [(r.key, r.recorded) for r in receipts] == [
                ("youtube video0", True),
                ("youtube video1", False),
                ("youtube video2", True),
                ("youtube video3", True),
                ("youtube video4", True),
            ]
            counts = await store.tasks.counts()
            assert (counts[State.COMPLETED], counts[State.FAILED], counts[State.PENDING]) == (1, 1, 3)
            assert await store.tasks.settle(session, []) == []

    @scenario
    async def test_a_settlement_under_another_key_is_refused(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(2))
            session = await store.workers.open(worker())
            (claim,) = await store.tasks.claim(session, 1)
            forged = evolve(claim, item=tasks(2)[1])
            assert not (await settle(store.tasks, session, forged)).recorded
            assert (await store.tasks.counts())[State.COMPLETED] == 0

    @scenario
    async def test_a_source_keeps_what_its_scan_has_found(self, backend: StoreBackend) -> None:
        async with backend.connect() as store, backend.connect() as other:
            await store.sources.add(sources(1))
            session = await store.workers.open(worker())
            (claim,) = await store.sources.claim(session, 1)
            scanned = evolve(claim.item, name="Aulas de violão", entries=250, scans=1)
            await settle(store.sources, session, evolve(claim, item=scanned))
            assert (await only(other.sources, State.COMPLETED)).item == scanned

    @scenario
    async def test_what_one_writes_another_sees_and_a_later_one_finds(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.sources.add(sources(2))
            session = await store.workers.open(worker())
            claim, _ = await store.sources.claim(session, 2)
            await settle(store.sources, session, claim)
        async with backend.connect() as later:
            assert await keys(later.sources, State.COMPLETED) == [claim.item.key]
            assert len(await keys(later.sources, State.CLAIMED)) == 1

    @scenario
    async def test_a_lost_session_settles_nothing_of_a_batch(self, backend: StoreBackend) -> None:
        async with backend.connect() as store:
            await store.tasks.add(tasks(2))
            session = await store.workers.open(worker())
            claims = await store.tasks.claim(session, 2)
            await store.workers.close(session)
            with pytest.raises(LeaseLost):
                await store.tasks.settle(session, [Settlement(claim, Completed()) for claim in claims])
            assert (await store.tasks.counts())[State.PENDING] == 2
