"""What the fakes of time and chance do beyond their ports' promises."""

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import pytest

from adapters.memory.time import FixedRandom, ManualClock, SequentialIds


def test_time_stands_still_until_it_is_moved() -> None:
    start = datetime(2030, 5, 1, tzinfo=UTC)
    clock = ManualClock(start)
    assert (clock.now(), clock.monotonic()) == (start, 0)
    clock.advance(90)
    assert (clock.now(), clock.monotonic()) == (start + timedelta(seconds=90), 90)


def test_a_start_in_another_zone_is_told_in_utc() -> None:
    clock = ManualClock(datetime(2030, 5, 1, 9, tzinfo=timezone(timedelta(hours=-3))))
    assert clock.now().isoformat() == "2030-05-01T12:00:00+00:00"


def test_time_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="go back"):
        ManualClock().advance(-1)


def test_a_sleeper_wakes_at_the_instant_it_asked_for_and_not_before() -> None:
    async def scene() -> None:
        clock = ManualClock()
        clock.advance(0.1)
        sleeper = asyncio.create_task(clock.sleep(0.2))
        await clock.sleep(0)
        clock.advance(0.199999999)
        await clock.sleep(0)
        assert not sleeper.done()
        clock.advance(0.000000001)
        await sleeper
        assert clock.monotonic() == 0.3

    asyncio.run(scene())


def test_another_thread_may_move_the_time() -> None:
    async def scene() -> None:
        clock = ManualClock()
        sleeper = asyncio.create_task(clock.sleep(5))
        await clock.sleep(0)
        await asyncio.to_thread(clock.advance, 5)
        await sleeper

    asyncio.run(scene(), debug=True)  # in which a loop refuses what another thread may not do to it


def test_a_sleeper_of_a_loop_that_has_ended_is_forgotten() -> None:
    clock = ManualClock()

    async def fall_asleep() -> None:
        asyncio.get_running_loop().create_task(clock.sleep(5))
        await clock.sleep(0)

    asyncio.run(fall_asleep())
    clock.advance(5)
    assert clock.monotonic() == 5


@pytest.mark.parametrize("value", [-0.1, 1.0, float("nan")])
def test_a_draw_outside_of_its_range_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="draw"):
        FixedRandom(value)


def test_names_count_up() -> None:
    ids = SequentialIds()
    assert [ids.new_id(), ids.new_id()] == ["a000000001", "a000000002"]
