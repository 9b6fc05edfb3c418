"""The promises of `ports.coordination`, as tests. Bind them to a store of your own::

class TestMyStore(CoordinationStoreContract):
    @pytest.fixture
    def backend(self, tmp_path):
        clock = ManualClock()
        return StoreBackend(lambda: MyStore(tmp_path / "work.db", clock=clock, ids=SystemIds()), clock)
"""

import pytest

from ports.testing.coordination_history import HistoryPromises
from ports.testing.coordination_leases import LeaseStorePromises
from ports.testing.coordination_queue import WorkQueuePromises
from ports.testing.coordination_workers import WorkerRegistryPromises
from ports.testing.store_backend import StoreBackend

__all__ = ["CoordinationStoreContract", "StoreBackend"]


class CoordinationStoreContract(WorkerRegistryPromises, LeaseStorePromises, WorkQueuePromises, HistoryPromises):
    """Every promise of the four protocols. Override `backend`."""

    @pytest.fixture
    def backend(self) -> StoreBackend:
        raise NotImplementedError("override the `backend` fixture: return a StoreBackend over an empty store")
