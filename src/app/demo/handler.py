"""The demo's handler: writes down that it runs, takes a moment, and fails for some."""

import os
import threading
from pathlib import Path

FAILS = ("7.mp4", "13.mp4")


def process(url: str) -> None:
    """Append `url` to the journal named by MUTIRAO_DEMO_JOURNAL; raise for some."""
    with Path(os.environ["MUTIRAO_DEMO_JOURNAL"]).open("a", encoding="utf-8") as journal:
        journal.write(url + "\n")
    threading.Event().wait(0.08)
    if url.endswith(FAILS):
        raise ValueError(f"this episode is broken: {url}")
