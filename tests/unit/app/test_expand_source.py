"""A source becomes tasks page by page, and is finished only when its whole list was seen."""

from datetime import timedelta

import pytest
from attrs import evolve

from adapters.memory.coordination import MemoryCoordinationStore
from adapters.memory.extractor import MemoryExtractor, ScriptedSource
from adapters.memory.time import FixedRandom, ManualClock, SequentialIds
from app.events import PageStored, SourceFinished, WorkerEvent, tell_nobody
from app.patience import Patience
from app.use_cases.expand_source import KNOWN_RUN, ExpandSource
from domain.lifecycle import Completed, Failed, Released, Retried, State
from domain.scan import Entry, ScanOptions, SkipReason
from domain.work import Claim, Source
from ports.errors import SourceGone, SourceIncomplete, SourceNotYet, SourceRateLimited
from ports.testing.scenario import scenario

URL = "https://x.example/list"
SOURCE = Source(key="url 1", url=URL)


def entries(count: int, start: int = 0) -> list[Entry]:
    return [Entry(f"youtube v{n}", f"https://x.example/v{n}", f"v{n}", f"Video {n}", 60) for n in range(start, count)]


class World:
    def __init__(self, source: ScriptedSource, defaults: ScanOptions | None = None) -> None:
        self.clock = ManualClock()
        self.store = MemoryCoordinationStore(clock=self.clock, ids=SequentialIds())
        self.sources = {URL: source}
        self.events: list[WorkerEvent] = []
        self.expand = ExpandSource(
            self.store.tasks,
            MemoryExtractor(self.sources),
            self.clock,
            FixedRandom(),
            Patience(self.clock, FixedRandom(), tell_nobody),
            defaults=defaults or ScanOptions(),
            listener=self.events.append,
        )

    async def expansion(self, source: Source = SOURCE, attempt: int = 1):
        return await self.expand(Claim(source, epoch=1, attempt=attempt, first_attempt_at=self.clock.now()))

    async def tasks(self) -> list[str]:
        return [record.item.key for record in (await self.store.tasks.list(State.PENDING, limit=9999)).records]


@scenario
async def test_a_whole_list_is_stored_in_order_and_the_source_knows_its_name_and_count() -> None:
    world = World(ScriptedSource("Aulas", entries(250)))
    expansion = await world.expansion()
    assert await world.tasks() == [f"youtube v{n}" for n in range(250)]
    assert expansion.settlement.event == Completed()
    done = expansion.settlement.claim.item
    assert (done.name, done.entries, done.scans) == ("Aulas", 250, 1)
    task = (await world.store.tasks.list(State.PENDING)).records[0].item
    assert (task.id, task.source, task.name, task.duration) == ("v0", SOURCE.key, "Video 0", 60)


@scenario
async def test_progress_is_told_page_by_page() -> None:
    world = World(ScriptedSource("Aulas", [*entries(250), SkipReason.PRIVATE]))
    await world.expansion()
    pages = [event for event in world.events if isinstance(event, PageStored)]
    assert [(page.new, page.expected) for page in pages] == [(100, 251), (200, 251), (250, 251)]
    assert isinstance(world.events[-1], SourceFinished)
    assert world.events[-1].skipped == {SkipReason.PRIVATE: 1}


@scenario
async def test_repeating_an_interrupted_expansion_stores_no_key_twice() -> None:
    world = World(ScriptedSource("Aulas", entries(250), failure=SourceIncomplete("broke off"), fails_at=2))
    first = await world.expansion()
    assert isinstance(first.settlement.event, Retried)
    assert len(await world.tasks()) == 200
    world.sources[URL] = ScriptedSource("Aulas", entries(250))
    second = await world.expansion(attempt=2)
    assert second.settlement.event == Completed()
    assert len(await world.tasks()) == 250


@scenario
async def test_a_list_that_keeps_breaking_off_is_dead_after_its_attempts() -> None:
    world = World(ScriptedSource("Aulas", entries(9), failure=SourceIncomplete("list: incomplete"), fails_at=0))
    last = world.expand.policy.max_attempts
    assert isinstance((await world.expansion(attempt=last - 1)).settlement.event, Retried)
    assert (await world.expansion(attempt=last)).settlement.event == Failed("list: incomplete")


@scenario
async def test_a_source_that_is_gone_is_dead_at_once_in_the_sites_words() -> None:
    world = World(ScriptedSource(failure=SourceGone("Private video")))
    assert (await world.expansion()).settlement.event == Failed("Private video")


@scenario
async def test_a_rate_limit_gives_the_source_back_untouched_and_pauses_the_worker() -> None:
    world = World(ScriptedSource(failure=SourceRateLimited("HTTP 429", retry_after=37)))
    expansion = await world.expansion(attempt=99)
    assert expansion.settlement.event == Released()
    assert expansion.pause == 37


@scenario
async def test_a_premiere_is_for_later_however_often() -> None:
    world = World(ScriptedSource(failure=SourceNotYet("Premieres in 3 hours")))
    event = (await world.expansion(attempt=50)).settlement.event
    assert isinstance(event, Retried)
    assert event.not_before == world.clock.now() + timedelta(hours=1)


@scenario
async def test_a_rescan_ends_where_all_is_known() -> None:
    world = World(ScriptedSource("Canal", entries(450)))
    done = (await world.expansion()).settlement.claim.item
    newest = [Entry(f"youtube n{n}", f"https://x.example/n{n}") for n in range(120)]
    world.sources[URL] = ScriptedSource("Canal", [*newest, *entries(450)])
    world.events.clear()
    again = (await world.expansion(done)).settlement.claim.item
    assert len(await world.tasks()) == 570
    assert (again.entries, again.scans) == (570, 2)
    pages = [event for event in world.events if isinstance(event, PageStored)]
    assert len(pages) == 2, "120 new ones and a run of known ones: two pages, not six"
    assert pages[-1].known >= KNOWN_RUN


@pytest.mark.parametrize("reason", ["asked for", "due"])
@scenario
async def test_a_full_rescan_finds_what_was_added_at_the_end(reason: str) -> None:
    world = World(ScriptedSource("Lista", entries(450)))
    done = (await world.expansion()).settlement.claim.item
    world.sources[URL] = ScriptedSource("Lista", entries(460))
    again = evolve(done, full=True) if reason == "asked for" else evolve(done, scans=10)
    settled = (await world.expansion(again)).settlement.claim.item
    assert len(await world.tasks()) == 460
    assert not settled.full


@scenario
async def test_settings_filter_a_source_that_nobody_asked_anything_special_of() -> None:
    world = World(ScriptedSource("Lista", entries(20)), defaults=ScanOptions(limit=3))
    await world.expansion()
    assert len(await world.tasks()) == 3
    await world.expansion(evolve(SOURCE, options=ScanOptions(limit=5)))
    assert len(await world.tasks()) == 5
