"""Our extractor alone, one pass: ``extraction.py URL PROXY``."""

import asyncio
import sys
import time

import yt_dlp  # noqa: F401 - so that its import is not in the time, as it is not in theirs
from figures import report

from adapters.ytdlp.extractor import YtDlpExtractor
from adapters.ytdlp.options import YtDlpOptions
from domain.scan import ScanOptions


async def main(url: str, proxy: str) -> None:
    began = time.monotonic()
    extractor = YtDlpExtractor(YtDlpOptions(proxy=proxy, no_check_certificate=True))
    scan = await extractor.scan(url, ScanOptions())
    entries, first = 0, 0.0
    async for page in scan.pages():
        first = first or time.monotonic()
        entries += len(page)
    assert scan.summary.complete
    report(entries=entries, began=began, first=first)
    await extractor.close()


asyncio.run(main(*sys.argv[1:]))
