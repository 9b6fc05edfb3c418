"""The SQL store keeps the coordination contract, on SQLite and on PostgreSQL."""

from pathlib import Path

import pytest

from adapters.memory.time import ManualClock
from adapters.sql.store import SqlCoordinationStore
from adapters.system.time import SystemIds
from ports.testing.coordination import CoordinationStoreContract, StoreBackend


class TestSqliteCoordinationStore(CoordinationStoreContract):
    @pytest.fixture
    def backend(self, tmp_path: Path) -> StoreBackend:
        clock, ids = ManualClock(), SystemIds()
        url = f"sqlite:///{tmp_path / 'work.db'}"
        return StoreBackend(lambda: SqlCoordinationStore(url, clock=clock, ids=ids), clock)


class TestPostgresCoordinationStore(CoordinationStoreContract):
    @pytest.fixture
    def backend(self, postgres_url: str) -> StoreBackend:
        clock, ids = ManualClock(), SystemIds()
        return StoreBackend(lambda: SqlCoordinationStore(postgres_url, clock=clock, ids=ids), clock)
