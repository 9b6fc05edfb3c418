"""What a user hands in becomes a handler, or a clear word on why not."""

import logging
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import InvalidHandler
from app.handlers import as_handler, load_handler
from app.use_cases.run_task import HandlerFailed
from domain.work import Task
from ports.testing.scenario import scenario

TASK = Task(key="youtube a", url="https://x.example/a", id="a")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "my_jobs.py").write_text(
        "LIMIT = 3\n"
        "def one(url): pass\n"
        "def none(): pass\n"
        "def two(a, b): pass\n"
        "def steps(url): yield\n"
        "async def async_steps(url): yield\n"
        "class Group:\n    @staticmethod\n    def method(url): pass\n"
    )
    (tmp_path / "my_broken.py").write_text("import nothing_like_this\n")
    (tmp_path / "my_exit.py").write_text("raise SystemExit(4)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return "my_jobs"


def test_a_handler_is_found_in_the_working_directory(module: str) -> None:
    assert load_handler(f"{module}:one").__name__ == "one"
    assert load_handler(f"{module}:Group.method").__name__ == "method"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("jobs", "module:function"),
        ("jobs:", "module:function"),
        ("nowhere_at_all:f", "no module 'nowhere_at_all'"),
        ("my_jobs:missing", "has no 'missing'"),
        ("my_jobs:LIMIT", "is a int, not a function"),
        ("my_jobs:none", "must take one argument"),
        ("my_jobs:two", "must take one argument"),
        ("my_jobs:steps", "a generator"),
        ("my_jobs:async_steps", "a generator"),
        ("my_broken:f", "nothing_like_this"),
        ("my_exit:f", "SystemExit"),
    ],
)
def test_what_is_no_handler_is_told_why(module: str, spec: str, said: str) -> None:
    with pytest.raises(InvalidHandler, match=said):
        load_handler(spec)


@scenario
async def test_a_function_is_given_the_url_or_the_task_it_asks_for() -> None:
    seen: list[object] = []

    def by_url(url: str) -> None:
        seen.append(url)

    def by_task(task: Task) -> None:
        seen.append(task)

    async def in_async(url: str) -> None:
        seen.append(url)

    for function in (by_url, by_task, in_async):
        await as_handler(function)(TASK)
    assert seen == [TASK.url, TASK, TASK.url]


class AsyncObject:
    async def __call__(self, url: str) -> None:
        raise ValueError(f"ran {url}")


def wrapper(url: str) -> object:
    return AsyncObject()(url)


@pytest.mark.parametrize("function", [AsyncObject(), wrapper])
@scenario
async def test_what_is_async_without_looking_so_is_run_all_the_same(function: Callable[[str], object]) -> None:
    with pytest.raises(HandlerFailed, match="ran https"):
        await as_handler(function)(TASK)


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (Unspeakable(), "(its own text cannot be shown)"),
        (ValueError("URL inválida"), "URL inválida"),
        (ValueError(), "ValueError"),
        (SystemExit(3), "the handler raised SystemExit(3)"),
        (KeyboardInterrupt(), "the handler raised KeyboardInterrupt()"),
        (StopIteration(), "StopIteration"),
        (ValueError("ü" * 5_000_000), "ü" * 100_000 + "… (4900000 characters more)"),
        (GeneratorExit(), "the handler raised GeneratorExit()"),
    ],
    ids=lambda value: type(value).__name__,
)
@scenario
async def test_whatever_a_handler_raises_is_the_tasks_error(error: BaseException, text: str) -> None:
    def handler(url: str) -> None:
        raise error

    with pytest.raises(HandlerFailed) as failure:
        await as_handler(handler)(TASK)
    assert str(failure.value) == text


@scenario
async def test_what_a_handler_returns_is_ignored_and_it_is_told_so_once(caplog: pytest.LogCaptureFixture) -> None:
    handler = as_handler(lambda url: {"ok": False})
    with caplog.at_level(logging.WARNING):
        await handler(TASK)
        await handler(TASK)
    assert [record.getMessage() for record in caplog.records if "returned a dict" in record.getMessage()]
    assert len(caplog.records) == 1
