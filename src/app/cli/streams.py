"""The standard streams as any command may use them."""

import io
import os
import sys
from pathlib import Path


def ready_streams() -> None:
    """Put something in the place of a stream that was closed, and let no character end a command.

    A daemon may be started without any. Left alone, the database would be opened under the number of a closed one, and
    what a handler's child process prints would go into it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):  # in the order of their numbers
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - for as long as we run
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a title that the terminal's code page lacks
