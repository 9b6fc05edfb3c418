"""How the adapter behaves as a guest: threads, plugins, output, cookies, certificates, settings that cannot work."""

import asyncio
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from adapters.ytdlp.extractor import YtDlpExtractor
from adapters.ytdlp.options import YtDlpOptions
from domain.scan import ScanOptions
from ports.errors import ConfigurationError, SourceUnsupported
from ports.testing.extractor import listed
from ports.testing.scenario import scenario
from tests.contract.doubles.feed import Feed
from tests.contract.doubles.youtube import YouTube
from tests.contract.ytdlp.conftest import playlist


async def cancel_while_it_hangs(fetching: Coroutine[Any, Any, object], youtube: YouTube) -> None:
    task = asyncio.create_task(fetching)
    await asyncio.to_thread(youtube.hanging.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.fixture
def let_go(youtube: YouTube) -> Callable[[], None]:
    """Answers what hangs, and sees the threads of this test end."""
    others = set(threading.enumerate())

    def let_go() -> None:
        youtube.released.set()
        for thread in set(threading.enumerate()) - others:
            if thread.name.startswith("mutirao-ytdlp"):
                thread.join()

    return let_go


@scenario
async def test_a_scan_that_is_left_while_a_page_is_fetched_asks_for_no_other(
    youtube: YouTube, options: YtDlpOptions, let_go: Callable[[], None]
) -> None:
    extractor = YtDlpExtractor(evolve(options, retries=9))
    scan = await extractor.scan(playlist("PLhanging"), ScanOptions())
    async with aclosing(scan.pages()) as pages:
        await anext(pages)
        await anext(pages)
        await cancel_while_it_hangs(anext(pages), youtube)
    asked = youtube.requests.total()
    await extractor.close()
    let_go()
    assert youtube.requests.total() == asked
    assert not scan.summary.complete


@scenario
async def test_a_scan_that_is_left_while_it_is_opened_asks_for_nothing_more(
    youtube: YouTube, options: YtDlpOptions, let_go: Callable[[], None]
) -> None:
    extractor = YtDlpExtractor(evolve(options, retries=9))
    await cancel_while_it_hangs(extractor.scan(playlist("PLhangs"), ScanOptions()), youtube)
    await extractor.close()
    let_go()
    assert youtube.requests.total() == 1


@scenario
async def test_closing_waits_for_nobody(youtube: YouTube, options: YtDlpOptions) -> None:
    extractor = YtDlpExtractor(options)
    task = asyncio.create_task(extractor.scan(playlist("PLhangs"), ScanOptions()))
    await asyncio.to_thread(youtube.hanging.wait)
    await extractor.close()
    assert not task.done()
    task.cancel()


def test_yt_dlp_speaks_to_the_log_only(
    options: YtDlpOptions, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "adapters.ytdlp")
    asyncio.run(listed(YtDlpExtractor(options), playlist("PL250")))
    assert capfd.readouterr() == ("", "")
    assert "Downloading webpage" in caplog.text


@pytest.mark.parametrize("dirs", ["[]", '["default"]'])
def test_plugins_are_run_only_when_asked_for(tmp_path: Path, dirs: str) -> None:
    plugins = tmp_path / "yt_dlp_plugins" / "extractor"
    plugins.mkdir(parents=True)
    (plugins / "guest.py").write_text("print('a guest')")
    program = f"""
import asyncio
from adapters.ytdlp.extractor import YtDlpExtractor
from adapters.ytdlp.options import YtDlpOptions
from domain.scan import ScanOptions
from ports.errors import SourceUnsupported
extractor = YtDlpExtractor(YtDlpOptions(raw={{"plugin_dirs": {dirs}}}))
try:
    asyncio.run(extractor.scan("https://x.example", ScanOptions()))
except SourceUnsupported:
    print("done")
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout.split("\n")[:-1] == (["a guest", "done"] if "default" in dirs else ["done"])


def test_cookies_are_sent_and_their_file_is_left_as_it_is(
    youtube: YouTube, options: YtDlpOptions, tmp_path: Path
) -> None:
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("# Netscape HTTP Cookie File\n.youtube.com\tTRUE\t/\tTRUE\t4102444800\tLOGIN\tmine\n")
    before = cookies.read_bytes()
    asyncio.run(listed(YtDlpExtractor(evolve(options, cookies=str(cookies))), playlist("PL5")))
    assert "LOGIN=mine" in youtube.cookies
    assert cookies.read_bytes() == before


@scenario
async def test_a_certificate_is_checked_unless_asked_otherwise(options: YtDlpOptions) -> None:
    with pytest.raises(SourceUnsupported, match="YTDLP_NO_CHECK_CERTIFICATE"):
        await listed(YtDlpExtractor(evolve(options, no_check_certificate=False)), playlist("PL5"))


@pytest.mark.parametrize(
    "wrong",
    [{"extractors": ("(",)}, {"raw": {"http_headers": "none"}}, {"cookies": __file__}, {"cookies": "/no/such/file"}],
    ids=["extractors", "raw", "no cookies", "no file"],
)
@scenario
async def test_settings_that_cannot_work_are_not_taken_for_a_bad_source(
    options: YtDlpOptions, wrong: dict[str, Any]
) -> None:
    with pytest.raises(ConfigurationError, match="YTDLP_"):
        await YtDlpExtractor(evolve(options, **wrong)).scan(playlist("PL5"), ScanOptions())


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("gopher://x.example/list", "gopher"),
        ("file:///etc/passwd", "file://"),
        ("http://", "http://"),
        ("not a url", "not a url"),
        ("", "https://"),
    ],
)
@scenario
async def test_what_is_no_address_is_unsupported_even_where_anything_goes(url: str, said: str) -> None:
    with pytest.raises(SourceUnsupported, match=said):
        await listed(YtDlpExtractor(YtDlpOptions(extractors=("generic",))), url)


@scenario
async def test_the_generic_extractor_has_to_be_asked_for() -> None:
    with Feed(aulas=["Aula 1"]) as feed:
        with pytest.raises(SourceUnsupported, match="YTDLP_EXTRACTORS"):
            await listed(YtDlpExtractor(), feed.url("aulas"))
        (entry,) = await listed(YtDlpExtractor(YtDlpOptions(extractors=("generic",))), feed.url("aulas"))
    assert entry.title == "Aula 1"
