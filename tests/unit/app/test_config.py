"""`Config` takes what yt-gsheet-orchestrator's takes, and refuses what it refuses."""

import socket
from pathlib import Path

import pytest

from app import Config

pytestmark = pytest.mark.usefixtures("bare_environment")


def test_three_values_by_position_or_name_are_a_spreadsheet() -> None:
    config = Config("w", "abc", "key.json")
    assert config == Config(worker_name="w", spreadsheet_id="abc", service_account_file="key.json")
    assert (config.worker_name, config.spreadsheet_id, config.service_account_file) == ("w", "abc", "key.json")
    assert config.settings.coordination_url == "gsheets://abc"
    assert repr(config) == "Config(worker_name='w', spreadsheet_id='abc', service_account_file='key.json')"


def test_the_environment_says_what_is_not_given(bare_environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    key.touch()
    bare_environment.setenv("SPREADSHEET_ID", "from-environment")
    bare_environment.setenv("SERVICE_ACCOUNT_FILE", str(key))
    config = Config(spreadsheet_id="given")
    assert (config.spreadsheet_id, config.service_account_file) == ("given", str(key))


def test_without_a_spreadsheet_the_work_is_shared_through_the_embedded_store() -> None:
    config = Config()
    assert config.settings.coordination_url == "sqlite:///mutirao.db"
    assert config.worker_name == socket.gethostname()
    assert config.spreadsheet_id is None
    assert config.service_account_file is None


def test_an_account_without_a_spreadsheet_is_a_value_error_that_names_it() -> None:
    with pytest.raises(ValueError, match="SPREADSHEET_ID"):
        Config(service_account_file="key.json")


def test_a_wrong_variable_is_a_value_error_too(bare_environment: pytest.MonkeyPatch) -> None:
    bare_environment.setenv("LEASE_TTL", "soon")
    with pytest.raises(ValueError, match="LEASE_TTL"):
        Config()
