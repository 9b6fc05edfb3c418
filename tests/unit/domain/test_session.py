"""Who is dead is decided by what does not move, on the observer's own clock."""

from hypothesis import given
from hypothesis import strategies as st

from domain.session import Watch


def test_the_first_sighting_never_expires() -> None:
    assert not Watch().expired("s", 7, now=1e9, ttl=1)


def test_a_counter_expires_exactly_when_it_has_not_moved_for_the_ttl() -> None:
    watch = Watch()
    watch.expired("s", 1, now=100, ttl=60)
    assert not watch.expired("s", 1, now=159.999, ttl=60)
    assert watch.expired("s", 1, now=160, ttl=60)


def test_a_movement_starts_the_wait_afresh() -> None:
    watch = Watch()
    watch.expired("s", 1, now=0, ttl=60)
    assert not watch.expired("s", 2, now=90, ttl=60)
    assert not watch.expired("s", 2, now=149, ttl=60)
    assert watch.expired("s", 2, now=150, ttl=60)


@given(st.lists(st.floats(0, 0.999), min_size=1, max_size=30))
def test_what_moves_in_time_never_expires(gaps: list[float]) -> None:
    watch, now = Watch(), 0.0
    for beat, gap in enumerate(gaps):
        now += gap
        assert not watch.expired("s", beat, now=now, ttl=1)


def test_what_has_gone_is_forgotten() -> None:
    watch = Watch()
    for name in ("a", "b"):
        watch.expired(name, 1, now=0, ttl=1)
    watch.forget_all_but({"b"})
    assert set(watch.sightings) == {"b"}
