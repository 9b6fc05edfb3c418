"""The in-memory store keeps the coordination contract."""

import pytest

from adapters.memory.board import Board
from adapters.memory.coordination import MemoryCoordinationStore
from adapters.memory.time import ManualClock, SequentialIds
from ports.testing.coordination import CoordinationStoreContract, StoreBackend


class TestMemoryCoordinationStore(CoordinationStoreContract):
    @pytest.fixture
    def backend(self) -> StoreBackend:
        clock, ids, board = ManualClock(), SequentialIds(), Board()
        return StoreBackend(lambda: MemoryCoordinationStore(clock=clock, ids=ids, board=board), clock)
