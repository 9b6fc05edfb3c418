"""What is said of yt-dlp."""

from pathlib import Path

import pytest
from yt_dlp.utils._jsruntime import JsRuntimeInfo

from adapters.ytdlp import diagnosis
from adapters.ytdlp.options import YtDlpOptions
from domain.finding import Finding, Verdict


def findings(**options: object) -> dict[str, Finding]:
    return {finding.subject: finding for finding in diagnosis.findings(YtDlpOptions(**options))}


def test_the_version_and_what_may_run_are_said() -> None:
    found = findings(extractors=("youtube", "generic"))
    assert found["yt-dlp"].verdict is Verdict.GOOD
    assert found["extractors"].seen == "youtube, generic"


@pytest.mark.parametrize("names", [("all", "-vimeo"), ("default",), ("Youtube:TAB",), ("bbc.*",)])
def test_what_stands_for_extractors_is_known(names: tuple[str, ...]) -> None:
    assert findings(extractors=names)["extractors"].verdict is Verdict.GOOD


def test_a_name_that_is_no_extractors_is_a_problem() -> None:
    found = findings(extractors=("youtube", "youtub", "-vimeoo"))["extractors"]
    assert found.verdict is Verdict.PROBLEM
    assert found.seen == "yt-dlp has no extractor youtub, -vimeoo"


def test_settings_that_yt_dlp_does_not_take_are_a_problem(tmp_path: Path) -> None:
    for options in ({"cookies": str(tmp_path / "none.txt")}, {"extractors": ("(",)}):
        assert findings(**options)["settings"].verdict is Verdict.PROBLEM


class Runtime:
    def __init__(self, info: JsRuntimeInfo | None) -> None:
        self.info = info


def test_a_runtime_that_is_too_old_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    from yt_dlp.globals import supported_js_runtimes

    old = JsRuntimeInfo("node", "node", "12.0", (12, 0), supported=False)
    new = JsRuntimeInfo("deno", "deno", "2.5", (2, 5))
    monkeypatch.setattr(supported_js_runtimes, "value", {"node": lambda: Runtime(old), "bun": lambda: Runtime(None)})
    found = findings()["JavaScript runtime"]
    assert (found.verdict, found.seen) == (Verdict.NOTE, "node 12.0 (too old); listing does without")
    monkeypatch.setattr(supported_js_runtimes, "value", {"node": lambda: Runtime(old), "deno": lambda: Runtime(new)})
    found = findings()["JavaScript runtime"]
    assert (found.verdict, found.seen) == (Verdict.GOOD, "node 12.0 (too old), deno 2.5")
