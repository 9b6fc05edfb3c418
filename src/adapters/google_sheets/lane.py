"""The way to the spreadsheet of one session: whatever waits when a call may go out is one fenced batch.

The fence is a named range that each batch checks, removes and adds anew under the next number. So a batch takes effect
once however often it is sent, one that was sent by a session that others have buried takes no effect at all, and its
moving is the session's heartbeat.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from attrs import define, field, frozen

from adapters.google_sheets.book import (
    LOOK_FIELDS,
    VIEW_FIELDS,
    Book,
    Rows,
    View,
    Wanted,
    Window,
    fence_name,
    fences_of,
)
from adapters.google_sheets.failures import OverQuota, Refused, Unsure
from adapters.google_sheets.layout import ELECTIONS, SOURCES, TASKS, WORKERS, TabLayout
from adapters.google_sheets.pace import TRIES, Meter, Pace, too_often
from adapters.google_sheets.requests import Request, add_fence, check_fence, drop_fence
from adapters.google_sheets.words import parse
from domain.errors import LeaseLost, MutiraoError
from ports.time import Clock

T = TypeVar("T")
Replies = Sequence[Mapping[str, Any]]

BATCH_BYTES = 1_800_000
"""Google recommends at most 2 MB a call."""


SELDOM = 10.0
"""Who has sent nothing for so many seconds looks at everything at once: an idle worker needs no other call."""

HEAD = 60
"""Rows of a queue that a look shows at least."""

EVERYTHING: Wanted = {TASKS: Rows(1, 1 + HEAD), SOURCES: Rows(1, 1 + HEAD), ELECTIONS: Rows(1, 21)}

REFUSED_AGAIN = 60.0
"""Seconds after which what nobody waits for is tried again, when Google has refused it."""


@define(eq=False)
class Turn(Generic[T]):
    """A part of a batch. `build` is asked for its requests when the batch goes out, `learn` told of their replies."""

    build: Callable[[], Sequence[Request]]
    learn: Callable[[Replies, View], T]
    wanted: Callable[[], Wanted] = dict
    done: asyncio.Future[T] = field(factory=lambda: asyncio.get_running_loop().create_future())
    rides: bool = False
    not_before: float = 0.0
    plainly: bool = False

    def fail(self, error: MutiraoError) -> None:
        if not self.done.done():
            self.done.set_exception(error)
            self.done.exception()  # whoever waited may have been cancelled


@define
class _Sent:
    """A batch whose outcome is not known yet."""

    requests: list[Request]
    wanted: dict[TabLayout, Rows]
    parts: list[tuple[Turn[Any], int, int]]


@frozen
class Seen:
    """The last look at a tab, and when it was asked for (monotonic)."""

    window: Window
    at: float


class Lane:
    """One session's, or, without one, that of whoever only adds and looks."""

    def __init__(self, book: Book, pace: Pace, clock: Clock, session: str = "") -> None:
        self.session = session
        self.view: View | None = None
        self._seen: dict[str, Seen] = {}
        self.lost: LeaseLost | None = None
        self.moved_at = clock.monotonic()
        self._book = book
        self._pace = pace
        self._clock = clock
        self._count = 0
        self._waiting: deque[Turn[Any]] = deque()
        self._riding: deque[Turn[Any]] = deque()
        self._sent: _Sent | None = None
        self._lock = asyncio.Lock()
        self._running: asyncio.Task[None] | None = None

    @property
    def count(self) -> int:
        return self._count

    async def take(
        self,
        build: Callable[[], Sequence[Request]],
        learn: Callable[[Replies, View], T],
        wanted: Callable[[], Wanted] = dict,
        *,
        plainly: bool = False,
    ) -> T:
        """Have the next batch hold what `build` returns, and return what `learn` makes of it.

        The answer shows the rows that `wanted` says once the batch is built.

        Once it is under way it is brought to its end, whether the caller waits for it or not.

        Raises:
            LeaseLost: the session has ended; nothing was done.
            StoreUnavailable, StoreQuotaExceeded: not known, or not done; what was under way is settled first the next
                time.
            StoreCorrupt: Google has refused the requests; `Refused` itself, when asked to tell `plainly`.
        """
        turn: Turn[T] = Turn(build, learn, wanted, plainly=plainly)
        self._waiting.append(turn)
        while not turn.done.done():
            if self._running is None or self._running.done():
                self._running = asyncio.create_task(self._run(), name=f"google-sheets {self.session}")
            waits: set[asyncio.Future[Any]] = {self._running, turn.done}
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if self._running.done() and not turn.done.done():
                self._running.result()  # a mistake of ours ends here, not in a wait for ever
        return turn.done.result()

    def ride(
        self,
        build: Callable[[], Sequence[Request]],
        learn: Callable[[Replies, View], None],
        wanted: Callable[[], Wanted] = dict,
    ) -> None:
        """Leave something that goes with the next batch, whenever that is, and is not given up before it is done."""
        self._riding.append(Turn(build, learn, wanted, rides=True))

    def seen(self, layout: TabLayout) -> Seen | None:
        """The last look at a tab."""
        return self._seen.get(layout.title)

    def forget(self, layout: TabLayout) -> None:
        """What was last seen of a tab is no longer so: somebody here has written to it."""
        self._seen.pop(layout.title, None)

    async def look(self, wanted: Wanted) -> View | None:
        """See tabs as they are now. Of a session, it is a heartbeat too."""
        return await self.take(list, lambda _replies, view: view, lambda: wanted)

    async def end(self) -> None:
        """Remove the fence: nothing that this session sends takes effect any more. Idempotent."""
        ended = LeaseLost(f"session {self.session} has ended: open a new one")
        if self._count and self.lost is None:
            old = fence_name(self.session, self._count)
            requests = [check_fence(old, self._book[WORKERS].sheet), drop_fence(old)]
            with suppress(Refused):  # an earlier sending had taken effect, or others were faster
                await self._book.client.change_patiently(requests)
        self.lost = ended

    @property
    def laden(self) -> bool:
        """Whether something is still to be done that nobody waits for."""
        return bool(self._riding) or self._sent is not None

    async def _run(self) -> None:
        failures = 0
        while self._waiting or self._sent:
            if self.lost is not None:
                self._fail_all(self.lost)
                return
            await self._pace.wait(Meter.WRITE)
            batch = self._sent or self._gather()
            try:
                await self._send(batch)
            except OverQuota as refusal:
                failures += 1
                self._withdraw(batch)
                self._pace.failed(Meter.WRITE, refusal.wait)
                if failures >= TRIES:
                    self._fail_all(too_often(refusal))
                    return
            except Unsure as silence:
                failures += 1
                if self.session:
                    self._sent = batch  # the fence tells, when it is sent again, whether it had taken effect
                else:
                    self._sent = None
                    failures = TRIES
                self._pace.failed(Meter.WRITE, silence.retry_after)
                if failures >= TRIES:
                    for turn, _, _ in batch.parts:
                        turn.fail(silence)
                    self._fail_waiting(silence)
                    return
            except MutiraoError as error:
                self._sent = None
                for turn, _, _ in batch.parts:
                    turn.fail(error)
                self._fail_waiting(error)
                return
            else:
                failures = 0
                self._pace.succeeded(Meter.WRITE)

    def _gather(self) -> _Sent:
        requests: list[Request] = []
        wanted: dict[TabLayout, Rows] = {}
        parts: list[tuple[Turn[Any], int, int]] = []
        if self.session:
            requests += self._fence()
        size = 0
        for turn in [*self._due_riders(), *self._waiting]:
            try:
                built = list(turn.build())
            except MutiraoError as error:
                self._leave(turn)
                turn.fail(error)
                continue
            size += len(json.dumps(built))
            if parts and size > BATCH_BYTES:
                break
            self._leave(turn)
            parts.append((turn, len(requests), len(requests) + len(built)))
            requests += built
            for layout, rows in turn.wanted().items():
                wanted[layout] = rows.joined(wanted.get(layout, rows))
        if wanted and self._clock.monotonic() - self.moved_at > SELDOM:
            for layout, rows in EVERYTHING.items():
                wanted.setdefault(layout, rows)
        return _Sent(requests, wanted, parts)

    def _due_riders(self) -> Sequence[Turn[Any]]:
        return [turn for turn in self._riding if turn.not_before <= self._clock.monotonic()]

    def _leave(self, turn: Turn[Any]) -> None:
        (self._riding if turn.rides else self._waiting).remove(turn)

    def _fence(self) -> Sequence[Request]:
        sheet = self._book[WORKERS].sheet
        added = add_fence(fence_name(self.session, self._count + 1), sheet)
        if self._count == 0:
            return [added]
        old = fence_name(self.session, self._count)
        return [check_fence(old, sheet), drop_fence(old), added]

    def _withdraw(self, batch: _Sent) -> None:
        """It did not take effect: its parts go back to where they were waiting, and are built anew."""
        self._sent = None
        for turn, _, _ in reversed(batch.parts):
            (self._riding if turn.rides else self._waiting).appendleft(turn)

    async def _send(self, batch: _Sent) -> None:
        at = self._clock.monotonic()
        ranges = self._book.ranges(batch.wanted)
        if not batch.requests:
            answer: Mapping[str, Any] = {"updatedSpreadsheet": await self._look(ranges)}
        else:
            try:
                answer = await self._book.client.change(
                    batch.requests, ranges or [self._book[WORKERS].a1(0, 1, (0, 1))], VIEW_FIELDS
                )
            except Refused as refusal:
                await self._refused(batch, refusal)
                return
        view = self._book.view(answer["updatedSpreadsheet"], batch.wanted, at)
        self._took_effect(batch, answer.get("replies", []), view)

    async def _look(self, ranges: Sequence[str]) -> Mapping[str, Any]:
        return await self._book.client.describe(LOOK_FIELDS if ranges else "namedRanges(namedRangeId)", ranges)

    def _took_effect(self, batch: _Sent, replies: Replies, view: View) -> None:
        self._sent = None
        self.view = view
        self.moved_at = view.at
        self._seen |= {title: Seen(window, view.at) for title, window in view.windows.items()}
        self._pace.workers = max(1, len(view.fences))
        if self.session:
            self._count += 1
        for turn, first, end in batch.parts:
            try:
                result = turn.learn(replies[first:end], view)
            except MutiraoError as error:
                turn.fail(error)
            else:
                if not turn.done.done():
                    turn.done.set_result(result)

    async def _refused(self, batch: _Sent, refusal: Refused) -> None:
        """Nothing happened, now. Find out whether it had before, who is to blame, and go on with the others."""
        fence = 0 if not self.session else (1 if self._count == 0 else 3)
        if refusal.culprit is not None and refusal.culprit < fence:
            await self._fence_refused(batch)
            return
        to_blame = [turn for turn, first, end in batch.parts if first <= (refusal.culprit or -1) < end]
        if not to_blame:
            to_blame = [turn for turn, _, _ in batch.parts]
        batch.parts = [part for part in batch.parts if part[0] not in to_blame]
        self._withdraw(batch)
        for turn in to_blame:
            turn.fail(refusal if turn.plainly else refusal.explained())
            if turn.rides:
                turn.not_before = self._clock.monotonic() + REFUSED_AGAIN
                self._riding.append(turn)
        await self._book.open()

    async def _fence_refused(self, batch: _Sent) -> None:
        at = self._clock.monotonic()
        spreadsheet = await self._look(self._book.ranges(batch.wanted))
        found = fences_of(spreadsheet).get(self.session)
        happened = found == self._count + 1  # an earlier sending had taken effect, and its answer was lost
        words = await self._words() if happened or (found is None and self._count) else set()
        if happened:
            view = self._book.view(spreadsheet, batch.wanted, at)
            self._took_effect(batch, [_reply(request, words) for request in batch.requests], view)
        elif found is None and any(f" {self.session}" in word for word in words):
            # a person has deleted the named range, as our rows are still ours: put it back
            fence = add_fence(fence_name(self.session, self._count + 1), self._book[WORKERS].sheet)
            with suppress(Refused):  # it is there: the answer to an earlier try was lost
                await self._book.client.change_patiently([fence])
            if self._sent is batch and _happened(batch.requests, words):
                view = self._book.view(spreadsheet, batch.wanted, at)
                self._took_effect(batch, [_reply(request, words) for request in batch.requests], view)
            else:
                self._withdraw(batch)
                self._count += 1
        else:
            self._withdraw(batch)
            self.lost = LeaseLost(f"session {self.session} has ended: open a new one")

    async def _words(self) -> set[str]:
        found = await self._book.read_all([(SOURCES, ["status"]), (TASKS, ["status"])])
        return {cells.get("status", "") for rows in found for cells in rows.values()}

    def _fail_all(self, error: MutiraoError) -> None:
        batch, self._sent = self._sent, None
        for turn, _, _ in batch.parts if batch else []:
            turn.fail(error)
        self._fail_waiting(error)

    def _fail_waiting(self, error: MutiraoError) -> None:
        while self._waiting:
            self._waiting.popleft().fail(error)


def _reply(request: Request, words: set[str]) -> Mapping[str, Any]:
    """What the lost answer must have said of `request`: a word that is there now was won."""
    wanted = request.get("findReplace", {}).get("replacement")
    return {"findReplace": {"occurrencesChanged": 1}} if wanted in words else {}


def _happened(requests: Sequence[Request], words: set[str]) -> bool:
    """Whether a batch has taken effect, going by the words that it was to replace."""
    finds = [request.get("findReplace", {}).get("find", "") for request in requests]
    replaced = [text for text in finds if parse(text) is not None]
    return bool(replaced) and not any(word in words for word in replaced)
