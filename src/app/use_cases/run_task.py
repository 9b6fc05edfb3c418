"""Run the handler for a claimed task, and say what became of it."""

from collections.abc import Awaitable, Callable

from attrs import frozen

from domain.lifecycle import Completed, Failed, Released, Retried, Settled
from domain.retry import DeadLetter, RetryAt, RetryPolicy
from domain.work import Claim, Settlement, Task
from ports.time import Clock, RandomSource

Handler = Callable[[Task], Awaitable[object]]
"""Does a task's work; what it returns is ignored, what it raises is the task's error."""


LONGEST_TEXT = 100_000
"""Characters. What is longer (a program's whole output) would make every look at the DLQ slow."""


class HandlerFailed(Exception):
    """What a handler raised, as the text for the DLQ: exactly `str(e)`, unless that is empty or over `LONGEST_TEXT`."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(_text_of(error))


class HandlerStopped(Exception):
    """A handler cannot go on, and no task is to blame: what it was given goes back, untried."""


def _text_of(error: BaseException) -> str:
    name = type(error).__name__
    try:
        said = str(error)
    except Exception:  # noqa: BLE001 - an exception may be broken, too
        said = "(its own text cannot be shown)"
    if len(said) > LONGEST_TEXT:
        said = f"{said[:LONGEST_TEXT]}… ({len(said) - LONGEST_TEXT} characters more)"
    if isinstance(error, Exception):
        return said or name
    return f"the handler raised {name}({said})"  # sys.exit() in a handler ends the task, not the worker


@frozen
class RunTask:
    """Runs `handler` once for a claim; `policy` decides whether a failure is tried again."""

    handler: Handler
    policy: RetryPolicy
    clock: Clock
    random: RandomSource

    async def __call__(self, claim: Claim[Task]) -> Settlement[Task]:
        """Never raises what the handler raises."""
        try:
            await self.handler(claim.item)
        except HandlerFailed as failure:
            return Settlement(claim, self.failed(claim, str(failure)))
        except HandlerStopped:
            return Settlement(claim, Released())
        return Settlement(claim, Completed())

    def failed(self, claim: Claim[Task], error: str) -> Settled:
        """What follows from a failed attempt."""
        decision = self.policy.decide(
            attempt=claim.attempt,
            first_attempt_at=claim.first_attempt_at,
            now=self.clock.now(),
            unit=self.random.unit(),
        )
        match decision:
            case RetryAt(at):
                return Retried(error, at)
            case DeadLetter():
                return Failed(error)
