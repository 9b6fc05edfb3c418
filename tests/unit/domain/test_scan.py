"""Which entries are wanted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.scan import Entry, Liveness, ScanOptions, SkipReason, reason_to_skip

VIDEO = Entry(key="youtube a", url="https://x", title="Aula 1: Violão", duration=600)


@pytest.mark.parametrize(
    ("entry", "options", "reason"),
    [
        (VIDEO, ScanOptions(), None),
        (VIDEO, ScanOptions(title="violão"), None),
        (VIDEO, ScanOptions(title="^aula [23]"), SkipReason.TITLE),
        (VIDEO, ScanOptions(min_duration=600, max_duration=600), None),
        (VIDEO, ScanOptions(min_duration=600.1), SkipReason.DURATION),
        (VIDEO, ScanOptions(max_duration=599.9), SkipReason.DURATION),
        (Entry("k", "u", duration=None), ScanOptions(min_duration=600), None),
        (Entry("k", "u", short=True), ScanOptions(), None),
        (Entry("k", "u", short=True), ScanOptions(shorts=False), SkipReason.SHORT),
        (Entry("k", "u", liveness=Liveness.LIVE), ScanOptions(), None),
        (Entry("k", "u", liveness=Liveness.LIVE), ScanOptions(live=False), SkipReason.LIVE),
        (Entry("k", "u", liveness=Liveness.WAS_LIVE), ScanOptions(live=False), SkipReason.LIVE),
        (Entry("k", "u", liveness=Liveness.UPCOMING), ScanOptions(), SkipReason.NOT_YET),
    ],
)
def test_an_entry_is_wanted_or_there_is_a_reason(entry: Entry, options: ScanOptions, reason: SkipReason | None) -> None:
    assert reason_to_skip(entry, options) is reason


def test_a_pattern_that_is_none_is_refused_when_it_is_written() -> None:
    with pytest.raises(ValueError, match="regular expression"):
        ScanOptions(title="(")


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_that_takes_nothing_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        ScanOptions(limit=limit)


def test_durations_that_no_video_has_are_refused() -> None:
    assert ScanOptions(min_duration=60, max_duration=60)
    with pytest.raises(ValueError, match="longer and 60 s or shorter"):
        ScanOptions(min_duration=60.5, max_duration=60)


def test_an_empty_pattern_is_none() -> None:
    assert ScanOptions(title="") == ScanOptions()


ENTRIES = st.builds(
    Entry,
    key=st.just("k"),
    url=st.just("u"),
    title=st.text(max_size=5),
    duration=st.none() | st.floats(0, 1e5),
    short=st.booleans(),
    liveness=st.sampled_from(Liveness),
)


@given(ENTRIES)
def test_without_filters_only_what_is_not_there_yet_is_skipped(entry: Entry) -> None:
    expected = SkipReason.NOT_YET if entry.liveness is Liveness.UPCOMING else None
    assert reason_to_skip(entry, ScanOptions()) is expected


@given(ENTRIES, st.floats(0, 1e5), st.floats(0, 1e5))
def test_a_wanted_entry_satisfies_every_filter(entry: Entry, one: float, other: float) -> None:
    low, high = sorted((one, other))
    options = ScanOptions(title="a", min_duration=low, max_duration=high, shorts=False, live=False)
    if reason_to_skip(entry, options) is None:
        assert "a" in entry.title.lower()
        assert not entry.short
        assert entry.liveness is Liveness.NONE
        assert entry.duration is None or low <= entry.duration <= high
