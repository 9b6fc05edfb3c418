"""A spreadsheet of the emulator, answered within the process, and stores over it."""

from collections.abc import Callable
from typing import Any

from attrs import define, field

from adapters.google_sheets.calls import InlineCalls
from adapters.google_sheets.credentials import GoogleAccount
from adapters.google_sheets.store import SheetsCoordinationStore
from adapters.memory.time import FixedRandom, ManualClock, SequentialIds
from adapters.sheets_emulator.api.service import SheetsService
from adapters.sheets_emulator.client import transport
from adapters.sheets_emulator.desk import Desk
from adapters.sheets_emulator.person import Person
from ports.time import RandomSource


@define
class Spreadsheet:
    """One spreadsheet, its person, and a store for whoever asks. All live by `clock`."""

    clock: ManualClock = field(factory=ManualClock)
    ids: SequentialIds = field(factory=SequentialIds)
    random: RandomSource = field(factory=FixedRandom)
    desk: Desk = field(init=False)
    id: str = field(init=False)
    wait: Callable[[float], None] = lambda _seconds: None
    before_send: Callable[[bytes], None] = lambda _body: None

    def __attrs_post_init__(self) -> None:
        self.desk = Desk(self.clock, SheetsService(self.clock))
        self.id = self.desk.service.create("Test").id

    @property
    def person(self) -> Person:
        return Person(self.desk.service, self.id)

    def store(self, **options: Any) -> SheetsCoordinationStore:
        """Another participant's store; without pauses, and with looks of its own, unless `options` say otherwise."""
        settings = {"min_interval": 0.0, "freshness": 0.0, **options}
        return SheetsCoordinationStore(
            self.id,
            GoogleAccount(anonymous=True),
            clock=self.clock,
            ids=self.ids,
            random=self.random,
            transport=self._transport,
            calls=InlineCalls(),
            **settings,
        )

    def _transport(self) -> Any:
        adapter = transport(self.desk, wait=self.wait)
        send = adapter.send

        def listened(request: Any, *more: Any, **options: Any) -> Any:
            self.before_send(request.body or b"")
            return send(request, *more, **options)

        adapter.send = listened
        return adapter

    def rows(self, tab: str) -> list[dict[str, str]]:
        """The rows of a tab by header, empty ones left out."""
        header, *rows = self.person.rows(tab) or [[]]
        return [dict(zip(header, row, strict=False)) for row in rows if any(row)]
