"""Items, and how many there are."""

from domain.lifecycle import State
from domain.work import Counts, Source, Task, rescanned


def test_what_is_left_is_what_somebody_still_has_to_finish() -> None:
    counts = Counts({State.PENDING: 3, State.CLAIMED: 2, State.COMPLETED: 7, State.FAILED: 1, State.DISCARDED: 1})
    assert (counts.left, counts.total) == (5, 14)


def test_a_state_that_nobody_is_in_counts_zero() -> None:
    assert Counts()[State.FAILED] == Counts().left == Counts().total == 0


def test_a_source_that_is_scanned_again_remembers_how_and_nothing_else_changes() -> None:
    source = Source("key", "url", name="Canal", entries=9, scans=2)
    assert rescanned(source, full=True) == Source("key", "url", name="Canal", entries=9, scans=2, full=True)
    assert rescanned(rescanned(source, full=True), full=False) == source


def test_a_task_that_runs_again_is_the_same_task() -> None:
    task = Task("key", "url")
    assert rescanned(task, full=True) is task
