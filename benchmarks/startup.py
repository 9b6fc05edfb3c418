"""How long `import app` takes, and what it drags in, against yt-gsheet-orchestrator's own import."""

import statistics
import subprocess
import sys
import time

from benchmarks.prior import prior_python

VENDORS = ("yt_dlp", "gspread", "pika", "sqlalchemy")
RUNS = 7


def seconds(python: str, code: str) -> float:
    """The median time of a process that runs `code`, less that of one that runs nothing."""

    def once(body: str) -> float:
        began = time.perf_counter()
        subprocess.run([python, "-c", body], check=True)
        return time.perf_counter() - began

    once(code)
    return statistics.median(once(code) - once("pass") for _ in range(RUNS))


def main() -> None:
    code = f"import sys, app; print(*(name for name in {VENDORS} if name in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    ours = seconds(sys.executable, "import app")
    theirs = seconds(prior_python(), "import orc")
    print(f"import app  {ours:6.3f} s (target: under 0.3 s), vendors loaded: {', '.join(loaded) or 'none'}")
    print(f"import orc  {theirs:6.3f} s, ratio {theirs / ours:.1f}")


if __name__ == "__main__":
    main()
