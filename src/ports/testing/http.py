"""The promises of `ports.http`, as tests. Bind them to a dispatcher of your own::

class TestMyDispatcher(HttpDispatcherContract):
    @pytest.fixture
    def connect(self):
        return lambda policy, most: MyDispatcher(policy=policy, max_response=most)

A dispatcher that goes to no network keeps `HttpResultPromises` alone: override its `backend`.
"""

from collections.abc import Callable, Iterator

import pytest

from domain.target_policy import TargetPolicy
from ports.http import HttpDispatcher
from ports.testing.http_guard import HttpGuardPromises
from ports.testing.http_result import DispatcherBackend, HttpResultPromises
from ports.testing.http_target import HttpTarget
from ports.testing.http_wire import HttpWirePromises

__all__ = ["DispatcherBackend", "HttpDispatcherContract", "HttpResultPromises", "HttpTarget"]


class HttpDispatcherContract(HttpResultPromises, HttpWirePromises, HttpGuardPromises):
    """Every promise of `HttpDispatcher`, against a server on loopback. Override `connect`."""

    @pytest.fixture
    def connect(self) -> Callable[[TargetPolicy, int], HttpDispatcher]:
        """What makes a dispatcher with this policy, that reads so many bytes of a response's body at most."""
        raise NotImplementedError("override the `connect` fixture: return what makes an HttpDispatcher")

    @pytest.fixture
    def target(self) -> Iterator[HttpTarget]:
        with HttpTarget() as target:
            yield target

    @pytest.fixture
    def backend(self, connect: Callable[[TargetPolicy, int], HttpDispatcher], target: HttpTarget) -> DispatcherBackend:
        return DispatcherBackend(
            lambda: connect(TargetPolicy(anything=True), 1_000_000),
            status=lambda code: target.url(f"/status/{code}"),
            retry_later=lambda text: target.url(f"/status/503?retry-after={text}"),
            slow=target.url("/wait"),
        )
