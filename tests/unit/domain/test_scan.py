"""Which entries are wanted."""

import pytest

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
