"""What the doctor finds, part by part, and how it says so."""

import json
import sys

import pytest

from adapters.memory.broker import MemoryBroker
from adapters.memory.coordination import MemoryCoordinationStore
from adapters.memory.extractor import MemoryExtractor
from adapters.memory.message_queue import Post
from adapters.memory.time import ManualClock, SequentialIds
from app.cli.main import main
from app.use_cases.diagnose import diagnose_broker, diagnose_extractor, diagnose_store, try_assumptions
from domain.finding import Finding, Verdict, good, warning
from domain.work import Task
from ports.diagnosis import Assuming, Diagnosable
from ports.errors import ConfigurationError, StoreUnavailable
from ports.testing.scenario import scenario


def memory_store() -> MemoryCoordinationStore:
    return MemoryCoordinationStore(clock=ManualClock(), ids=SequentialIds())


class TalkingStore(MemoryCoordinationStore, Diagnosable, Assuming):
    async def diagnose(self) -> list[Finding]:
        return [warning("disk", "nearly full", "buy another")]

    async def try_assumptions(self) -> list[Finding]:
        return [good("disk", "turns")]


def talking_store() -> TalkingStore:
    return TalkingStore(clock=ManualClock(), ids=SequentialIds())


def silent_store() -> MemoryCoordinationStore:
    raise StoreUnavailable("the database does not answer")


def wrong_store() -> MemoryCoordinationStore:
    raise ConfigurationError("COORDINATION_URL is no URL")


@scenario
async def test_a_store_that_says_nothing_of_itself_is_opened() -> None:
    store = memory_store()
    await store.tasks.add([Task("url 1", "https://x.example/1")])
    (finding,) = await diagnose_store(lambda: store)
    assert finding.verdict is Verdict.GOOD
    assert "0 sources and 1 tasks to do" in finding.seen


@scenario
async def test_an_adapter_that_can_speak_for_itself_does() -> None:
    assert await diagnose_store(talking_store) == [warning("disk", "nearly full", "buy another")]
    assert await try_assumptions(talking_store) == [good("disk", "turns")]


@pytest.mark.parametrize("build", [silent_store, wrong_store])
def test_a_store_that_fails_is_a_problem_and_no_error(build: object) -> None:
    @scenario
    async def diagnosed() -> None:
        (finding,) = await diagnose_store(build)  # type: ignore[arg-type]
        assert finding.verdict is Verdict.PROBLEM
        assert finding.seen.startswith(("the database does not answer", "COORDINATION_URL is no URL"))

    diagnosed()


@scenario
async def test_an_extractor_that_says_nothing_is_let_be() -> None:
    (finding,) = await diagnose_extractor(MemoryExtractor)
    assert finding.verdict is Verdict.NOTE


@scenario
async def test_a_broker_is_asked_what_waits() -> None:
    broker = MemoryBroker(clock=ManualClock(), ids=SequentialIds(), post=Post())
    (finding,) = await diagnose_broker(lambda: broker, "videos")
    assert finding == good("broker", "answers: in videos 0 tasks wait, 0 are dead")


class Doctor:
    """The command; its exit status and what it says on stdout."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *options: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ending:
            main(["doctor", *options])
        out, err = self._capfd.readouterr()
        return int(ending.value.code or 0), out, err


@pytest.fixture
def doctor(bare_environment: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Doctor:
    bare_environment.setenv("COORDINATION_URL", "memory://")
    bare_environment.setenv("NO_COLOR", "1")
    return Doctor(capfd)


def test_what_is_well_ends_with_0(doctor: Doctor) -> None:
    status, out, _ = doctor()
    assert status == 0
    assert "all of it works" in out
    assert "\x1b" not in out
    settings = {line.split()[0]: line.split() for line in out.partition("Store")[0].splitlines()[2:] if line}
    assert settings["COORDINATION_URL"][1:] == ["memory://", "environment"]


def test_a_problem_ends_with_1_and_hides_no_other(doctor: Doctor, bare_environment: pytest.MonkeyPatch) -> None:
    bare_environment.setenv("COORDINATION_URL", "clouds://user:hunter2@host/")
    bare_environment.setenv("YTDLP_EXTRACTORS", "youtub")
    bare_environment.setenv("BROKER_URL", "amqp://user:hunter2@127.0.0.1:1/")
    status, out, err = doctor("--json")
    said = json.loads(out)
    problems = {finding["part"]: finding for finding in said["findings"] if finding["verdict"] == "problem"}
    assert status == 1
    assert said["works"] is False
    assert problems.keys() == {"store", "extractor", "push queue"}
    assert "known are" in problems["store"]["seen"]
    assert "YTDLP_EXTRACTORS" in problems["extractor"]["fix"]
    assert "hunter2" not in out + err
    assert err == ""


def test_problems_are_counted_and_their_fix_stands_below(doctor: Doctor, bare_environment: pytest.MonkeyPatch) -> None:
    bare_environment.setenv("YTDLP_EXTRACTORS", "youtub")
    status, out, _ = doctor()
    lines = [" ".join(line.split()) for line in out.splitlines()]
    at = lines.index("✗ extractors yt-dlp has no extractor youtub")
    assert lines[at + 1].startswith("→ write it in YTDLP_EXTRACTORS")
    assert (status, lines[-1]) == (1, "1 to put right")


def test_what_pushes_is_said(
    doctor: Doctor, bare_environment: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dispatcher() -> dict[str, str]:
        findings = json.loads(doctor("--json")[1])["findings"]
        return next(finding for finding in findings if finding["subject"] == "dispatcher")

    assert dispatcher()["seen"] == "curl"
    bare_environment.setenv("HTTP_DISPATCHER", "httpx")
    assert dispatcher()["seen"] == "httpx"
    bare_environment.setenv("HTTP_DISPATCHER", "curl")
    for module in [name for name in sys.modules if name.startswith("adapters.curl_push")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pycurl", None)
    assert dispatcher()["verdict"] == "problem"
    bare_environment.setenv("HTTP_DISPATCHER", "")
    assert dispatcher()["seen"].startswith("httpx, as pycurl does not load")


def test_only_a_spreadsheet_is_tried_out(doctor: Doctor) -> None:
    status, _, err = doctor("--spreadsheet")
    assert status == 2
    assert "--spreadsheet" in err


def test_settings_that_cannot_be_read_end_with_2(doctor: Doctor, bare_environment: pytest.MonkeyPatch) -> None:
    bare_environment.setenv("LEASE_TTL", "soon")
    bare_environment.setenv("BATCH", "many")
    status, _, err = doctor()
    assert status == 2
    assert "LEASE_TTL" in err
    assert "BATCH" in err
