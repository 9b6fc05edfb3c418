"""Google Sheets: calls and bytes a task, and tasks an hour at Google's default quota.

Ours are whole workers (claims, settlements, heartbeats, leadership, History) on a virtual clock, genuine gspread over
the emulator within the process; calls and bytes are counted by it, from the workers' start to their end, and its meter
lets 60 writes and 60 reads a minute through for each user, 300 and 300 for the project. Every worker is a user of its
own. yt-gsheet-orchestrator runs in an environment of its own against the same emulator over HTTP, without a quota; its
sleeps are summed up instead of slept.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from adapters.google_sheets.calls import InlineCalls
from adapters.google_sheets.credentials import GoogleAccount
from adapters.google_sheets.store import SheetsCoordinationStore
from adapters.memory.extractor import MemoryExtractor
from adapters.memory.identity import MemoryIdentity
from adapters.memory.time import ManualClock, SequentialIds
from adapters.sheets_emulator.access import Access
from adapters.sheets_emulator.api.service import SheetsService
from adapters.sheets_emulator.client import transport
from adapters.sheets_emulator.desk import Desk
from adapters.sheets_emulator.quota import Quota
from adapters.sheets_emulator.server import EmulatorServer
from adapters.system.time import SystemClock, SystemRandom
from app import Settings, create_app
from benchmarks.prior import prior_python
from benchmarks.virtual_time import run
from domain.work import Task

CHILD = Path(__file__).parent / "children" / "prior_sheets.py"
HOUR = 3600.0


@frozen
class Figures:
    tasks: int
    calls: int
    down: int
    up: int
    seconds: float

    def __str__(self) -> str:
        per = max(1, self.tasks)
        hour = self.tasks / self.seconds * HOUR if self.seconds else 0
        return (
            f"{self.calls / per:8.3f} calls a task {self.down / per / 1024:8.2f} KB down "
            f"{self.up / per / 1024:7.2f} KB up {hour:9,.0f} tasks/h"
        )


async def nothing(_url: str) -> None:
    """The handler: what is measured is the store."""


def tasks(count: int) -> list[Task]:
    return [
        Task(
            key=f"youtube {n:011d}",
            url=f"https://www.youtube.com/watch?v={n:011d}",
            id=f"{n:011d}",
            source="youtube:playlist PLx",
            name=f"Aula {n} de violão para quem começa",
            duration=300.5,
        )
        for n in range(count)
    ]


def ours(workers: int, rows: int, *, batch: int = 25, idle: float = 0) -> Figures:
    """`rows` tasks through `workers` workers; or, with `idle`, that many seconds of nothing to do."""
    clock, ids = ManualClock(), SequentialIds()
    desk = Desk(clock, SheetsService(clock), access=Access(clock))
    book = desk.service.create("Benchmark").id

    def store(user: str) -> SheetsCoordinationStore:
        assert desk.access
        account = desk.access.service_account("http://emulator.invalid", user)
        return SheetsCoordinationStore(
            book,
            GoogleAccount(content=json.dumps(account)),
            clock=clock,
            ids=ids,
            random=SystemRandom(),
            transport=lambda: transport(desk),
            calls=InlineCalls(),
        )

    async def fill() -> None:
        async with store("filler") as filler:
            if rows:
                await filler.tasks.add(tasks(rows))

    async def work() -> None:
        settings = Settings(batch=batch)
        running = []
        for number in range(workers):
            app = create_app(
                settings,
                coordination_store=store(f"worker-{number}"),
                clock=clock,
                ids=ids,
                identity=MemoryIdentity(ids),
                extractor=MemoryExtractor({}),
            )
            running.append(asyncio.create_task(one(app)))
        await asyncio.gather(*running)

    async def one(app: Any) -> None:
        async with app:
            worker = app.worker(nothing, slots=1, drain=not idle)
            if idle:
                asyncio.get_running_loop().create_task(stop_later(worker))
            await worker.run()

    async def stop_later(worker: Any) -> None:
        await clock.sleep(idle)
        worker.stop()

    run(fill(), clock)
    desk.quota = Quota(clock)
    desk.calls.clear(), desk.downloaded.clear(), desk.uploaded.clear()
    began = clock.monotonic()
    run(work(), clock)
    return Figures(
        tasks=rows,
        calls=sum(desk.calls.values()),
        down=sum(desk.downloaded.values()),
        up=sum(desk.uploaded.values()),
        seconds=clock.monotonic() - began,
    )


def prior(rows: int, wanted: int) -> Figures:
    """`wanted` tasks of `rows` through one worker of yt-gsheet-orchestrator."""
    header = [
        *("ID", "ID da Fonte", "URL", "Nome", "Duração", "Timestamp de Criação", "Timestamp de Reivindicação"),
        *("Timestamp de Conclusão", "Status", "Worker Atribuído"),
    ]
    with EmulatorServer(SystemClock(), authenticate=True) as server, tempfile.TemporaryDirectory() as directory:
        account = server.service_account()
        file = Path(directory) / "account.json"
        file.write_text(json.dumps(account), "utf-8")
        book = server.create("Benchmark", shared_with=account)
        child = subprocess.Popen(
            [prior_python(), CHILD, server.url, file, book.id, str(wanted)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=directory,
        )
        assert child.stdout is not None
        assert child.stderr is not None
        if not child.stdout.readline():
            sys.exit(child.stderr.read())
        person = server.person(book.id)
        table = [[t.id, t.source, t.url, t.name, "300", "", "", "", "PENDING", ""] for t in tasks(rows)]
        cells = [{"values": [{"userEnteredValue": {"stringValue": cell}} for cell in row]} for row in [header, *table]]
        sheet = person.book.titled("Tasks")
        assert sheet is not None
        grow = {"appendDimension": {"sheetId": sheet.id, "dimension": "ROWS", "length": rows + 1}}
        write = {"start": {"sheetId": sheet.id}, "rows": cells, "fields": "userEnteredValue"}
        person.do(grow, {"updateCells": write})
        desk = server.desk
        desk.calls.clear(), desk.downloaded.clear(), desk.uploaded.clear()
        out, err = child.communicate("go\n")
        if child.returncode:
            sys.exit(err)
        answer = json.loads(out.splitlines()[-1])
        return Figures(
            tasks=answer["tasks"],
            calls=sum(desk.calls.values()),
            down=sum(desk.downloaded.values()),
            up=sum(desk.uploaded.values()),
            seconds=answer["slept"],
        )


def main(workers: Sequence[int] = (1, 2, 5, 10)) -> None:
    before = prior(1000, 20)
    print(f"yt-gsheet-orchestrator, 1,000 rows, 1 worker  {before}")
    for rows in (1_000, 5_000, 20_000):
        print(f"ours, {rows:6,} rows, 1 worker              {ours(1, rows)}", flush=True)
    for count in workers:
        print(f"ours,  5,000 rows, {count:2} workers            {(now := ours(count, 5_000))}", flush=True)
        if count == 1:
            times = (before.calls / before.tasks) / (now.calls / now.tasks)
            print(f"  calls a task: {times:.0f} times fewer (target 250)")
    rest = ours(1, 0, idle=HOUR)
    print(f"ours, idle: {rest.calls / (rest.seconds / 60):.2f} calls a minute (target 3)")


if __name__ == "__main__":
    main()
