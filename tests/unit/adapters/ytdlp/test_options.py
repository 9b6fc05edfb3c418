"""How yt-dlp is set up."""

from pathlib import Path

import pytest

from adapters.ytdlp.options import YtDlpOptions
from domain.scan import ScanOptions
from ports.errors import ConfigurationError


def parameters(**options: object) -> dict[str, object]:
    return YtDlpOptions(**options).parameters(ScanOptions())


def test_only_youtubes_extractors_may_run_unless_asked_otherwise() -> None:
    assert parameters()["allowed_extractors"] == ["youtube(:.*)?"]
    chosen = parameters(extractors=("generic", "all", "-vimeo", "BBC.*"))["allowed_extractors"]
    assert chosen == ["generic(:.*)?", "all", "-vimeo(:.*)?", "BBC.*"]


def test_what_may_be_set_reaches_yt_dlp() -> None:
    given = parameters(sleep_requests=1.5, socket_timeout=7, retries=2, no_check_certificate=True)
    assert given["sleep_interval_requests"] == 1.5
    assert (given["socket_timeout"], given["extractor_retries"], given["nocheckcertificate"]) == (7, 2, True)
    assert YtDlpOptions().parameters(ScanOptions(single_video=True))["noplaylist"] is True


def test_what_the_user_gives_raw_wins() -> None:
    given = parameters(raw={"socket_timeout": 3, "geo_bypass_country": "BR"})
    assert (given["socket_timeout"], given["geo_bypass_country"]) == (3, "BR")


def test_a_broken_list_raises_whatever_the_user_gives() -> None:
    clients = {"youtube": {"player_client": ["web"]}, "vimeo": {"client": ["ios"]}}
    given = parameters(raw={"ignoreerrors": True, "extractor_args": clients})
    assert given["ignoreerrors"] is False
    assert given["extractor_args"] == {
        "youtube": {"player_client": ["web"], "raise_incomplete_data": [""]},
        "vimeo": {"client": ["ios"]},
    }


def test_cookies_are_read_and_their_file_is_not_handed_over(tmp_path: Path) -> None:
    (tmp_path / "cookies.txt").write_text("# Netscape HTTP Cookie File\n")
    path = str(tmp_path / "cookies.txt")
    for given in ({"cookies": path}, {"raw": {"cookiefile": path}}):
        assert parameters(**given)["cookiefile"].read() == "# Netscape HTTP Cookie File\n"
    with pytest.raises(ConfigurationError, match="YTDLP_COOKIES"):
        parameters(cookies=str(tmp_path / "none.txt"))


@pytest.mark.parametrize("proxy", ["", "proxy:3128", "http://proxy:3128", "socks5h://user:secret@proxy"])
def test_a_proxy_that_can_be_used_is_taken(proxy: str) -> None:
    assert parameters(proxy=proxy).get("proxy", "") == proxy


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"proxy": "gopher://user:secret@proxy"}, "YTDLP_PROXY.*gopher"),
        ({"raw": {"extractor_args": "youtube:x"}}, "YTDLP_OPTIONS.*object"),
        ({"raw": {"extractor_args": {"youtube": "x"}}}, "YTDLP_OPTIONS.*object"),
        ({"extractors": ()}, "extractors"),
        ({"sleep_requests": -1}, "sleep_requests"),
        ({"socket_timeout": 0}, "socket_timeout"),
        ({"retries": -1}, "retries"),
        ({"mix_limit": 0}, "mix_limit"),
    ],
)
def test_what_makes_no_sense_is_refused_when_it_is_set(options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said) as refusal:
        YtDlpOptions(**options)
    assert "secret" not in str(refusal.value)


def test_a_repr_shows_no_secret() -> None:
    options = YtDlpOptions(proxy="http://user:secret@proxy", raw={"password": "secret"})
    assert "secret" not in repr(options)
