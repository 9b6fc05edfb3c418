"""Who a worker is, from one run to the next."""

from abc import abstractmethod
from typing import Protocol

from domain.session import Worker


class WorkerIdentity(Protocol):
    """Hands out worker ids that survive a restart and are never of two live processes at a time."""

    @abstractmethod
    def acquire(self, name: str) -> Worker:
        """An id for a worker called `name`: that of an earlier run, if no live process has it, else a new one.

        Called again, it gives another one: each belongs to this process until `release`, or until the process ends,
        however it ends.
        """

    @abstractmethod
    def release(self) -> None:
        """Let later processes have what was acquired. Idempotent."""
