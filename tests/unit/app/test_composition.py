"""Adapters are found by scheme or swapped by keyword; `import app` loads none of them."""

import subprocess
import sys

import pytest

from adapters.memory.coordination import MemoryCoordinationStore
from adapters.memory.extractor import MemoryExtractor
from adapters.memory.time import ManualClock, SequentialIds
from app import ConfigurationError, Settings, UnknownAdapter, create_app


def test_importing_app_loads_no_vendor() -> None:
    vendors = ("yt_dlp", "gspread", "pika", "sqlalchemy", "httpx", "pycurl", "rich", "typer")
    code = f"import sys, app; print(*[name for name in {vendors} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert loaded.split() == []


def test_an_adapter_of_ones_own_takes_the_configured_ones_place() -> None:
    store, extractor = MemoryCoordinationStore(clock=ManualClock(), ids=SequentialIds()), MemoryExtractor()
    app = create_app(Settings(), coordination_store=store, extractor=extractor)
    assert app.store is store
    assert app.extractor is extractor


def test_an_unknown_scheme_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownAdapter, match=r"memory://.*postgresql://.*sqlite://"):
        create_app(Settings(coordination_url="redis://user:secret@host/0"))


def test_an_unknown_scheme_shows_no_password() -> None:
    with pytest.raises(UnknownAdapter) as problem:
        create_app(Settings(coordination_url="redis://user:secret@host/0"))
    assert "secret" not in str(problem.value)


def test_an_adapter_that_there_is_no_place_for_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="no place for an adapter 'colour'"):
        create_app(Settings(coordination_url="memory://"), colour="red")


def test_memory_is_a_store_like_any_other() -> None:
    assert isinstance(create_app(Settings(coordination_url="memory://")).store, MemoryCoordinationStore)
