"""yt-dlp's own extractors keep the extractor's contract: YouTube's in both layouts, and the generic one on a feed."""

from collections.abc import Iterator

import pytest

from adapters.ytdlp.extractor import YtDlpExtractor
from adapters.ytdlp.options import YtDlpOptions
from ports.testing.extractor import ExtractorBackend, MetadataExtractorContract
from tests.contract.doubles.feed import Feed
from tests.contract.doubles.youtube import YouTube
from tests.contract.ytdlp.conftest import playlist


class TestYouTube(MetadataExtractorContract):
    @pytest.fixture(params=["PL250", "PL250old"])
    def backend(self, request: pytest.FixtureRequest, youtube: YouTube, options: YtDlpOptions) -> ExtractorBackend:
        return ExtractorBackend(
            lambda: YtDlpExtractor(options),
            long_list=playlist(request.param),
            length=250,
            name="Aulas de violão",
            missing=playlist("PLnowhere"),
            unsupported="https://example.org/watch",
            doubled=playlist("PLtwice"),
            broken=playlist("PL500"),
            unwatchable=playlist("PLlockup"),
            watchable=3,
            single="https://www.youtube.com/watch?v=abcdefghijk",
            fetches=youtube.requests.total,
        )


class TestFeed(MetadataExtractorContract):
    @pytest.fixture
    def backend(self) -> Iterator[ExtractorBackend]:
        options = YtDlpOptions(extractors=("generic",))
        with Feed(long=[f"Episode {n}" for n in range(250)], untitled=["One"]) as feed:
            yield ExtractorBackend(
                lambda: YtDlpExtractor(options),
                long_list=feed.url("long"),
                length=250,
                name="Feed long",
                missing=feed.url("nowhere"),
                unsupported=feed.plain,
                nameless=feed.url("untitled"),
                single=feed.file,
            )
