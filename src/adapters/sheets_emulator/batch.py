"""What the requests of one batchUpdate share."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import define

from adapters.sheets_emulator.errors import ApiError, invalid
from adapters.sheets_emulator.workbook import Workbook

Reply = dict[str, Any]
Request = Mapping[str, Any]


@define
class Ids:
    """Draws the numbers that Google draws: the same ones in each run."""

    last: int = 1_000_000

    def draw(self) -> int:
        self.last += 7919
        return self.last


@define
class Batch:
    """One batchUpdate at work on a copy of the workbook. `where` begins the errors of the request at hand."""

    book: Workbook
    ids: Ids
    where: str = ""

    def error(self, text: str) -> ApiError:
        return invalid(self.where + text)


Handler = Callable[[Batch, Request], Reply | None]


def fields_of(request: Request) -> list[str]:
    """The names of a field mask; ``*`` where there is none."""
    return [name.strip().replace("/", ".") for name in request.get("fields", "*").split(",")]
