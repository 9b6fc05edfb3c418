"""The push worker over the broker and the dispatcher in memory; time passes when nobody has anything to do."""

from collections import Counter

import pytest

from adapters.memory.broker import MemoryBroker
from adapters.memory.http import MemoryHttpDispatcher
from adapters.memory.message_queue import Post
from adapters.memory.time import FixedRandom, ManualClock, SequentialIds
from app.push_events import PushFinished, push_unheard
from app.use_cases.attempt_push import AttemptPush
from app.workers.push import PushWorker
from domain.http_request import HttpRequest
from domain.outcome import DispatchResult
from domain.push_queue import Target
from domain.push_task import PushTask
from domain.rate_limit import RateLimit
from domain.retry import RetryPolicy
from tests.passing_time import passing_time

QUEUE = "tasks"
TASKS = 60


def identifier(request: HttpRequest) -> str:
    return request.headers["X-CloudTasks-TaskName"]


@pytest.mark.parametrize("rate", [None, RateLimit(5, 2)])
def test_each_task_is_delivered_or_dead_after_its_attempts(rate: RateLimit | None) -> None:
    clock = ManualClock()
    sent: Counter[str] = Counter()

    def answer(request: HttpRequest) -> DispatchResult:
        name = identifier(request)
        sent[name] += 1
        number = int(name.removeprefix("t"))
        if number % 10 == 0 or (number % 3 == 0 and sent[name] == 1):
            return DispatchResult(0.01, status=500)
        if number % 7 == 0 and sent[name] == 1:
            raise RuntimeError("a dispatcher's mistake is one attempt's")
        return DispatchResult(0.01, status=200)

    finished: list[PushFinished] = []

    async def scenario() -> None:
        async with MemoryBroker(clock=clock, ids=SequentialIds(), post=Post()) as broker:
            await broker.publish(QUEUE, [PushTask(f"t{n}", url="http://target.example/") for n in range(TASKS)])
            worker = PushWorker(
                broker,
                AttemptPush(
                    MemoryHttpDispatcher(answer),
                    QUEUE,
                    Target(),
                    RetryPolicy(max_attempts=3, min_backoff=1, max_backoff=4),
                    10.0,
                    clock,
                    FixedRandom(),
                ),
                queue=QUEUE,
                slots=4,
                clock=clock,
                listener=lambda event: finished.append(event) if isinstance(event, PushFinished) else None,
                rate=rate,
                drain=True,
            )
            await worker.run()
            dead = await broker.list_dead(QUEUE)
            assert {one.id for one in dead} == {f"t{n}" for n in range(0, TASKS, 10)}
            depth = await broker.depth(QUEUE)
            assert depth.due == depth.delayed == 0
            delivered = {name for name in sent if int(name.removeprefix("t")) % 10}
            assert len(delivered) + len(dead) == TASKS
            assert all(sent[one.id] == 3 for one in dead)

    passing_time(scenario(), clock)
    assert sum(sent.values()) == len(finished)


def test_stopping_gives_back_what_was_not_sent_and_repeats_nothing() -> None:
    clock = ManualClock()
    sent: Counter[str] = Counter()

    async def scenario() -> None:
        async with MemoryBroker(clock=clock, ids=SequentialIds(), post=Post()) as broker:
            await broker.publish(QUEUE, [PushTask(f"t{n}", url="http://target.example/") for n in range(TASKS)])

            def worker() -> PushWorker:
                return PushWorker(broker, attempt, queue=QUEUE, slots=4, clock=clock, listener=push_unheard, drain=True)

            running: list[PushWorker] = []

            def answer(request: HttpRequest) -> DispatchResult:
                sent[identifier(request)] += 1
                if sum(sent.values()) == TASKS // 2:
                    running[0].stop()
                return DispatchResult(0.01, status=200)

            dispatcher = MemoryHttpDispatcher(answer)
            attempt = AttemptPush(dispatcher, QUEUE, Target(), RetryPolicy(), 10.0, clock, FixedRandom())
            running.append(worker())
            await running[0].run()
            assert TASKS // 2 <= sum(sent.values()) < TASKS
            await worker().run()

    passing_time(scenario(), clock)
    assert sent == Counter({f"t{n}": 1 for n in range(TASKS)})
