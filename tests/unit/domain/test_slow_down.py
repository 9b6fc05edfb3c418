"""A queue slows down when its target asks for it, and finds its pace again."""

from hypothesis import given
from hypothesis import strategies as st

from domain.slow_down import LONGEST_PAUSE, Pace


def refused(pace: Pace, now: float, *, asked: float = 0.0) -> Pace:
    return pace.pushed_back(sent_at=now, now=now, asked=asked)


def test_an_unhindered_queue_uses_its_whole_concurrency() -> None:
    pace = Pace(10)
    assert pace.wait(9, 0.0) == 0
    assert pace.wait(10, 0.0) is None
    assert pace.answered() is pace


def test_a_refusal_halves_the_concurrency() -> None:
    pace = refused(Pace(100), 1.0)
    assert pace.wait(49, 1.0) == 0
    assert pace.wait(50, 1.0) is None


def test_what_was_sent_before_the_queue_slowed_down_tells_nothing_new() -> None:
    pace = refused(Pace(100), 5.0)
    assert pace.pushed_back(sent_at=4.9, now=6.0) is pace


def test_a_target_that_refuses_single_requests_is_left_alone_for_pauses_that_double() -> None:
    pace, waits, now = Pace(1), [], 0.0
    for _ in range(8):
        pace = refused(pace, now)
        waits.append(pace.wait(0, now))
        now += waits[-1]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]


def test_the_wish_of_the_target_is_heeded_up_to_a_minute() -> None:
    assert refused(Pace(100), 0.0, asked=30).wait(0, 0.0) == 30
    assert refused(Pace(100), 0.0, asked=3600).wait(0, 0.0) == LONGEST_PAUSE


def test_a_round_of_answers_adds_one_until_the_limit() -> None:
    pace = refused(refused(Pace(8), 0.0), 1.0)
    assert int(pace.allowed) == 2
    for _ in range(60):
        pace = pace.answered()
    assert pace.allowed == 8


def test_after_an_answer_the_next_pause_is_short_again() -> None:
    pace = refused(refused(refused(Pace(1), 0.0), 1.0), 3.0)
    assert refused(pace.answered(), 7.0).wait(0, 7.0) == 1


@given(st.integers(1, 200), st.lists(st.tuples(st.booleans(), st.floats(0, 1000), st.floats(0, 1e6)), max_size=50))
def test_a_queue_never_stands_still_and_never_exceeds_its_limit(limit: int, story: list) -> None:
    pace, now = Pace(limit), 0.0
    for refuses, passed, asked in story:
        now += passed
        pace = refused(pace, now, asked=asked) if refuses else pace.answered()
        assert 1 <= pace.allowed <= limit
        wait = pace.wait(0, now)
        assert wait is not None
        assert 0 <= wait <= LONGEST_PAUSE + 1e-6
