"""Faults, laid in the way of calls to come."""

from collections import deque
from collections.abc import Callable
from enum import StrEnum

from attrs import define, field, frozen

from adapters.sheets_emulator.errors import ApiError


class Fault(StrEnum):
    """What happens to a call. The *after* ones take effect first, and then lose the answer."""

    QUOTA = "429"
    UNAVAILABLE = "503"
    UNAVAILABLE_AFTER = "503 after"
    DROPPED = "dropped"
    DROPPED_AFTER = "dropped after"

    @property
    def applies(self) -> bool:
        return self in (Fault.UNAVAILABLE_AFTER, Fault.DROPPED_AFTER)

    @property
    def drops(self) -> bool:
        return self in (Fault.DROPPED, Fault.DROPPED_AFTER)

    def error(self) -> ApiError:
        if self is Fault.QUOTA:
            return ApiError(429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Write requests'.")
        return ApiError(503, "UNAVAILABLE", "The service is currently unavailable.")


@frozen
class Laid:
    """A fault for the next call whose method and path `strikes` accepts."""

    fault: Fault
    strikes: Callable[[str, str], bool]


def any_call(_method: str, _path: str) -> bool:
    return True


@define
class Faults:
    """Faults in the order in which they were laid; each strikes once."""

    laid: deque[Laid] = field(factory=deque)

    def lay(self, fault: Fault, *, times: int = 1, strikes: Callable[[str, str], bool] = any_call) -> None:
        self.laid.extend([Laid(fault, strikes)] * times)

    def strike(self, method: str, path: str) -> Fault | None:
        """The fault for this call, which is then spent."""
        for one in self.laid:
            if one.strikes(method, path):
                self.laid.remove(one)
                return one.fault
        return None
