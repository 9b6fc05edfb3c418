"""What dispatchers promise of their guard: no connection is made where the policy forbids it."""

from collections.abc import Callable

import pytest

from domain.http_request import HttpRequest
from domain.outcome import FailureKind
from domain.target_policy import TargetPolicy
from ports.http import HttpDispatcher
from ports.testing.http_result import LONG, dispatch
from ports.testing.http_target import HttpTarget
from ports.testing.scenario import scenario

LOOPBACK = ["127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "localhost"]
BEYOND_DOUBT = [*LOOPBACK, "0.0.0.0", "[::ffff:127.0.0.1]", "[::1]", "[::]"]  # noqa: S104 - names for it, not a bind


class HttpGuardPromises:
    @pytest.mark.parametrize("host", BEYOND_DOUBT)
    @scenario
    async def test_with_the_public_policy_no_spelling_reaches_loopback(
        self, connect: Callable[[TargetPolicy, int], HttpDispatcher], target: HttpTarget, host: str
    ) -> None:
        dispatcher = connect(TargetPolicy.parse("public"), 1000)
        result = await dispatch(dispatcher, HttpRequest(target.url("/status/200", host=host)))
        assert (result.status, result.failure) == (None, FailureKind.BLOCKED)
        assert result.detail
        assert target.accepted == 0

    @pytest.mark.parametrize("host", LOOPBACK)
    @scenario
    async def test_with_any_policy_loopback_is_reached_however_it_is_spelt(
        self, connect: Callable[[TargetPolicy, int], HttpDispatcher], target: HttpTarget, host: str
    ) -> None:
        dispatcher = connect(TargetPolicy.parse("any"), 1000)
        result = await dispatch(dispatcher, HttpRequest(target.url("/status/200", host=host)))
        assert result.status == 200

    @pytest.mark.parametrize("policy", ["127.0.0.0/8", "localhost,10.0.0.0/8", "public,127.0.0.1"])
    @scenario
    async def test_what_a_list_names_is_reached(
        self, connect: Callable[[TargetPolicy, int], HttpDispatcher], target: HttpTarget, policy: str
    ) -> None:
        dispatcher = connect(TargetPolicy.parse(policy), 1000)
        result = await dispatch(dispatcher, HttpRequest(target.url("/status/200", host="localhost")))
        assert result.status == 200

    @scenario
    async def test_an_allowed_name_does_not_open_the_way_for_another(
        self, connect: Callable[[TargetPolicy, int], HttpDispatcher], target: HttpTarget
    ) -> None:
        dispatcher = connect(TargetPolicy.parse("localhost"), 1000)
        allowed = HttpRequest(target.url("/status/200", host="localhost"))
        assert (await dispatcher.dispatch(allowed, LONG)).status == 200
        for host in ("127.0.0.1", "127.1"):
            forbidden = HttpRequest(target.url("/status/200", host=host))
            assert (await dispatcher.dispatch(forbidden, LONG)).failure is FailureKind.BLOCKED
        await dispatcher.close()
        assert len(target.received) == 1

    @scenario
    async def test_a_host_header_does_not_change_what_is_judged(
        self, connect: Callable[[TargetPolicy, int], HttpDispatcher], target: HttpTarget
    ) -> None:
        dispatcher = connect(TargetPolicy.parse("public,allowed.example"), 1000)
        request = HttpRequest(target.url("/status/200"), headers={"Host": "allowed.example"})
        assert (await dispatch(dispatcher, request)).failure is FailureKind.BLOCKED
        assert target.accepted == 0

    @scenario
    async def test_a_redirect_leads_nowhere(
        self, connect: Callable[[TargetPolicy, int], HttpDispatcher], target: HttpTarget
    ) -> None:
        dispatcher = connect(TargetPolicy.parse("localhost"), 1000)
        result = await dispatch(dispatcher, HttpRequest(target.url("/redirect", host="localhost")))
        assert result.status == 302
        assert len(target.received) == 1
