"""A YouTube on loopback, with something of everything."""

from collections.abc import Iterator

import pytest

from adapters.ytdlp.options import YtDlpOptions
from tests.contract.doubles.youtube import YouTube
from tests.contract.doubles.youtube_catalogue import Channel, Playlist, Video, videos

KINDS = ("video", "private", "deleted", "members", "upcoming", "live", "was_live")


@pytest.fixture
def youtube(tmp_path_factory: pytest.TempPathFactory) -> Iterator[YouTube]:
    with YouTube(tmp_path_factory.mktemp("youtube")) as site:
        site.add(
            Playlist("PL5", "Cinco aulas", videos(5)),
            Playlist("PL250", "Aulas de violão", videos(250)),
            Playlist("PL250old", "Aulas de violão", videos(250), layout="renderer"),
            Playlist("PLtwice", "Duas vezes", videos(5) + videos(5)),
            *(
                Playlist(f"PL{fault}", "Quebrada", videos(450), fault=fault)
                for fault in ("500", "broken", "429", "dropped", "empty", "silent", "hanging")
            ),
            Playlist("PLlate", "Hoje não", videos(5), fault="429", fault_page=1),
            Playlist("PLhangs", "Espere", videos(5), fault="hanging", fault_page=1),
            Playlist("PLtrailing", "Inteira", videos(200), trailing=True),
            Playlist("PLheals", "Sara", videos(450), fault="500", heals=True),
            *(
                Playlist(
                    f"PL{layout}",
                    "De tudo",
                    tuple(Video(f"k{n:010d}", f"{kind} {n}", kind=kind) for n, kind in enumerate(KINDS)),
                    layout=layout,
                )
                for layout in ("lockup", "renderer")
            ),
            Channel(
                "canal",
                "Canal de aulas",
                "UC" + "a" * 22,
                {
                    "videos": videos(120, "a"),
                    "streams": videos(30, "b", kind="was_live"),
                    "shorts": videos(20, "c", kind="short"),
                },
            ),
            Video("abcdefghijk", "Uma só", 75),
            *(Video(f"{kind:e<11}", "Minha", kind=kind) for kind in ("private", "members", "upcoming", "bot")),
        )
        yield site


@pytest.fixture
def options(youtube: YouTube) -> YtDlpOptions:
    return YtDlpOptions(proxy=youtube.proxy, no_check_certificate=True, retries=0)


def playlist(name: str) -> str:
    return f"https://www.youtube.com/playlist?list={name}"
