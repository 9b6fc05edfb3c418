"""What there is on the YouTube that tests talk to, and what is wrong with it."""

from typing import Any, Literal

from attrs import field, frozen

PAGE = 100
TAB_PAGE = 30

Kind = Literal["video", "private", "deleted", "members", "upcoming", "short", "live", "was_live", "bot"]
Layout = Literal["lockup", "renderer"]
Fault = Literal["500", "broken", "429", "dropped", "empty", "silent", "hanging"]


@frozen
class Video:
    id: str
    title: str
    seconds: int = 125
    kind: Kind = "video"


@frozen
class Playlist:
    """`fault` strikes on page `fault_page` (from 1), each time or, with `heals`, only the first time.

    "silent" is a list that ends before that page as if it were whole. With `trailing`, an empty page follows the last.
    """

    id: str
    title: str
    videos: tuple[Video, ...]
    layout: Layout = "lockup"
    claimed: int | None = None
    fault: Fault | None = None
    fault_page: int = 3
    heals: bool = False
    trailing: bool = False

    @property
    def end(self) -> int:
        """Where the site stops referring to a further page."""
        if self.fault == "silent":
            return (self.fault_page - 1) * PAGE
        return len(self.videos) + PAGE * self.trailing


@frozen
class Channel:
    """A handle with tabs: videos, streams, shorts."""

    handle: str
    title: str
    id: str
    tabs: dict[str, tuple[Video, ...]] = field(factory=dict)


def videos(count: int, prefix: str = "v", **changes: Any) -> tuple[Video, ...]:
    return tuple(Video(f"{prefix}{n:0{11 - len(prefix)}d}", f"Vídeo {n}", **changes) for n in range(count))
