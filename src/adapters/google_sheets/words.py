"""The word in the Status cell of a live row: its lease and all of its state that changes.

``PENDING 3f2a9c1d04b7.0`` · ``CLAIMED 3f2a9c1d04b7.0 maria_k3 at=2026-12-01T12:00:00Z`` ·
``PENDING 3f2a9c1d04b7.1 tries=1 due=… since=…: the error``. First the state, then the tag (lower-case hex, as the
duplicate test of Sheets ignores case) and the epoch, then who holds it. A word is unique in its tab, so that replacing
one whole cell by another is a compare-and-set.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from attrs import evolve, field, frozen

from domain.lifecycle import State

TOMBSTONE = "DONE"
"""The Status of a row that was archived and waits to be folded away."""

HELD = MappingProxyType({"CLAIMED": State.CLAIMED, "EXTRACTING": State.CLAIMED})
STATES: Mapping[str, State] = MappingProxyType(
    {"PENDING": State.PENDING, **HELD, "COMPLETED": State.COMPLETED, "FAILED": State.FAILED}
)
ERROR_LIMIT = 1000
"""Characters of an error that a word carries, for whoever has to archive it for a worker that died."""

_WORD = re.compile(
    r"(?P<label>[A-Z]+) (?P<tag>[0-9a-f]{12})\.(?P<epoch>\d{1,18})(?: (?P<session>[a-z]\w*))?"
    r"(?P<details>(?: [a-z]+=[^\s:]\S*)*?)(?:: (?P<error>.*))?",
    re.DOTALL,
)


def tag_of(key: str) -> str:
    """What stands for `key` in a word."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _excerpt(error: str) -> str:
    return shortened(" ".join(printable(error).split()), ERROR_LIMIT)


@frozen
class Word:
    """`tries` and `crashes` count what went before; `at` is when it was claimed.

    `since` is when the first of several attempts was claimed. Times are whole milliseconds.
    """

    label: str
    tag: str
    epoch: int
    session: str = ""
    at: datetime | None = None
    tries: int = 0
    crashes: int = 0
    due: datetime | None = None
    since: datetime | None = None
    error: str = field(default="", converter=_excerpt)

    @property
    def state(self) -> State:
        return STATES[self.label]

    def claimed(self, label: str, session: str, now: datetime) -> "Word":
        """The word once `session` has claimed the row at `now`."""
        return evolve(self, label=label, session=session, at=now, due=None)

    def pending(self, **changes: Any) -> "Word":
        """The word of the row as it goes back to the queue, under the next epoch."""
        return evolve(self, label="PENDING", session="", at=None, epoch=self.epoch + 1, **changes)

    def __str__(self) -> str:
        parts = [self.label, f"{self.tag}.{self.epoch}"]
        if self.session:
            parts.append(self.session)
        for name, (write, _) in _DETAILS.items():
            value = getattr(self, name)
            if value:
                parts.append(f"{name}={write(value)}")
        word = " ".join(parts)
        return f"{word}: {self.error}" if self.error else word


def stamp(moment: datetime) -> str:
    """A time as cells show it: UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z").replace(".000Z", "Z")


_DETAILS: Mapping[str, tuple[Callable[[Any], str], Callable[[str], Any]]] = MappingProxyType(
    {
        "at": (stamp, datetime.fromisoformat),
        "tries": (str, int),
        "crashes": (str, int),
        "due": (stamp, datetime.fromisoformat),
        "since": (stamp, datetime.fromisoformat),
    }
)


def parse(text: str) -> Word | None:
    """The word that `text` is; None for whatever a person has typed."""
    match = _WORD.fullmatch(text)
    if match is None or match["label"] not in STATES:
        return None
    try:
        details = {
            name: _DETAILS[name][1](value)
            for name, _, value in (detail.partition("=") for detail in match["details"].split())
        }
    except (KeyError, ValueError):
        return None
    word = Word(match["label"], match["tag"], int(match["epoch"]), match["session"] or "", **details)
    if word.session == "" and word.state is not State.PENDING:
        return None
    if any(moment is not None and moment.tzinfo is None for moment in (word.at, word.due, word.since)):
        return None
    return evolve(word, error=match["error"] or "")


def printable(text: str) -> str:
    """`text` without what no cell can hold: control characters other than tab and newline, and halves of pairs."""
    return "".join(
        "�" if (c < " " and c not in "\t\n") or "\ud800" <= c <= "\udfff" or c == "\x7f" else c for c in text
    )


def shortened(text: str, limit: int) -> str:
    """`text`, or as much of it as `limit` characters hold, with a mark that some is missing."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def moment(text: str) -> datetime | None:
    """The time that a cell shows; None where it is none that we wrote, or somebody's own."""
    try:
        parsed = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
