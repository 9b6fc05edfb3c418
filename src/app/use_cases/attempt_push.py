"""Send a task's request once, and say what follows."""

import logging
from collections.abc import Sequence, Set

from attrs import frozen

from domain.errors import TaskRefused
from domain.outcome import PERMANENT_STATUSES, DispatchResult, FailureKind, Verdict, judge
from domain.push_limits import MAX_DEADLINE
from domain.push_queue import Target
from domain.push_request import request_of
from domain.push_task import PushTask
from domain.retry import RetryPolicy
from domain.signing import SigningSecret
from ports.http import HttpDispatcher
from ports.time import Clock, RandomSource

log = logging.getLogger("mutirao")


@frozen
class AttemptPush:
    """Makes the request of a task of `queue`, with `target` for what the task leaves open, and sends it.

    A task's own deadline and retry policy win over `timeout` and `policy`.
    """

    dispatcher: HttpDispatcher
    queue: str
    target: Target
    policy: RetryPolicy
    timeout: float
    clock: Clock
    random: RandomSource
    secrets: Sequence[SigningSecret] = ()
    permanent_statuses: Set[int] = PERMANENT_STATUSES

    async def __call__(self, task: PushTask, held: float = 0.0) -> tuple[DispatchResult, Verdict]:
        """How the attempt ended and what becomes of the task; raises nothing but cancellation.

        `held` is for how many seconds the task has been in hand: the broker takes back what is held for too long.
        """
        began = self.clock.now()
        deadline = min(task.deadline or self.timeout, MAX_DEADLINE - held)
        try:
            request = request_of(task, self.target, queue=self.queue, now=began, secrets=self.secrets)
            result = await self.dispatcher.dispatch(request, deadline)
        except TaskRefused as error:
            result = DispatchResult(0.0, failure=FailureKind.INVALID, detail=str(error))
        except Exception as error:  # whatever it is, it is this attempt's
            log.exception("%s: a mistake of ours in sending the task %s", self.queue, task.id)
            result = DispatchResult(0.0, failure=FailureKind.CONNECTION, detail=f"{type(error).__name__}: {error}")
        verdict = judge(
            task,
            result,
            policy=self.policy,
            began=began,
            now=self.clock.now(),
            unit=self.random.unit(),
            permanent_statuses=self.permanent_statuses,
        )
        return result, verdict
