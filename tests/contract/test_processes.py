"""Eight processes on one store, killed at random: nothing is lost, nothing is recorded twice, nothing stays stuck."""

import random
from pathlib import Path

from adapters.sql.store import SqlCoordinationStore
from adapters.system.time import SystemClock, SystemIds
from app.use_cases.intervene import every
from domain.lifecycle import State
from domain.work import Record, Task
from ports.testing.scenario import scenario
from tests.contract.processes import Crew

TASKS = 2000
KILLS = 12
TTL = 3.0


@scenario
async def test_every_task_is_recorded_once_however_many_workers_die(sql_url: str, tmp_path: Path) -> None:
    chance = random.Random(sql_url.startswith("sqlite"))
    clock = SystemClock()
    tasks = [Task(key=f"url {n}", url=f"https://x.example/{n}") for n in range(TASKS)]
    crew = Crew(sql_url, tmp_path, 8, LEASE_TTL=f"{TTL}s", HEARTBEAT_INTERVAL="300ms", MAX_CRASHES="1000")
    async with SqlCoordinationStore(sql_url, clock=clock, ids=SystemIds()) as store:
        await store.tasks.add(tasks)
        killed = 0
        with crew:
            while killed < KILLS:
                # kills are spread over the work, whatever the machine's speed
                counts = await store.tasks.counts()
                if counts[State.CLAIMED] and TASKS - counts.left >= killed * TASKS // (KILLS + 2):
                    name = crew.kill_one(chance)
                    assert name is not None, "the work was over before the killing was"
                    killed += 1
                    if killed % 3:
                        crew.start(name)  # most come back, some do not
                await clock.sleep(0.02)
            crew.wait(60)
        records: list[Record[Task]] = [record for state in State async for record in every(store.tasks, state)]

    done = [record for record in records if record.state is State.COMPLETED]
    dead = [record for record in records if record.state is State.FAILED]
    keys = {record.item.key for record in records}
    assert len(done) + len(dead) == len(records) == len(keys) == TASKS
    assert {record.item.url for record in dead} == {task.url for task in tasks if task.url.endswith("9")}
    assert all(record.error == f"cannot work on {record.item.url}" for record in dead)
    runs = crew.runs()
    assert set(runs) == {task.url for task in tasks}
    # what ran again was in a dead worker's hands: at most what it had claimed ahead, each time
    assert len(runs) - TASKS <= killed * 25
