"""An environment in which nothing is set, whatever the machine's says."""

from pathlib import Path

import pytest

from app import Settings


@pytest.fixture
def bare_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No variable of ours is set and no `.env` is near; set what the test needs on it."""
    for name in [row.name for row in Settings().describe()] + ["BOREAL_RABBITMQ_URL"]:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".env").touch()
    monkeypatch.chdir(tmp_path)
    return monkeypatch
