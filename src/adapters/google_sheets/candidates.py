"""Which rows a session tries to claim, and in which order."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from adapters.google_sheets.rows import Row
from domain.claiming import share_out, slice_of
from domain.lifecycle import State
from domain.work import ItemT


def candidates(
    rows: Sequence[Row[ItemT]], *, elsewhere: Collection[str], now: datetime, session: str, live: Sequence[str]
) -> Sequence[Row[ItemT]]:
    """The PENDING rows that are due, this session's share first; none whose tag has a word `elsewhere`.

    Of a key with several live rows (a person has copied one) the oldest epoch is the one, and only while none is past
    PENDING: so that one key is recorded once.
    """
    by_tag: dict[str, list[Row[ItemT]]] = defaultdict(list)
    for row in rows:
        if row.word is not None and not row.empty:
            by_tag[row.tag].append(row)
    chosen = [
        min(twins, key=_epoch)
        for tag, twins in by_tag.items()
        if tag not in elsewhere and all(_pending(row) for row in twins)
    ]
    due: dict[str, Row[ItemT]] = {}
    for row in chosen:
        if row.word is not None and (row.word.due is None or row.word.due <= now):
            due[row.tag] = row
    return [due[tag] for tag in share_out([*due], session, live)]


def is_own(tag: str, session: str, live: Sequence[str]) -> bool:
    """Whether a row of `tag` is in the share of `session`."""
    sessions = sorted({*live, session})
    return slice_of(tag, len(sessions)) == sessions.index(session)


def _pending(row: Row[ItemT]) -> bool:
    return row.word is not None and row.word.state is State.PENDING


def _epoch(row: Row[ItemT]) -> int:
    return row.word.epoch if row.word else 0
