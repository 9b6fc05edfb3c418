"""What yt-gsheet-orchestrator does with a source, by its own methods: ``prior_expansion.py URL``.

It extracts the list for its name and count, then once more for its entries. Rows are kept in memory instead of being
appended to a spreadsheet. The certificate of the loopback server comes by SSL_CERT_FILE, its address by HTTPS_PROXY.
"""

import os
import sys
import time
from typing import Any

import certifi
import orc.gateway
from figures import report
from orc.orchestrator import Orchestrator
from orc.tables.source_schema import SourceEntry
from orc.tables.source_table import SourceTable

stored: list[float] = []


def append_rows(_worksheet: object, _rows: list[Any]) -> None:
    stored.append(time.monotonic())


class Nothing:
    """Stands for the tables: takes whatever is written."""

    tasks_ws = None

    def __getattr__(self, _name: str) -> Any:
        return lambda *_arguments, **_named: None


certifi.where = lambda: os.environ["SSL_CERT_FILE"]  # what yt-dlp trusts
orc.gateway.append_rows = append_rows
began = time.monotonic()
source = SourceEntry.from_url(sys.argv[1])
assert SourceTable.__new__(SourceTable)._extract_metadata_with_ytdlp(source)  # noqa: SLF001 - what its loop calls
orchestrator = Orchestrator.__new__(Orchestrator)
orchestrator.task_table = orchestrator.source_table = Nothing()
entries = orchestrator._create_tasks_from_source(2, source)  # noqa: SLF001
report(entries=entries, began=began, first=stored[0])
