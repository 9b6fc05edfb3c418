"""How yt-dlp is set up."""

from adapters.ytdlp.options import YtDlpOptions
from domain.scan import ScanOptions


def test_a_broken_list_raises_and_plugins_need_no_mention() -> None:
    parameters = YtDlpOptions().parameters(ScanOptions())
    assert parameters["ignoreerrors"] is False
    assert parameters["extractor_args"]["youtube"]["raise_incomplete_data"] == [""]
    assert parameters["allowed_extractors"] == ["youtube(:.*)?"]


def test_what_the_user_gives_raw_wins() -> None:
    parameters = YtDlpOptions(raw={"socket_timeout": 3, "geo_bypass_country": "BR"}).parameters(ScanOptions())
    assert (parameters["socket_timeout"], parameters["geo_bypass_country"]) == (3, "BR")
