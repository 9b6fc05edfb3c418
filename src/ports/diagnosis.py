"""What an adapter may offer besides its port: to say what is wrong with its backend, and what to do about it.

Both protocols are optional. `mutirao doctor` asks whoever has them, and opens the others to see whether that works.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from domain.finding import Finding


@runtime_checkable
class Diagnosable(Protocol):
    """An adapter that can look after itself."""

    @abstractmethod
    async def diagnose(self) -> Sequence[Finding]:
        """What there is to say, without a change to the backend; the adapter need not be open.

        Whatever is wrong with the backend or the settings is a finding, not an error.
        """


@runtime_checkable
class Assuming(Protocol):
    """An adapter that relies on what its backend does, and that nobody has promised."""

    @abstractmethod
    async def try_assumptions(self) -> Sequence[Finding]:
        """Try out on the backend what is relied on, in a place made for it, which is removed whatever happens.

        An assumption that does not hold is a problem if the adapter would lose work by it, else a warning.

        Raises:
            PortError, ConfigurationError: the backend cannot be asked.
        """
