"""The scripted extractor keeps the extractor's contract."""

import pytest

from adapters.memory.extractor import MemoryExtractor, ScriptedSource
from domain.scan import Entry, SkipReason
from ports.errors import SourceGone, SourceIncomplete
from ports.testing.extractor import ExtractorBackend, MetadataExtractorContract


def entries(count: int) -> list[Entry]:
    return [Entry(f"youtube v{n}", f"https://x.example/v{n}", f"v{n}", f"Video {n}") for n in range(count)]


class TestMemoryExtractor(MetadataExtractorContract):
    @pytest.fixture
    def backend(self) -> ExtractorBackend:
        sources = {
            "https://long": ScriptedSource("Long", entries(250)),
            "https://twice": ScriptedSource("Twice", [*entries(3), *entries(3)]),
            "https://broken": ScriptedSource(
                "Broken", entries(250), failure=SourceIncomplete("https://broken"), fails_at=2
            ),
            "https://missing": ScriptedSource(failure=SourceGone("https://missing: gone")),
            "https://private": ScriptedSource("Private", [*entries(2), SkipReason.PRIVATE]),
        }
        return ExtractorBackend(
            lambda: MemoryExtractor(sources),
            long_list="https://long",
            length=250,
            name="Long",
            missing="https://missing",
            unsupported="https://unsupported",
            doubled="https://twice",
            broken="https://broken",
            unwatchable="https://private",
            watchable=2,
        )
