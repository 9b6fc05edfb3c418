"""The emulator's own routes."""

import json
from typing import Any

import pytest

from adapters.sheets_emulator.admin import Admin
from adapters.sheets_emulator.faults import Fault
from tests.unit.adapters.sheets_emulator.desk import Counter


@pytest.fixture
def counter() -> Counter:
    return Counter(authenticate=True)


def ask(counter: Counter, method: str, rest: str, body: object = None) -> tuple[int, Any]:
    content = b"" if body is None else json.dumps(body).encode()
    served = Admin(counter.desk).handle(method, f"/_emulator/{rest}", {}, content)
    return served.status, json.loads(served.content or b"null")


def test_counts_are_told_and_begun_anew(counter: Counter) -> None:
    counter.call("GET", "")
    status, stats = ask(counter, "GET", "stats")
    assert (status, stats["calls"]) == (200, {"read": 1})
    ask(counter, "DELETE", "stats")
    assert ask(counter, "GET", "stats") == (200, {"calls": {}, "uploaded": {}, "downloaded": {}})


def test_a_fault_is_laid_from_outside(counter: Counter) -> None:
    wanted = {"fault": "503 after", "times": 2, "path": ":batchUpdate$", "retryAfter": 30}
    assert ask(counter, "POST", "faults", wanted)[0] == 200
    assert ask(counter, "GET", "faults") == (200, {"waiting": ["503 after", "503 after"]})
    laid = counter.desk.faults.strike("POST", "/v4/spreadsheets/x:batchUpdate")
    assert laid is not None
    assert (laid.fault, laid.retry_after) == (Fault.UNAVAILABLE_AFTER, 30)
    assert counter.desk.faults.strike("GET", "/v4/spreadsheets/x") is None
    ask(counter, "DELETE", "faults")
    assert not counter.desk.faults.laid


@pytest.mark.parametrize(
    "wanted", [{}, {"fault": "flood"}, {"fault": "503", "path": "("}, {"fault": "503", "times": "x"}]
)
def test_a_fault_that_is_none_is_answered_with_those_there_are(counter: Counter, wanted: object) -> None:
    status, answer = ask(counter, "POST", "faults", wanted)
    assert status == 400
    assert "dropped after" in answer["error"]["message"]


def test_the_owner_uses_the_api_without_token_quota_or_faults(counter: Counter) -> None:
    counter.desk.faults.lay(Fault.UNAVAILABLE)
    status, answer = ask(counter, "GET", f"owner/v4/spreadsheets/{counter.id}?fields=properties.title")
    assert (status, answer) == (200, {"properties": {"title": "Book"}})
    assert not counter.desk.calls


def test_spreadsheets_are_listed(counter: Counter) -> None:
    counter.person.type("Sheet1", "A1", "x")
    assert ask(counter, "GET", "spreadsheets") == (
        200,
        {"spreadsheets": [{"id": counter.id, "title": "Book", "revision": 1}]},
    )


@pytest.mark.parametrize(("method", "rest"), [("GET", "nothing"), ("POST", "stats")])
def test_what_there_is_not_is_not_found(counter: Counter, method: str, rest: str) -> None:
    assert ask(counter, method, rest)[0] == 404
