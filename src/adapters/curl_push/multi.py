"""libcurl's transfers on an asyncio loop: libcurl says which sockets and what moment to wait for, the loop waits."""

import asyncio
import math
from typing import Any

import pycurl

MOST_IDLE = 256
"""Connections that are kept for later, of all hosts together."""


class CurlLoop:
    """Runs transfers on the event loop that it is made in, which must be able to watch sockets (`add_reader`)."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_MAXCONNECTS, MOST_IDLE)
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._watch)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._set_timer)
        self._watched: dict[int, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._due = math.inf
        self._ends: dict[Any, asyncio.Future[tuple[int, str]]] = {}

    async def perform(self, easy: Any) -> tuple[int, str]:
        """Let `easy` do its transfer; returns libcurl's code (0: it went well) and words. Cancelled, it drops it."""
        end: asyncio.Future[tuple[int, str]] = self._loop.create_future()
        self._ends[easy] = end
        self._multi.add_handle(easy)
        try:
            return await end
        finally:
            del self._ends[easy]
            self._multi.remove_handle(easy)

    def close(self) -> None:
        """Drop every transfer and connection."""
        for end in self._ends.values():
            end.cancel()
        self._due = math.inf
        self._arm()
        for number in list(self._watched):
            self._watch(pycurl.POLL_REMOVE, number, None, None)
        if not self._ends:
            self._multi.close()

    def _watch(self, event: int, number: int, _multi: Any, _data: Any) -> None:
        before = self._watched.pop(number, 0)
        wanted = event & pycurl.POLL_INOUT
        if wanted:
            self._watched[number] = wanted
        for poll, ready, add, remove in (
            (pycurl.POLL_IN, pycurl.CSELECT_IN, self._loop.add_reader, self._loop.remove_reader),
            (pycurl.POLL_OUT, pycurl.CSELECT_OUT, self._loop.add_writer, self._loop.remove_writer),
        ):
            if wanted & poll and not before & poll:
                add(number, self._act, number, ready)
            elif before & poll and not wanted & poll:
                remove(number)

    def _set_timer(self, milliseconds: int) -> None:
        """Remember when libcurl wants to be called. It changes its mind with each request, mostly to a later moment."""
        self._due = math.inf if milliseconds < 0 else self._loop.time() + milliseconds / 1000
        if self._timer is None or self._timer.when() > self._due:
            self._arm()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        # libcurl must not be called from within its own callback, so even "now" is a moment later
        self._timer = None if self._due == math.inf else self._loop.call_at(self._due, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._loop.time() >= self._due:
            self._due = math.inf
            self._act(pycurl.SOCKET_TIMEOUT, 0)
        elif self._timer is None:
            self._arm()

    def _act(self, number: int, ready: int) -> None:
        self._multi.socket_action(number, ready)
        more = 1
        while more:
            more, done, failed = self._multi.info_read()
            for easy in done:
                self._end(easy, 0, "")
            for easy, code, words in failed:
                self._end(easy, code, words)

    def _end(self, easy: Any, code: int, words: str) -> None:
        end = self._ends.get(easy)
        if end is not None and not end.done():
            end.set_result((code, words))
