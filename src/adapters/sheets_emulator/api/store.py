"""The spreadsheets that there are, and who may use them."""

from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from adapters.sheets_emulator.batch_update.batch import Ids
from adapters.sheets_emulator.grid.sheet import Sheet
from adapters.sheets_emulator.grid.workbook import Workbook
from ports.time import Clock

_ROLES = ("", "reader", "commenter", "writer", "owner")


@frozen
class Permission:
    """A role for a user, a group, a domain, or anyone."""

    id: str
    kind: str
    role: str
    address: str = ""

    def body(self) -> dict[str, Any]:
        """As Drive answers it."""
        body: dict[str, Any] = {"kind": "drive#permission", "id": self.id, "type": self.kind, "role": self.role}
        if self.kind == "anyone":
            return {**body, "allowFileDiscovery": False}
        if self.kind == "domain":
            return {**body, "domain": self.address, "displayName": self.address}
        named = {"emailAddress": self.address, "displayName": self.address}
        return {**body, **named, "deleted": False, "pendingOwner": False}

    def covers(self, user: str) -> bool:
        """Whether it is for `user`."""
        if self.kind == "anyone":
            return True
        return user.endswith(f"@{self.address}") if self.kind == "domain" else user == self.address


@define
class StoredFile:
    """A spreadsheet in Drive.

    `raced` is the spreadsheet before the last write and whose that was, as long as nobody has read or edited since.
    """

    book: Workbook
    permissions: list[Permission] = field(factory=list)
    parents: list[str] = field(factory=list)
    revision: int = 0
    raced: tuple[Workbook, str] | None = None

    def role(self, user: str) -> str:
        """What `user` may be here; "" is the owner of everything. Empty for nothing at all."""
        if not user:
            return "owner"
        return max((one.role for one in self.permissions if one.covers(user)), key=_ROLES.index, default="")


class Store:
    """Spreadsheets by id."""

    def __init__(self, clock: Clock) -> None:
        self.files: dict[str, StoredFile] = {}
        self.ids = Ids()
        self.watchers: list[Callable[[str], None]] = []
        self._clock = clock

    def create(self, title: str, *, owner: str = "", identifier: str = "", tab: str = "Sheet1") -> StoredFile:
        """A new spreadsheet with one empty tab, for its owner only; for anyone if it has none."""
        identifier = identifier or f"emulated_{self.ids.draw()}_{'x' * 24}"
        now = self._now()
        book = Workbook(identifier, title, sheets=[Sheet(0, tab)], created=now, modified=now)
        permission = (
            Permission(self.draw_id(), "user", "owner", owner) if owner else Permission("anyone", "anyone", "writer")
        )
        self.files[identifier] = StoredFile(book, [permission])
        self._tell(identifier)
        return self.files[identifier]

    def remove(self, identifier: str) -> None:
        """Delete a spreadsheet for good."""
        del self.files[identifier]
        self._tell(identifier)

    def keep(self, book: Workbook) -> None:
        """Take `book` for the spreadsheet of its id from now on."""
        file = self.files[book.id]
        book.modified = self._now()
        file.book, file.raced = book, None
        file.revision += 1
        self._tell(book.id)

    def draw_id(self) -> str:
        """An id as Drive draws them."""
        return f"{self.ids.draw():020d}"

    def _tell(self, identifier: str) -> None:
        for watcher in self.watchers:
            watcher(identifier)

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
