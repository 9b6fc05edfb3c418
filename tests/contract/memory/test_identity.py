"""The fake of worker identity keeps the port's contract."""

from collections.abc import Callable

import pytest

from adapters.memory.identity import Machine, MemoryIdentity
from adapters.memory.time import SequentialIds
from ports.identity import WorkerIdentity
from ports.testing.identity import WorkerIdentityContract


class TestMemoryIdentity(WorkerIdentityContract):
    @pytest.fixture
    def start(self) -> Callable[[], WorkerIdentity]:
        ids, machine = SequentialIds(), Machine()
        return lambda: MemoryIdentity(ids, machine)
