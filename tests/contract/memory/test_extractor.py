"""The scripted extractor keeps the extractor's contract."""

import pytest

from adapters.memory.extractor import MemoryExtractor, ScriptedSource
from domain.scan import Entry, SkipReason
from ports.errors import SourceGone, SourceIncomplete
from ports.testing.extractor import ExtractorBackend, MetadataExtractorContract, listed
from ports.testing.scenario import scenario


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
            "https://nameless": ScriptedSource(entries=entries(1)),
        }
        extractor = MemoryExtractor(sources)
        return ExtractorBackend(
            lambda: extractor,
            long_list="https://long",
            length=250,
            name="Long",
            missing="https://missing",
            unsupported="https://unsupported",
            doubled="https://twice",
            broken="https://broken",
            unwatchable="https://private",
            watchable=2,
            nameless="https://nameless",
            single="https://nameless",
            fetches=extractor.fetches.total,
        )


@scenario
async def test_a_failure_may_heal() -> None:
    url, trouble = "https://x", SourceIncomplete("https://x")
    extractor = MemoryExtractor({url: ScriptedSource(entries=entries(250), failure=trouble, fails_at=2, heals_after=1)})
    with pytest.raises(SourceIncomplete):
        await listed(extractor, url)
    assert len(await listed(extractor, url)) == 250
