"""An emulator on loopback, and a browser to look at it with."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.memory.time import ManualClock
from adapters.sheets_emulator.server import EmulatorServer
from tests.contract.conftest import missing

CHROMIUM = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,800",
)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def server(clock: ManualClock) -> Iterator[EmulatorServer]:
    """One that asks for tokens and meters its callers."""
    with EmulatorServer(clock, authenticate=True, metered=True) as server:
        yield server


@pytest.fixture
def account(server: EmulatorServer) -> dict[str, Any]:
    return server.service_account("maria")


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A headless Chromium with a profile of its own."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        missing("Chromium with its driver")
        return
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    profile: Path = tmp_path_factory.mktemp("chromium")
    for argument in (*CHROMIUM, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield opened
    opened.quit()
