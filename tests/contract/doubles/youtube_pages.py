"""What YouTube answers, as far as yt-dlp's own extractor reads it: pages, continuations, alerts."""

import json
from typing import Any

from tests.contract.doubles.youtube_catalogue import PAGE, TAB_PAGE, Channel, Kind, Layout, Playlist, Video


def playlist_page(playlist: Playlist) -> dict[str, Any]:
    """The initial data of a playlist."""
    contents = [_item(video, playlist.layout) for video in playlist.videos[:PAGE]]
    if playlist.end > PAGE:
        contents.append(_continuation(f"{playlist.id}:{PAGE}"))
    if playlist.layout == "renderer":
        contents = [{"playlistVideoListRenderer": {"contents": contents, "playlistId": playlist.id}}]
    count = playlist.claimed if playlist.claimed is not None else len(playlist.videos)
    return {
        "contents": _tabs([{"selected": True, "content": _sections(contents)}]),
        "metadata": {"playlistMetadataRenderer": {"title": playlist.title}},
        "sidebar": {
            "playlistSidebarRenderer": {
                "items": [
                    {
                        "playlistSidebarPrimaryInfoRenderer": {
                            "stats": [{"runs": [{"text": f"{count:,}"}, {"text": " videos"}]}],
                        }
                    }
                ]
            }
        },
    }


def continuation(playlist: Playlist, offset: int) -> dict[str, Any]:
    if offset >= len(playlist.videos):
        return {"responseContext": {}}
    items = [_item(video, playlist.layout) for video in playlist.videos[offset : offset + PAGE]]
    if offset + PAGE < playlist.end:
        items.append(_continuation(f"{playlist.id}:{offset + PAGE}"))
    return {"onResponseReceivedActions": [{"appendContinuationItemsAction": {"continuationItems": items}}]}


def channel_page(channel: Channel, tab: str) -> dict[str, Any]:
    base = f"/@{channel.handle}"
    tabs = []
    for name, listed in channel.tabs.items():
        contents: list[dict[str, Any]] = []
        if name == tab:
            contents = [{"richItemRenderer": {"content": _item(video, "lockup")}} for video in listed[:TAB_PAGE]]
            if len(listed) > TAB_PAGE:
                contents.append(_continuation(f"{channel.handle}/{name}:{TAB_PAGE}"))
        tabs.append(
            {
                "title": name.capitalize(),
                "selected": name == tab,
                "endpoint": {"commandMetadata": {"webCommandMetadata": {"url": f"{base}/{name}"}}},
                "content": {"richGridRenderer": {"contents": contents}},
            }
        )
    return {
        "contents": _tabs(tabs),
        "metadata": {"channelMetadataRenderer": {"title": channel.title, "externalId": channel.id}},
    }


def channel_continuation(channel: Channel, tab: str, offset: int) -> dict[str, Any]:
    listed = channel.tabs[tab]
    items: list[dict[str, Any]] = [
        {"richItemRenderer": {"content": _item(video, "lockup")}} for video in listed[offset : offset + TAB_PAGE]
    ]
    if offset + TAB_PAGE < len(listed):
        items.append(_continuation(f"{channel.handle}/{tab}:{offset + TAB_PAGE}"))
    return {"onResponseReceivedActions": [{"appendContinuationItemsAction": {"continuationItems": items}}]}


def mix_page(list_id: str, start: int) -> dict[str, Any]:
    """A page of a mix, which has no end."""
    listed = [Video(f"m{n:010d}", f"Mix {n}") for n in range(start, start + 25)]
    contents = [
        {
            "playlistPanelVideoRenderer": {
                "videoId": video.id,
                "title": {"simpleText": video.title},
                "lengthText": {"simpleText": "2:05"},
                "navigationEndpoint": {
                    "watchEndpoint": {"videoId": video.id, "index": start + place, "params": "OAE%3D"}
                },
            }
        }
        for place, video in enumerate(listed)
    ]
    playlist = {"title": "Mix", "playlistId": list_id, "contents": contents}
    return {
        "contents": {"twoColumnWatchNextResults": {"playlist": {"playlist": playlist}}},
        "currentVideoEndpoint": {"watchEndpoint": {"videoId": listed[0].id}},
    }


def alert(text: str) -> dict[str, Any]:
    return {"alerts": [{"alertRenderer": {"type": "ERROR", "text": {"simpleText": text}}}], "contents": {}}


# status, reason and what stands beneath it, in the site's own words
_UNPLAYABLE: dict[Kind, tuple[str, str, str]] = {
    "private": ("LOGIN_REQUIRED", "Private video", "Sign in if you've been granted access to this video"),
    "members": ("UNPLAYABLE", "Join this channel to get access to members-only content", "and other exclusive perks."),
    "upcoming": ("LIVE_STREAM_OFFLINE", "Premieres in 3 hours", ""),
    "bot": ("LOGIN_REQUIRED", "Sign in to confirm you’re not a bot", "This helps protect our community."),
}


def player(video: Video) -> dict[str, Any]:
    """The player's answer for a single video."""
    if video.kind in _UNPLAYABLE:
        status, reason, detail = _UNPLAYABLE[video.kind]
        subreason = {"playerErrorMessageRenderer": {"subreason": {"simpleText": detail}}}
        return {"playabilityStatus": {"status": status, "reason": reason, "errorScreen": subreason}}
    return {
        "playabilityStatus": {"status": "OK"},
        "videoDetails": {
            "videoId": video.id,
            "title": video.title,
            "lengthSeconds": str(video.seconds),
            "channelId": "UC" + "x" * 22,
            "isLiveContent": False,
        },
        "streamingData": {
            "formats": [
                {
                    "itag": 18,
                    "url": f"https://www.youtube.com/media/{video.id}.mp4",
                    "mimeType": 'video/mp4; codecs="avc1.42001E, mp4a.40.2"',
                    "width": 640,
                    "height": 360,
                    "quality": "medium",
                    "qualityLabel": "360p",
                }
            ]
        },
    }


def html(initial: dict[str, Any], extra: str = "") -> bytes:
    config = {
        "INNERTUBE_API_KEY": "double",
        "INNERTUBE_CONTEXT": {"client": {"clientName": "WEB", "clientVersion": "2.20261001.00.00", "hl": "en"}},
        "INNERTUBE_CONTEXT_CLIENT_NAME": 1,
        "INNERTUBE_CLIENT_VERSION": "2.20261001.00.00",
    }
    return (
        "<!DOCTYPE html><html><head><title>YouTube</title></head><body>"
        f"<script>ytcfg.set({json.dumps(config)});</script>"
        f"<script>var ytInitialData = {json.dumps(initial)};</script>{extra}</body></html>"
    ).encode()


def _tabs(tabs: list[dict[str, Any]]) -> dict[str, Any]:
    return {"twoColumnBrowseResultsRenderer": {"tabs": [{"tabRenderer": tab} for tab in tabs]}}


def _sections(contents: list[dict[str, Any]]) -> dict[str, Any]:
    return {"sectionListRenderer": {"contents": [{"itemSectionRenderer": {"contents": contents}}]}}


def _continuation(token: str) -> dict[str, Any]:
    return {
        "continuationItemRenderer": {
            "trigger": "CONTINUATION_TRIGGER_ON_ITEM_SHOWN",
            "continuationEndpoint": {
                "continuationCommand": {"token": token, "request": "CONTINUATION_REQUEST_TYPE_BROWSE"}
            },
        }
    }


def _item(video: Video, layout: Layout) -> dict[str, Any]:
    if video.kind == "short":
        return {
            "shortsLockupViewModel": {
                "entityId": f"shorts-{video.id}",
                "onTap": {"innertubeCommand": {"reelWatchEndpoint": {"videoId": video.id}}},
                "overlayMetadata": {"primaryText": {"content": video.title}},
            }
        }
    return _renderer(video) if layout == "renderer" else _lockup(video)


def _clock(seconds: int) -> str:
    return (
        f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        if seconds >= 3600
        else f"{seconds // 60}:{seconds % 60:02}"
    )


def _title(video: Video) -> str:
    return {"private": "[Private video]", "deleted": "[Deleted video]"}.get(video.kind, video.title)


def _lockup(video: Video) -> dict[str, Any]:
    badge: dict[str, Any] = {"text": _clock(video.seconds), "badgeStyle": "THUMBNAIL_OVERLAY_BADGE_STYLE_DEFAULT"}
    if video.kind == "upcoming":
        badge["text"] = "UPCOMING"
    if video.kind == "live":
        badge = {"text": "LIVE", "badgeStyle": "THUMBNAIL_OVERLAY_BADGE_STYLE_LIVE"}
    rows: list[dict[str, Any]] = [
        {
            "metadataParts": [
                {"text": {"content": "1K views"}},
                {
                    "text": {"content": "Streamed 2 days ago" if video.kind == "was_live" else "2 days ago"},
                    "accessibilityLabel": "when",
                },
            ]
        }
    ]
    if video.kind == "members":
        rows.append({"badges": [{"badgeViewModel": {"badgeStyle": "BADGE_MEMBERS_ONLY", "badgeText": "Members only"}}]})
    return {
        "lockupViewModel": {
            "contentId": video.id,
            "contentType": "LOCKUP_CONTENT_TYPE_VIDEO",
            "contentImage": {
                "thumbnailViewModel": {
                    "overlays": [{"thumbnailBottomOverlayViewModel": {"badges": [{"thumbnailBadgeViewModel": badge}]}}]
                }
            },
            "metadata": {
                "lockupMetadataViewModel": {
                    "title": {"content": _title(video)},
                    "metadata": {"contentMetadataViewModel": {"metadataRows": rows}},
                }
            },
        }
    }


def _renderer(video: Video) -> dict[str, Any]:
    renderer: dict[str, Any] = {"videoId": video.id, "title": {"runs": [{"text": _title(video)}]}, "isPlayable": True}
    if video.kind not in ("private", "deleted"):
        renderer |= {"lengthSeconds": str(video.seconds), "lengthText": {"simpleText": _clock(video.seconds)}}
    if video.kind == "upcoming":
        renderer |= {"upcomingEventData": {"startTime": "1893456000"}}
    if video.kind == "members":
        renderer |= {
            "badges": [{"metadataBadgeRenderer": {"style": "BADGE_STYLE_TYPE_MEMBERS_ONLY", "label": "Members only"}}]
        }
    return {"playlistVideoRenderer": renderer}
