"""The live view of a worker."""

import pytest

from app.cli.progress import ProgressView
from app.events import PageStored, SourceStarted
from domain.work import Source


@pytest.mark.parametrize("name", ["a [/red] title", "[link=x] title", "[bold]title"])
def test_a_title_in_brackets_is_shown_as_it_is(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    source = Source(key="url 1", url="https://x.example/1")
    view = ProgressView()
    with view:
        view.hear(SourceStarted(source, 1))
        view.hear(PageStored(source, name, 1, 0, 2))
    assert name in capfd.readouterr().err
