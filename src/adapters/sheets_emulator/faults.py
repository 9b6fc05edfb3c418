"""Faults, laid in the way of calls to come."""

from collections import deque
from collections.abc import Callable
from enum import StrEnum

from attrs import define, field, frozen

from adapters.sheets_emulator.quota import exceeded
from adapters.sheets_emulator.wire.errors import ApiError


class Fault(StrEnum):
    """What happens to a call. The *after* ones take effect first, and then lose the answer."""

    QUOTA = "429"
    INTERNAL = "500"
    UNAVAILABLE = "503"
    UNAVAILABLE_AFTER = "503 after"
    DROPPED = "dropped"
    DROPPED_AFTER = "dropped after"
    SLOW = "slow"
    """The answer comes late: after `delay` seconds, or never for whoever waits less."""
    STALE = "stale"
    """The searches of a batchUpdate see the spreadsheet as it was before the last one, of another user's, so that two
    claims of one word both report a win. Waits for such a pair, with no other call between them."""

    @property
    def applies(self) -> bool:
        """Whether the call takes effect."""
        return self in (Fault.UNAVAILABLE_AFTER, Fault.DROPPED_AFTER, Fault.SLOW, Fault.STALE)

    @property
    def answers(self) -> bool:
        """Whether the caller learns what came of it."""
        return self in (Fault.SLOW, Fault.STALE)

    @property
    def drops(self) -> bool:
        """Whether the connection ends without an answer."""
        return self in (Fault.DROPPED, Fault.DROPPED_AFTER)


@frozen
class Laid:
    """A fault for the next call whose method and path `strikes` accepts."""

    fault: Fault
    strikes: Callable[[str, str], bool]
    delay: float = 0.0
    retry_after: int | None = None

    def error(self, kind: str) -> ApiError:
        """What the caller is told, of a call that counts on the meter `kind`."""
        match self.fault:
            case Fault.QUOTA:
                error = exceeded(kind, per_user=True, limit=60)
            case Fault.INTERNAL:
                error = ApiError(500, "INTERNAL", "Internal error encountered.")
            case _:
                error = ApiError(503, "UNAVAILABLE", "The service is currently unavailable.")
        error.retry_after = self.retry_after
        return error


def any_call(_method: str, _path: str) -> bool:
    """Accepts every call of the API."""
    return True


@define
class Faults:
    """Faults in the order in which they were laid; each strikes once."""

    laid: deque[Laid] = field(factory=deque)

    def lay(
        self,
        fault: Fault,
        *,
        times: int = 1,
        strikes: Callable[[str, str], bool] = any_call,
        delay: float = 0.0,
        retry_after: int | None = None,
    ) -> None:
        """Have `fault` strike the next calls that `strikes` accepts by method and path.

        `delay` (seconds) holds the answer back, `retry_after` (seconds) goes into the header of an error.
        """
        self.laid.extend([Laid(fault, strikes, delay, retry_after)] * times)

    def strike(self, method: str, path: str, *, racing: bool = False) -> Laid | None:
        """The fault for this call, which is then spent. `racing`: the call may be answered stale."""
        for one in self.laid:
            if one.strikes(method, path) and (racing or one.fault is not Fault.STALE):
                self.laid.remove(one)
                return one
        return None
