"""Accounts and their tokens."""

import json

import pytest

from tests.unit.adapters.sheets_emulator.desk import Counter


@pytest.fixture
def counter() -> Counter:
    return Counter(authenticate=True)


def status(counter: Counter, token: str) -> int:
    served = counter.call("GET", "", token=token)
    assert served is not None
    return served.status


def test_a_token_holds_for_its_lifetime_and_no_longer(counter: Counter) -> None:
    assert counter.desk.access is not None
    counter.desk.access.lifetime = 100
    token = counter.token("maria")
    counter.clock.advance(99)
    assert status(counter, token) == 200
    counter.clock.advance(1)
    assert status(counter, token) == 401


@pytest.mark.parametrize("token", ["", "unknown"])
def test_without_a_token_that_is_known_there_is_no_answer(counter: Counter, token: str) -> None:
    assert status(counter, token) == 401


def test_all_tokens_can_be_made_to_expire_at_once(counter: Counter) -> None:
    token = counter.token("maria")
    assert counter.desk.access is not None
    counter.desk.access.expire_tokens()
    assert status(counter, token) == 401


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"grant_type=password", "unsupported_grant_type"),
        (b"grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=a.b.c", "invalid_grant"),
        (b"grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=nonsense", "invalid_grant"),
    ],
)
def test_a_token_is_not_for_the_asking(counter: Counter, body: bytes, error: str) -> None:
    served = counter.desk.handle("POST", "/token", {}, body)
    assert served is not None
    assert (served.status, json.loads(served.content)["error"]) == (400, error)


def test_an_emulator_that_asks_for_no_tokens_gives_none() -> None:
    served = Counter().desk.handle("POST", "/token", {}, b"")
    assert served is not None
    assert served.status == 400


def test_each_account_s_calls_are_metered_for_itself(counter: Counter) -> None:
    assert counter.desk.quota is not None
    counter.desk.quota.per_user = 1
    maria, joao = counter.token("maria"), counter.token("joao")
    assert [status(counter, token) for token in (maria, maria, joao)] == [200, 429, 200]
