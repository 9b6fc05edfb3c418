"""An HTTP dispatcher that sends nothing: it answers as it is told, and remembers what it was given."""

from collections.abc import Callable

from attrs import define, field

from domain.http_request import HttpRequest, problems
from domain.outcome import DispatchResult, FailureKind
from ports.http import HttpDispatcher

Answer = Callable[[HttpRequest], DispatchResult]


def deliver(_request: HttpRequest) -> DispatchResult:
    """Everything is delivered at once."""
    return DispatchResult(elapsed=0.0, status=200)


@define
class MemoryHttpDispatcher(HttpDispatcher):
    """Gives `answer(request)` for each request that can be sent, and keeps the request in `sent`.

    An answer that took longer than the deadline is a timeout, as it would be on the wire.
    """

    answer: Answer = deliver
    sent: list[HttpRequest] = field(factory=list)

    async def dispatch(self, request: HttpRequest, deadline: float) -> DispatchResult:
        if wrong := problems(request):
            return DispatchResult(elapsed=0.0, failure=FailureKind.INVALID, detail="; ".join(wrong))
        self.sent.append(request)
        result = self.answer(request)
        if result.elapsed > deadline:
            return DispatchResult(elapsed=deadline, failure=FailureKind.TIMEOUT, detail=f"no answer in {deadline:g} s")
        return result

    async def close(self) -> None:
        pass
