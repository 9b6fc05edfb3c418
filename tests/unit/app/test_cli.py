"""The command line: tables and JSON, exit codes, and one clear line for a user's mistake."""

import asyncio
import json
import logging
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app import create_app
from app.cli.main import main
from app.log import configure_logging
from domain.lifecycle import Completed, Failed
from domain.session import Worker
from domain.work import Settlement, Task


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COORDINATION_URL", f"sqlite:///{tmp_path}/work.db")
    monkeypatch.setenv("MUTIRAO_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("NO_COLOR", "1")


class Cli:
    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *words: str) -> tuple[int, str, str]:
        """Exit status, stdout and stderr of one command."""
        with pytest.raises(SystemExit) as ending:
            main(words)
        out, err = self._capfd.readouterr()
        return int(ending.value.code or 0), out, err


@pytest.fixture
def mutirao(capfd: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capfd)


@pytest.fixture
def dead() -> None:
    """One task done, two dead."""

    async def fill() -> None:
        async with create_app() as app:
            await app.store.tasks.add([Task(f"youtube v{n}", f"https://x.example/v{n}", f"v{n}") for n in range(3)])
            session = await app.store.workers.open(Worker("id-1234567890", "maria"))
            one, two, three = await app.store.tasks.claim(session, 3)
            events = [(one, Completed()), (two, Failed("HTTP 404")), (three, Failed("timeout"))]
            await app.store.tasks.settle(session, [Settlement(*pair) for pair in events])
            await app.store.workers.close(session)

    asyncio.run(fill())


def test_sources_are_added_once_and_listed(mutirao: Cli) -> None:
    assert mutirao("sources", "add", "https://x.example/a", "https://x.example/b")[:2] == (0, "2 added\n")
    assert (
        mutirao("sources", "add", "http://www.x.example/a/", "https://x.example/c")[1] == "1 added, 1 known already\n"
    )
    status, out, _ = mutirao("sources", "list")
    assert status == 0
    assert all(f"https://x.example/{letter}" in out for letter in "abc")


def test_sources_come_from_a_file_too(mutirao: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    urls = tmp_path / "urls.txt"
    urls.write_text("https://x.example/a\n\n# a comment\nhttps://x.example/b\n")
    with urls.open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert mutirao("sources", "add", "-")[1] == "2 added\n"


def test_a_file_from_windows_is_read_and_one_that_is_no_text_is_refused(
    mutirao: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    urls = tmp_path / "urls.txt"
    for content, status in ((b"\xef\xbb\xbfhttps://x.example/a\r\nhttps://x.example/b\r\n", 0), (b"\xff\xfeh\0", 2)):
        urls.write_bytes(content)
        with urls.open() as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            code, out, err = mutirao("sources", "add", "-")
        assert code == status
        assert out == "2 added\n" if status == 0 else "UTF-8" in err


def run(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`command` in a shell, `mutirao` in it being the genuine program."""
    command = command.replace("mutirao", f"{sys.executable} -m app")
    return subprocess.run(
        ["bash", "-c", command], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "command",
    ["mutirao status >&-", "mutirao status --json >&-", "mutirao --drain <&- >&- 2>&-", "mutirao sources add - <&-"],
)
def test_a_stream_may_be_closed(command: str) -> None:
    assert run(command).returncode == 0


def test_an_output_that_takes_nothing_is_told_in_one_line() -> None:
    ended = run("mutirao status --json > /dev/full")
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)


def test_a_name_that_the_terminal_cannot_show_ends_no_command() -> None:
    ended = run("mutirao sources add https://x.example/☃ && mutirao sources list", PYTHONIOENCODING="ascii")
    assert ended.returncode == 0
    assert "\\u2603" in ended.stdout


def test_what_others_wrote_gives_the_terminal_no_orders(mutirao: Cli, capfd: pytest.CaptureFixture[str]) -> None:
    async def fill() -> None:
        async with create_app() as app:
            await app.store.tasks.add([Task("url 1", "https://x.example/1", name="a\x1b]0;title\x07\n\x9b31mb")])

    asyncio.run(fill())
    assert "a�]0;title� �31mb" in mutirao("tasks", "list")[1]
    configure_logging("info", "text")
    logging.getLogger("mutirao").info("one\nline\x1b[2J")
    assert capfd.readouterr().err.endswith(" one line�[2J\n")


def test_json_is_for_scripts(mutirao: Cli, dead: None) -> None:
    assert json.loads(mutirao("sources", "add", "https://x.example/a", "--json")[1])["duplicates"] == []
    (source,) = json.loads(mutirao("sources", "list", "--json")[1])
    assert (source["state"], source["url"]) == ("PENDING", "https://x.example/a")
    failed = json.loads(mutirao("tasks", "list", "--state", "failed", "--json")[1])
    assert [(task["id"], task["error"], task["worker"]) for task in failed] == [
        ("v1", "HTTP 404", "maria"),
        ("v2", "timeout", "maria"),
    ]
    status = json.loads(mutirao("status", "--json")[1])
    assert (status["tasks"]["completed"], status["tasks"]["failed"]) == (1, 2)
    assert (status["sources"]["pending"], status["workers"], status["leader"]) == (1, [], None)
    assert status["sources"]["oldest_pending"]


def test_the_dead_are_listed_redriven_and_discarded(mutirao: Cli, dead: None) -> None:
    out = mutirao("dlq", "list")[1]
    assert "HTTP 404" in out
    assert "timeout" in out
    assert mutirao("dlq", "redrive", "--error", "timeout")[:2] == (0, "1 redriven\n")
    assert mutirao("dlq", "discard", "v1")[:2] == (0, "1 discarded\n")
    status, _, err = mutirao("dlq", "redrive", "--all")
    assert (status, err) == (1, "nothing dead matches\n")


def test_finished_sources_are_scanned_again_by_url(mutirao: Cli) -> None:
    status, _, err = mutirao("sources", "rescan", "https://x.example/a")
    assert (status, err) == (1, "no finished source matches\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sources", "add", "not a url"], "not a URL: 'not a url'"),
        (["sources", "add", "https://x.example", "--title", "("], "regular expression"),
        (["sources", "list", "--limit", "9" * 20], "--limit"),
        (["tasks", "list", "--limit", "9" * 20], "--limit"),
        (["dlq", "list", "--limit", "9" * 20], "--limit"),
        (["sources", "add", "https://x.example", "--min-duration=-5"], "--min-duration"),
        (["sources", "rescan"], "either URLs or --all"),
        (["dlq", "redrive"], "say which"),
        (["dlq", "redrive", "x", "--all"], "say which"),
        (["worker", "--handler", "jobs"], "module:function"),
        (["worker", "--handler", "nowhere_at_all:f"], "no module 'nowhere_at_all'"),
        (["worker", "-c", "9" * 20], "--concurrency"),
        (["--handler", "jobs"], "module:function"),
        (["sheets-emulator", "--port", "0", "--seed-from", "nowhere.json"], "--seed-from nowhere.json"),
    ],
)
def test_a_mistake_is_one_clear_line_and_status_2(mutirao: Cli, words: list[str], said: str) -> None:
    status, _, err = mutirao(*words)
    assert status == 2
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("url", "status", "said"),
    [
        ("redis://localhost", 2, "known are"),
        ("work.db", 2, "COORDINATION_URL"),
        ("sqlite:///nowhere/at/all/work.db", 2, "directory"),
        ("sqlite://", 2, "needs a file"),
        ("postgresql://maria:hunter2@127.0.0.1:1/work", 3, "does not answer"),
    ],
)
def test_a_store_that_cannot_be_used_says_what_to_do(
    mutirao: Cli, monkeypatch: pytest.MonkeyPatch, url: str, status: int, said: str
) -> None:
    monkeypatch.setenv("COORDINATION_URL", url)
    code, _, err = mutirao("status")
    assert code == status
    assert said in err
    assert "hunter2" not in err
    assert "Traceback" not in err


def test_a_file_that_is_no_database_is_left_alone(mutirao: Cli, tmp_path: Path) -> None:
    file = tmp_path / "work.db"
    file.write_text("my diary, " * 200)
    status, _, err = mutirao("status")
    assert status == 1
    assert "no SQLite database" in err
    assert file.read_text() == "my diary, " * 200


def test_a_newer_schema_is_left_alone(mutirao: Cli, tmp_path: Path) -> None:
    mutirao("status")
    with sqlite3.connect(tmp_path / "work.db") as connection:
        connection.execute("UPDATE mutirao_schema SET version = 99")
    connection.close()
    status, _, err = mutirao("status")
    assert status == 1
    assert "schema version 99" in err
    assert "upgrade" in err


def test_help_teaches(mutirao: Cli) -> None:
    status, out, _ = mutirao("--help")
    assert status == 0
    assert all(word in out for word in ("worker", "sources", "dlq", "Exit status"))
    assert "Examples" in mutirao("dlq", "redrive", "--help")[1]
    assert mutirao("--version")[1].startswith("mutirao 0")


def test_a_worker_drains_its_store_and_prints_each_url_by_default(tmp_path: Path, dead: None) -> None:
    subprocess.run([sys.executable, "-m", "app", "dlq", "redrive", "--all"], check=True, capture_output=True)
    worker = subprocess.run(
        [sys.executable, "-m", "app", "--drain"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "LOG_FORMAT": "json"},
    )
    assert sorted(worker.stdout.split()) == ["https://x.example/v1", "https://x.example/v2"]
    lines = [json.loads(line) for line in worker.stderr.splitlines()]
    finished = [line for line in lines if line.get("event") == "TaskFinished"]
    assert {line["task"] for line in finished} == {"youtube v1", "youtube v2"}
    assert all(line["outcome"] == "completed" for line in finished)
