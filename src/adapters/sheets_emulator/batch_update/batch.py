"""What the requests of one batchUpdate share."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import define

from adapters.sheets_emulator.grid.a1 import Box
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.workbook import Workbook

Reply = dict[str, Any]
Request = Mapping[str, Any]


@define
class Ids:
    """Draws the numbers that Google draws: the same ones in each run."""

    last: int = 1_000_000

    def draw(self) -> int:
        """A number not drawn before."""
        self.last += 7919
        return self.last


@define
class Batch:
    """One batchUpdate of `user` ("" is the owner) at work on a copy of the workbook.

    `before` is the workbook when it began; `seen` is what its searches take for that: the same, or older.
    """

    book: Workbook
    before: Workbook
    ids: Ids
    user: str
    seen: Workbook

    def allow(self, sheet: Sheet, box: Box) -> None:
        """Let the batch write in `box`.

        Raises:
            ApiError: a part of it is protected from its user.
        """
        self.book.check_allowed(self.user, sheet, box)


Handler = Callable[[Batch, Request], Reply | None]
