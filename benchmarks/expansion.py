"""Expanding a playlist: one lazy pass against yt-gsheet-orchestrator's two extractions.

All run the genuine yt-dlp against the same YouTube on loopback, each in a process of its own, in turn. "extraction" is
our extractor alone; "whole job" is our whole process, from its start to tasks stored in SQLite. Theirs is what its
orchestrator does with a source, without the spreadsheet. Extraction is compared by the time of the extracting, yt-dlp
imported; the whole job by the life of the process.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from attrs import frozen

from benchmarks.prior import prior_python
from tests.contract.doubles.youtube import Answer, YouTube
from tests.contract.doubles.youtube_catalogue import Playlist, videos

SIZES = (5_000, 20_000)
ROUNDS = 3
CHILDREN = Path(__file__).parent / "children"

FASTER = 3.5
PEAK = 70.0
FIRST_PAGE = 1.0


class TimedYouTube(YouTube):
    """Remembers when it began to answer."""

    began: float | None = None

    def answer(self, method: str, target: str, body: dict[str, Any]) -> Answer:
        answer = super().answer(method, target, body)
        self.began = self.began or time.monotonic()
        return answer


@frozen
class Run:
    """Seconds and MiB. `first` is from the first byte of the site to the first page in our hands."""

    seconds: float
    life: float
    first: float
    peak: float
    site_load: float


def measure(site: TimedYouTube, size: int, python: str, program: str, *arguments: str, **environment: str) -> Run:
    site.began = None
    began, worked = time.monotonic(), time.process_time()
    done = subprocess.run(
        [python, CHILDREN / f"{program}.py", f"https://www.youtube.com/playlist?list=PL{size}", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    life = time.monotonic() - began
    if done.returncode != 0 or site.began is None:
        sys.exit(done.stderr)
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["entries"] == size
    return Run(
        seconds=figures["seconds"],
        life=life,
        first=figures["first"] - site.began,
        peak=figures["peak"],
        site_load=(time.process_time() - worked) / life,
    )


def median(runs: list[Run], name: str) -> float:
    return statistics.median(getattr(run, name) for run in runs)


def compare(site: TimedYouTube, directory: Path, size: int) -> dict[str, list[Run]]:
    runs: dict[str, list[Run]] = {"extraction": [], "whole job": [], "yt-gsheet-orchestrator": []}
    trust = {"HTTPS_PROXY": site.proxy, "SSL_CERT_FILE": str(site.certificate)}
    for number in range(ROUNDS):
        database = str(directory / f"{size}-{number}.db")
        runs["extraction"].append(measure(site, size, sys.executable, "extraction", site.proxy))
        runs["whole job"].append(measure(site, size, sys.executable, "expansion", site.proxy, database))
        runs["yt-gsheet-orchestrator"].append(measure(site, size, prior_python(), "prior_expansion", **trust))
    return runs


def show(size: int, runs: dict[str, list[Run]]) -> None:
    theirs = runs["yt-gsheet-orchestrator"]
    for name, ours in runs.items():
        timed = "seconds" if name == "extraction" else "life"
        ratio = median(theirs, timed) / median(ours, timed)
        print(
            f"{size:7} {name:23} {median(ours, 'seconds'):8.2f} s {median(ours, 'life'):8.2f} s   x {ratio:.2f} "
            f"{median(ours, 'first'):12.2f} s {median(ours, 'peak'):9.1f} MiB {median(ours, 'site_load'):9.0%}",
            flush=True,
        )


def verdict(what: str, *, met: bool) -> None:
    print(f"{what}: {'met' if met else 'MISSED'}")


def main() -> None:
    print("entries                           extracting  process   faster   first page        peak      site")
    results = {}
    with tempfile.TemporaryDirectory() as directory, TimedYouTube(Path(directory)) as site:
        for size in SIZES:
            site.add(Playlist(f"PL{size}", "Lista", videos(size)))
        site.render()
        for size in SIZES:
            results[size] = compare(site, Path(directory), size)
            show(size, results[size])
    for name, timed in (("extraction", "seconds"), ("whole job", "life")):
        ours = {size: runs[name] for size, runs in results.items()}
        ratios = [
            median(results[size]["yt-gsheet-orchestrator"], timed) / median(runs, timed) for size, runs in ours.items()
        ]
        peaks = [median(runs, "peak") for runs in ours.values()]
        first = max(median(runs, "first") for runs in ours.values())
        print(f"\n{name}:")
        verdict(f"  {FASTER} times faster (x {min(ratios):.2f} at least)", met=min(ratios) >= FASTER)
        verdict(f"  first page within {FIRST_PAGE} s of the first byte ({first:.2f} s)", met=first <= FIRST_PAGE)
        verdict(f"  peak memory at most {PEAK} MiB ({max(peaks):.1f})", met=max(peaks) <= PEAK)
        verdict(
            f"  flat from {SIZES[0]} to {SIZES[-1]} entries (x {peaks[-1] / peaks[0]:.2f})",
            met=peaks[-1] <= peaks[0] * 1.1,
        )


if __name__ == "__main__":
    main()
