"""What stands before the service: counting, metering, faults, people."""

import json
from typing import Any

import pytest

from adapters.sheets_emulator.desk import Served
from adapters.sheets_emulator.faults import Fault
from tests.unit.adapters.sheets_emulator.desk import Counter


@pytest.fixture
def counter() -> Counter:
    return Counter()


def test_calls_and_bytes_are_counted_by_kind(counter: Counter) -> None:
    written, read = counter.write("x"), counter.call("GET", "")
    assert written is not None
    assert read is not None
    desk = counter.desk
    assert desk.calls == {"write": 1, "read": 1}
    assert desk.downloaded == {"write": len(written.content), "read": len(read.content)}
    assert desk.uploaded == {"write": len(json.dumps({"values": [["x"]]})), "read": 0}


def test_answers_are_dated_by_the_clock(counter: Counter) -> None:
    served = counter.call("GET", "")
    assert served is not None
    assert served.headers["Date"] == "Thu, 01 Jan 2026 12:00:00 GMT"


def test_reads_and_writes_are_metered_apart_and_a_minute_later_anew(counter: Counter) -> None:
    statuses = [served.status for _ in range(61) if (served := counter.write("x")) is not None]
    assert statuses == [200] * 60 + [429]
    assert "values" in counter.read()
    counter.clock.advance(60)
    assert "updatedCells" in counter.content(counter.write("y"))


@pytest.mark.parametrize(
    ("kind", "limit"), [("read", "ReadRequestsPerMinutePerUser"), ("write", "WriteRequestsPerMinutePerUser")]
)
def test_an_exceeded_quota_names_its_meter(counter: Counter, kind: str, limit: str) -> None:
    assert counter.desk.quota is not None
    counter.desk.quota.per_user = 0
    error = (counter.read() if kind == "read" else counter.content(counter.write("x")))["error"]
    assert error["status"] == "RESOURCE_EXHAUSTED"
    assert error["message"].startswith(f"Quota exceeded for quota metric '{kind.capitalize()} requests' and limit")
    metadata = error["details"][0]["metadata"]
    assert (metadata["quota_limit"], metadata["quota_limit_value"]) == (limit, "0")


def test_the_project_has_a_quota_of_its_own(counter: Counter) -> None:
    assert counter.desk.quota is not None
    counter.desk.quota.per_user, counter.desk.quota.per_project = 1000, 2
    assert [served.status for _ in range(3) if (served := counter.write("x")) is not None] == [200, 200, 429]


@pytest.mark.parametrize(
    ("fault", "status", "applied"),
    [
        (Fault.QUOTA, 429, False),
        (Fault.INTERNAL, 500, False),
        (Fault.UNAVAILABLE, 503, False),
        (Fault.UNAVAILABLE_AFTER, 503, True),
        (Fault.DROPPED, None, False),
        (Fault.DROPPED_AFTER, None, True),
        (Fault.SLOW, 200, True),
    ],
)
def test_a_fault_strikes_once_before_or_after_the_effect(
    counter: Counter, fault: Fault, status: int | None, applied: bool
) -> None:
    counter.desk.faults.lay(fault, delay=2.5)
    served = counter.write("x")
    assert (None if served is None else served.status) == status
    assert (counter.read().get("values") == [["x"]]) is applied
    assert fault is not Fault.SLOW or (served is not None and served.delay == 2.5)


def test_a_fault_waits_for_the_calls_that_it_is_for(counter: Counter) -> None:
    counter.desk.faults.lay(Fault.UNAVAILABLE, strikes=lambda method, path: path.endswith(":batchUpdate"), times=2)
    assert counter.read()["range"] == "Sheet1!A1:C9"
    assert [
        counter.content(counter.call("POST", ":batchUpdate", {})).get("error", {}).get("code") for _ in range(3)
    ] == [
        503,
        503,
        400,
    ]


def test_an_error_may_say_when_to_come_back(counter: Counter) -> None:
    counter.desk.faults.lay(Fault.UNAVAILABLE, retry_after=30)
    served = counter.write("x")
    assert served is not None
    assert served.headers["Retry-After"] == "30"


def test_a_person_edits_between_two_calls(counter: Counter) -> None:
    seen: list[tuple[str, int | None]] = []

    def before(method: str, _path: str) -> None:
        if method == "PUT":
            counter.person.insert_rows("Sheet1", 1)
            counter.person.type("Sheet1", "B1", "mine")

    def after(method: str, _path: str, served: Served | None) -> None:
        seen.append((method, None if served is None else served.status))

    counter.desk.before_call, counter.desk.after_call = before, after
    counter.write("x")
    assert counter.read()["values"] == [["x", "mine"]]
    assert seen == [("PUT", 200), ("GET", 200)]


@pytest.fixture
def two() -> tuple[Counter, str, str]:
    """A desk that asks for tokens, and those of two workers."""
    counter = Counter(authenticate=True)
    return counter, counter.token("maria"), counter.token("joao")


def test_two_claims_of_one_word_both_win_on_a_stale_snapshot(two: tuple[Counter, str, str]) -> None:
    counter, maria, joao = two
    counter.person.type("Sheet1", "A1", "PENDING k.0")
    counter.desk.faults.lay(Fault.STALE)
    won: dict[str, Any] = {"valuesChanged": 1, "rowsChanged": 1, "sheetsChanged": 1, "occurrencesChanged": 1}
    assert counter.claim("k.0", "maria", token=maria) == won
    assert counter.claim("k.0", "joao", token=joao) == won
    assert counter.read(token=maria)["values"] == [["CLAIMED k.0 joao"]]
    assert not counter.desk.faults.laid


def test_staleness_waits_for_a_pair_of_two_users_with_nothing_between(two: tuple[Counter, str, str]) -> None:
    counter, maria, joao = two
    counter.person.type("Sheet1", "A1", "PENDING k.0")
    counter.desk.faults.lay(Fault.STALE)
    counter.claim("k.0", "maria", token=maria)
    assert counter.claim("k.0", "maria", token=maria) == {}
    counter.read(token=joao)
    assert counter.claim("k.0", "joao", token=joao) == {}
    assert counter.desk.faults.laid


def test_a_person_s_edit_ends_the_race(two: tuple[Counter, str, str]) -> None:
    counter, maria, joao = two
    counter.person.type("Sheet1", "A1", "PENDING k.0")
    counter.claim("k.0", "maria", token=maria)
    counter.person.type("Sheet1", "A1", "CLAIMED k.0 maria")
    counter.desk.faults.lay(Fault.STALE)
    assert counter.claim("k.0", "joao", token=joao) == {}
