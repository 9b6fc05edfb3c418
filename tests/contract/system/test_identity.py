"""Worker ids in slots on disk keep the port's contract, and hold between real processes."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from adapters.system.identity import SystemIdentity, state_directory
from adapters.system.time import SystemIds
from ports.identity import WorkerIdentity
from ports.testing.identity import WorkerIdentityContract

LIVE_UNTIL_KILLED = """
import sys
from adapters.system.identity import SystemIdentity
from adapters.system.time import SystemIds
identity = SystemIdentity(SystemIds())
print(identity.acquire("maria").id, flush=True)
sys.stdin.read()
"""


class TestSystemIdentity(WorkerIdentityContract):
    @pytest.fixture
    def start(self, tmp_path: Path) -> Iterator[Callable[[], WorkerIdentity]]:
        with ExitStack() as ends:

            def start() -> WorkerIdentity:
                identity = SystemIdentity(SystemIds(), state=tmp_path)
                ends.callback(identity.release)
                return identity

            yield start


class Live:
    """A live process that is a worker called maria."""

    def __init__(self, state: Path) -> None:
        environment = {**os.environ, "MUTIRAO_STATE_DIR": str(state)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", LIVE_UNTIL_KILLED],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self._process.stdout is not None
        self.id = self._process.stdout.readline().strip()

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Callable[[], Live]]:
    with ExitStack() as ends:

        def start() -> Live:
            process = Live(tmp_path)
            ends.callback(process.kill)
            return process

        yield start


def test_two_live_processes_have_different_ids(live: Callable[[], Live]) -> None:
    one, other = live(), live()
    assert one.id
    assert other.id
    assert one.id != other.id


def test_a_killed_process_leaves_its_id_to_the_next(live: Callable[[], Live]) -> None:
    one, other = live(), live()
    one.kill()
    assert live().id == one.id
    assert live().id not in {one.id, other.id}


def test_a_slot_of_another_host_is_never_used(tmp_path: Path) -> None:
    here = SystemIdentity(SystemIds(), state=tmp_path, host="here.example")
    worker = here.acquire("maria")
    here.release()
    there = SystemIdentity(SystemIds(), state=tmp_path, host="there.example")
    assert there.acquire("maria").id != worker.id
    there.release()


@pytest.mark.parametrize("content", [b"", b"wab", b"\xff\xfe", b"../../etc"])
def test_a_slot_whose_id_is_broken_gets_another_that_lasts(tmp_path: Path, content: bytes) -> None:
    identity = SystemIdentity(SystemIds(), state=tmp_path)
    identity.acquire("maria")
    identity.release()
    (slot,) = tmp_path.rglob("*.id")
    slot.write_bytes(content)
    worker = identity.acquire("maria")
    identity.release()
    assert identity.acquire("maria") == worker
    assert slot.read_text().strip() == worker.id
    identity.release()


def test_without_a_place_to_write_ids_are_fresh_and_a_warning_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    identity = SystemIdentity(SystemIds(), state=in_the_way)
    assert identity.acquire("maria") != identity.acquire("maria")
    assert "MUTIRAO_STATE_DIR" in caplog.text


def test_without_a_home_ids_are_fresh_too(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    for name in ("MUTIRAO_STATE_DIR", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert SystemIdentity(SystemIds()).acquire("maria").name == "maria"
    assert "home directory" in caplog.text


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"MUTIRAO_STATE_DIR": "/chosen", "XDG_STATE_HOME": "/xdg"}, Path("/chosen")),
        ({"XDG_STATE_HOME": "/xdg"}, Path("/xdg/mutirao")),
        ({"LOCALAPPDATA": "/windows"}, Path("/windows/mutirao")),
        ({"HOME": "/home/maria"}, Path("/home/maria/.local/state/mutirao")),
    ],
)
def test_state_is_kept_where_the_platform_keeps_it(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: Path
) -> None:
    for name in ("MUTIRAO_STATE_DIR", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert state_directory() == expected
