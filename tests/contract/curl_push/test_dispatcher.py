"""The fast dispatcher keeps the dispatchers' contract."""

from collections.abc import Callable

import pytest

from adapters.curl_push.dispatcher import CurlDispatcher
from adapters.system.time import SystemClock
from domain.target_policy import TargetPolicy
from ports.http import HttpDispatcher
from ports.testing.http import HttpDispatcherContract


class TestCurlDispatcher(HttpDispatcherContract):
    @pytest.fixture
    def connect(self) -> Callable[[TargetPolicy, int], HttpDispatcher]:
        return lambda policy, most: CurlDispatcher(clock=SystemClock(), policy=policy, max_response=most)
