"""The packages that this project takes the place of, in an environment of their own."""

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

PACKAGES = ("yt-gsheet-orchestrator==0.1.2", "boreal-push-queue==0.2.1")


@cache
def prior_python() -> str:
    """A Python with both packages: PRIOR_PYTHON, or one that is set up under the temporary directory and kept."""
    if given := os.environ.get("PRIOR_PYTHON"):
        return given
    directory = Path(tempfile.gettempdir()) / "mutirao-prior"
    python = directory / "bin" / "python"
    if not (directory / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", directory], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        (directory / "complete").touch()
    return str(python)
