"""Tokens through the genuine google-auth, from Google's token endpoint and metadata server on loopback."""

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from google.auth.compute_engine import _metadata
from google.auth.transport.requests import Request
from google.oauth2 import id_token

from adapters.google_tokens.account import TokenAccount
from adapters.google_tokens.source import GoogleTokenSource
from adapters.http_push.dispatcher import HttpxDispatcher
from adapters.memory.time import ManualClock
from adapters.system.time import SystemClock
from app.use_cases.authorize import AuthorizedDispatcher
from domain.errors import TaskRefused
from domain.http_request import HttpRequest
from domain.outcome import FailureKind
from domain.push_token import OAuthToken, OidcToken, PushToken
from domain.target_policy import TargetPolicy
from ports.errors import TokenUnavailable
from ports.testing.http import HttpTarget
from ports.testing.scenario import scenario
from tests.contract.doubles.google_tokens import EMAIL, LIFETIME, GoogleTokens

URL = "https://service.example/tasks?x=1"
API = "https://pubsub.googleapis.com/v1/projects"
SCOPE = "https://www.googleapis.com/auth/pubsub"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime.now(UTC).replace(microsecond=0))


@pytest.fixture
def google(clock: ManualClock) -> Iterator[GoogleTokens]:
    with GoogleTokens(clock.now()) as google:
        yield google


@pytest.fixture
def machine(google: GoogleTokens, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """This machine is one of Google's."""
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.setenv("GCE_METADATA_IP", google.host)
    monkeypatch.setattr(_metadata, "_GCE_METADATA_HOST", google.host)


def source(google: GoogleTokens, clock: ManualClock, kind: PushToken | None = None) -> GoogleTokenSource:
    return GoogleTokenSource(kind or OidcToken(), TokenAccount(content=json.dumps(google.key())), clock=clock)


@scenario
async def test_the_target_can_verify_who_calls(google: GoogleTokens, clock: ManualClock, tmp_path: Path) -> None:
    tokens = GoogleTokenSource(OidcToken(), TokenAccount(file=str(google.key_file(tmp_path))), clock=clock)
    sender = HttpxDispatcher(clock=SystemClock(), policy=TargetPolicy(anything=True))
    dispatcher = AuthorizedDispatcher(sender, tokens, clock=SystemClock())
    with HttpTarget() as target:
        request = HttpRequest(target.url("/status/200"), headers={"authorization": "Basic old", "X": "y"})
        assert (await dispatcher.dispatch(request, 30)).status == 200
        audience = target.url("")
    await dispatcher.close()
    (received,) = target.received
    (said,) = received.header("Authorization")
    claims = id_token.verify_token(
        said.removeprefix("Bearer "), Request(), audience=audience, certs_url=google.certificates_url
    )
    assert (claims["aud"], claims["email"], received.header("X")) == (audience, EMAIL, ["y"])


@scenario
async def test_a_machine_of_google_needs_no_key(google: GoogleTokens, clock: ManualClock, machine: None) -> None:
    tokens = GoogleTokenSource(OidcToken("mine"), TokenAccount(), clock=clock)
    token = await tokens.token(URL)
    claims = id_token.verify_token(token, Request(), audience="mine", certs_url=google.certificates_url)
    await tokens.close()
    assert claims["email"] == EMAIL


@scenario
async def test_an_api_of_google_gets_an_access_token(google: GoogleTokens, clock: ManualClock) -> None:
    tokens = source(google, clock, OAuthToken(SCOPE))
    assert await tokens.token(API) == "access-1"
    await tokens.close()
    assert google.issued == [SCOPE]


@scenario
async def test_a_machine_of_google_has_access_tokens_too(
    google: GoogleTokens, clock: ManualClock, machine: None
) -> None:
    tokens = GoogleTokenSource(OAuthToken(SCOPE), TokenAccount(), clock=clock)
    assert await tokens.token(API) == "access-1"
    await tokens.close()
    assert google.issued == [SCOPE]


@scenario
async def test_an_access_token_goes_to_nobody_but_google(google: GoogleTokens, clock: ManualClock) -> None:
    tokens = source(google, clock, OAuthToken())
    for url in (URL, API.replace("https", "http"), "https://googleapis.com.example/", "https://evilgoogleapis.com/"):
        with pytest.raises(TaskRefused, match="OIDC"):
            await tokens.token(url)
    await tokens.close()
    assert google.issued == []


@scenario
async def test_a_token_is_kept_until_shortly_before_its_end(google: GoogleTokens, clock: ManualClock) -> None:
    tokens = source(google, clock)
    first = await tokens.token(URL)
    clock.advance(LIFETIME - 226)
    assert await tokens.token(URL) == first
    clock.advance(1)
    google.now = clock.now()
    second = await tokens.token(URL)
    clock.advance(LIFETIME - 226)
    assert await tokens.token(URL) == second
    await tokens.close()
    assert second != first
    assert google.issued == ["https://service.example"] * 2


@scenario
async def test_each_audience_has_its_own(google: GoogleTokens, clock: ManualClock) -> None:
    tokens = source(google, clock)
    for url in ("https://a.example/1", "https://a.example/2", "https://b.example/", "https://A.example/3"):
        await tokens.token(url)
    await tokens.close()
    assert google.issued == ["https://a.example", "https://b.example"]


@scenario
async def test_many_who_ask_at_once_wait_for_one(google: GoogleTokens, clock: ManualClock) -> None:
    tokens = source(google, clock)
    assert len(set(await asyncio.gather(*(tokens.token(URL) for _ in range(50))))) == 1
    await tokens.close()
    assert len(google.issued) == 1


@scenario
async def test_whoever_stops_waiting_leaves_the_token_to_the_next(google: GoogleTokens, clock: ManualClock) -> None:
    google.held.clear()
    tokens = source(google, clock)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await tokens.token(URL)
    asking = asyncio.create_task(tokens.token(URL))
    google.held.set()
    await asking
    await tokens.close()
    assert len(google.issued) == 1


@scenario
async def test_a_token_that_cannot_be_renewed_is_used_to_its_end(google: GoogleTokens, clock: ManualClock) -> None:
    tokens = source(google, clock)
    first = await tokens.token(URL)
    google.broken = True
    clock.advance(LIFETIME - 1)
    assert await tokens.token(URL) == first
    clock.advance(1)
    with pytest.raises(TokenUnavailable, match=r"https://service.example .*SERVICE_ACCOUNT_JSON.*invalid_grant"):
        await tokens.token(URL)
    google.broken, google.now = False, clock.now() + timedelta(seconds=1)
    assert await tokens.token(URL) != first
    await tokens.close()


@pytest.mark.parametrize("content", ["{}", "[]", "{", '{"type": "service_account"}'])
@scenario
async def test_what_is_no_key_is_a_token_that_is_not_there(clock: ManualClock, content: str) -> None:
    tokens = GoogleTokenSource(OidcToken(), TokenAccount(content=content), clock=clock)
    with pytest.raises(TokenUnavailable, match="SERVICE_ACCOUNT_JSON"):
        await tokens.token(URL)
    await tokens.close()


@scenario
async def test_without_a_token_nothing_is_sent(google: GoogleTokens, clock: ManualClock) -> None:
    google.held.clear()
    sender = HttpxDispatcher(clock=SystemClock(), policy=TargetPolicy(anything=True))
    dispatcher = AuthorizedDispatcher(sender, source(google, clock), clock=SystemClock())
    with HttpTarget() as target:
        late = await dispatcher.dispatch(HttpRequest(target.url("/status/200")), 0.05)
        google.broken = True
        google.held.set()
        refused = await dispatcher.dispatch(HttpRequest(target.url("/status/200")), 30)
        wrong = await dispatcher.dispatch(HttpRequest("http://["), 30)
    await dispatcher.close()
    assert (late.failure, refused.failure, wrong.failure) == (
        FailureKind.NO_TOKEN,
        FailureKind.NO_TOKEN,
        FailureKind.INVALID,
    )
    assert "invalid_grant" in refused.detail
    assert target.received == []
