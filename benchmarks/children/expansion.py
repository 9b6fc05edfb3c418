"""The whole job, from nothing to tasks in SQLite, page by page: ``expansion.py URL PROXY DATABASE``."""

import asyncio
import sys
import time

from figures import report

from app import Settings, create_app
from app.events import PageStored, tell_nobody
from app.patience import Patience
from app.use_cases.expand_source import ExpandSource
from domain.scan import ScanOptions
from domain.work import Claim, Source


async def main(url: str, proxy: str, database: str) -> None:
    began = time.monotonic()
    stored: list[float] = []

    def listen(event: object) -> None:
        if isinstance(event, PageStored):
            stored.append(time.monotonic())

    settings = Settings.from_env(
        {"COORDINATION_URL": f"sqlite:///{database}", "YTDLP_PROXY": proxy, "YTDLP_NO_CHECK_CERTIFICATE": "1"}
    )
    async with create_app(settings) as app:
        patience = Patience(app.clock, app.random, tell_nobody)
        expand = ExpandSource(app.store.tasks, app.extractor, app.clock, app.random, patience, ScanOptions(), listen)
        await expand(Claim(Source("url 1", url), 1, 1, app.clock.now()))
        entries = (await app.store.tasks.counts()).total
    report(entries=entries, began=began, first=stored[0])


asyncio.run(main(*sys.argv[1:]))
