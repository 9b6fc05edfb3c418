"""mutirao: workers on any machines share a list of jobs.

The public API is what `__all__` names. Adapter authors also import `ports`, `ports.testing` and `domain`.
"""

from app.composition import App, create_app
from app.config import Config
from app.errors import (
    ConfigurationError,
    InvalidHandler,
    InvalidSource,
    InvalidTransition,
    LeaseLost,
    MutiraoError,
    PortError,
    UnknownAdapter,
)
from app.orchestrator import Orchestrator
from app.settings import Settings

__all__ = [
    "App",
    "Config",
    "ConfigurationError",
    "InvalidHandler",
    "InvalidSource",
    "InvalidTransition",
    "LeaseLost",
    "MutiraoError",
    "Orchestrator",
    "PortError",
    "Settings",
    "UnknownAdapter",
    "create_app",
]
