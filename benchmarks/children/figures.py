"""What a measured process says of itself. Runs in the prior packages' environment, too: standard library only."""

import json
import time
from pathlib import Path


def report(*, entries: int, began: float, first: float) -> None:
    """Print the figures. `began` and `first` are of `time.monotonic`, which all processes of a machine share."""
    status = Path("/proc/self/status").read_text("utf-8")
    # not ru_maxrss: that of a child begins with its parent's
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    figures = {"entries": entries, "seconds": time.monotonic() - began, "first": first, "peak": peak / 1024}
    print(json.dumps(figures))
