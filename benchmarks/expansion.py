"""Expanding a playlist: our extractor and store against yt-gsheet-orchestrator's own two extractions.

Both run the genuine yt-dlp against the same YouTube on loopback, each in a process of its own, in turn. Theirs is what
its orchestrator does with a source: it extracts the list once for its name and count, and once more for its entries, as
whole lists; appending rows to a spreadsheet is left out of it. Ours is one lazy pass whose tasks are stored in SQLite
page by page. Peak memory is the kernel's own figure for the process.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.prior import prior_python
from tests.contract.doubles.youtube import YouTube
from tests.contract.doubles.youtube_catalogue import Playlist, videos

SIZES = (5_000, 20_000)
ROUNDS = 3

OURS = """
import asyncio, json, resource, sys, time
from app import Settings, create_app
from app.use_cases.expand_source import ExpandSource
from app.events import PageStored, tell_nobody
from app.patience import Patience
from domain.scan import ScanOptions
from domain.work import Claim, Source

url, proxy, database = sys.argv[1:]
settings = Settings.from_env({
    "COORDINATION_URL": f"sqlite:///{database}", "YTDLP_PROXY": proxy, "YTDLP_NO_CHECK_CERTIFICATE": "1"})
stored = []

async def main():
    async with create_app(settings) as app:
        def listen(event):
            if isinstance(event, PageStored):
                stored.append(time.perf_counter())
        patience = Patience(app.clock, app.random, tell_nobody)
        expand = ExpandSource(app.store.tasks, app.extractor, app.clock, app.random, patience, ScanOptions(), listen)
        await expand(Claim(Source("url 1", url), 1, 1, app.clock.now()))
        return (await app.store.tasks.counts()).total

began = time.perf_counter()
entries = asyncio.run(main())
print(json.dumps({"entries": entries, "seconds": time.perf_counter() - began, "first": stored[0] - began,
                  "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""

THEIRS = """
import json, os, resource, sys, time
import certifi
certifi.where = lambda: os.environ["SSL_CERT_FILE"]
from orc.orchestrator import Orchestrator
from orc.tables.source_schema import SourceEntry
from orc.tables.source_table import SourceTable
import orc.gateway

url = sys.argv[1]
rows = []
first = []

def append_rows(worksheet, batch):
    rows.extend(batch)
    first.append(time.perf_counter())

orc.gateway.append_rows = append_rows

class Nothing:
    tasks_ws = None
    def __getattr__(self, name):
        return lambda *args, **kwargs: None

began = time.perf_counter()
source = SourceEntry.from_url(url)
table = SourceTable.__new__(SourceTable)
assert SourceTable._extract_metadata_with_ytdlp(table, source)
orchestrator = Orchestrator.__new__(Orchestrator)
orchestrator.task_table = orchestrator.source_table = Nothing()
entries = Orchestrator._create_tasks_from_source(orchestrator, 2, source)
print(json.dumps({"entries": entries, "seconds": time.perf_counter() - began, "first": first[0] - began,
                  "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def measure(python: str, code: str, arguments: list[str], environment: dict[str, str]) -> dict[str, float]:
    done = subprocess.run(
        [python, "-c", code, *arguments], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(done.stderr)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def median(figures: list[dict[str, float]], name: str) -> float:
    return statistics.median(figure[name] for figure in figures)


def main() -> None:
    python = prior_python()
    with tempfile.TemporaryDirectory() as directory, YouTube(Path(directory)) as site:
        trust = {"HTTPS_PROXY": site.proxy, "SSL_CERT_FILE": str(site.certificate)}
        peaks = {}
        for size in SIZES:
            site.add(Playlist(f"PL{size}", "Lista", videos(size)))
            url = f"https://www.youtube.com/playlist?list=PL{size}"
            ours, theirs = [], []
            for number in range(ROUNDS):
                database = str(Path(directory) / f"{size}-{number}.db")
                ours.append(measure(sys.executable, OURS, [url, site.proxy, database], {}))
                theirs.append(measure(python, THEIRS, [url], trust))
            assert median(ours, "entries") == median(theirs, "entries") == size
            peaks[size] = median(ours, "peak")
            ratio = median(theirs, "seconds") / median(ours, "seconds")
            for name, figures in (("ours", ours), ("yt-gsheet-orchestrator", theirs)):
                print(
                    f"{size:6} entries  {name:23} {median(figures, 'seconds'):7.2f} s   first task stored after "
                    f"{median(figures, 'first'):6.2f} s   peak {median(figures, 'peak'):6.1f} MiB"
                )
            print(f"{size:6} entries  x {ratio:.2f} (target x 3.5: {'met' if ratio >= 3.5 else 'MISSED'})")
        growth = peaks[SIZES[1]] / peaks[SIZES[0]]
        flat = max(peaks.values()) <= 70 and growth <= 1.1
        print(
            f"peak memory at most {max(peaks.values()):.1f} MiB, x {growth:.2f} from {SIZES[0]} to {SIZES[1]} entries "
            f"(target 70 MiB and flat: {'met' if flat else 'MISSED'})"
        )


if __name__ == "__main__":
    main()
