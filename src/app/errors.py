"""What a user's mistake is called here, and the errors that callers of the public API may meet."""

from domain.errors import DomainError, InvalidTransition, LeaseLost, MutiraoError
from ports.errors import ConfigurationError, PortError, StoreCorrupt, StoreUnavailable, UnknownAdapter

__all__ = [
    "ConfigurationError",
    "DomainError",
    "InvalidHandler",
    "InvalidSource",
    "InvalidTransition",
    "LeaseLost",
    "MutiraoError",
    "PortError",
    "StoreCorrupt",
    "StoreUnavailable",
    "UnknownAdapter",
]


class InvalidSource(MutiraoError, ValueError):
    """What was to be added as a source is no URL."""


class InvalidHandler(ConfigurationError):
    """The handler cannot be imported, or is nothing that takes a task."""
