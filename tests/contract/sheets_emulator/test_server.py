"""The emulator as anything but gspread finds it over HTTP."""

import json
import threading
from typing import Any

import pytest
import requests

from adapters.memory.time import ManualClock
from adapters.sheets_emulator.server import EmulatorServer


@pytest.fixture
def opened(clock: ManualClock) -> Any:
    with EmulatorServer(clock) as server:
        yield server


def test_answers_are_dated_and_typed(opened: EmulatorServer) -> None:
    answer = requests.get(f"{opened.url}/v4/spreadsheets/{opened.create('Aulas').id}", timeout=10)
    assert answer.headers["Date"] == "Thu, 01 Jan 2026 12:00:00 GMT"
    assert answer.headers["Content-Type"] == "application/json; charset=UTF-8"


def test_one_call_is_answered_at_a_time(opened: EmulatorServer) -> None:
    book = opened.create("Aulas")
    url = f"{opened.url}/v4/spreadsheets/{book.id}/values/A1:append?valueInputOption=RAW"

    def append(name: str) -> None:
        with requests.Session() as session:
            for n in range(20):
                assert session.post(url, json={"values": [[f"{name}{n}"]]}, timeout=30).status_code == 200

    threads = [threading.Thread(target=append, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened.person(book.id).rows("Sheet1")) == 60


def test_whoever_watches_is_told_of_each_change(opened: EmulatorServer) -> None:
    book = opened.create("Aulas")
    with requests.get(f"{opened.url}/_emulator/events", stream=True, timeout=10) as events:
        lines = (line for line in events.iter_lines(chunk_size=1) if line)
        first = next(lines)
        opened.person(book.id).type("Sheet1", "A1", "x")
        assert next(lines) != first


def test_watching_ends_with_the_server(clock: ManualClock) -> None:
    with EmulatorServer(clock) as server:
        events = requests.get(f"{server.url}/_emulator/events", stream=True, timeout=10)
        next(events.iter_lines(chunk_size=1))
    assert b"".join(events.iter_content(1024)) is not None
    events.close()


def test_faults_and_counts_are_there_over_http(opened: EmulatorServer) -> None:
    book = opened.create("Aulas")
    requests.post(f"{opened.url}/_emulator/faults", json={"fault": "503"}, timeout=10)
    assert requests.get(f"{opened.url}/v4/spreadsheets/{book.id}", timeout=10).status_code == 503
    stats = json.loads(requests.get(f"{opened.url}/_emulator/stats", timeout=10).content)
    assert stats["calls"] == {"read": 1}
    assert stats["downloaded"]["read"] > 0


@pytest.mark.parametrize(
    ("path", "kind"), [("/", "text/html"), ("/page.js", "text/javascript"), ("/page.css", "text/css")]
)
def test_the_page_is_served(opened: EmulatorServer, path: str, kind: str) -> None:
    answer = requests.get(f"{opened.url}{path}", timeout=10)
    assert answer.headers["Content-Type"].startswith(kind)


@pytest.mark.parametrize("path", ["/nothing", "/page/__init__.py", "/../server.py", "/v4/nothing"])
def test_nothing_else_is_served(opened: EmulatorServer, path: str) -> None:
    assert requests.get(f"{opened.url}{path}", timeout=10).status_code == 404
