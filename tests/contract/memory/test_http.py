"""The scripted dispatcher keeps what dispatchers promise of their results."""

from urllib.parse import unquote

import pytest

from adapters.memory.http import MemoryHttpDispatcher
from domain.http_request import HttpRequest
from domain.outcome import DispatchResult
from ports.testing.http import DispatcherBackend, HttpResultPromises
from ports.testing.scenario import scenario


def answer(request: HttpRequest) -> DispatchResult:
    word, _, retry_after = request.url.rpartition("/")[2].partition("?")
    if word == "slow":
        return DispatchResult(elapsed=5.0, status=200)
    return DispatchResult(elapsed=0.0, status=int(word), retry_after=unquote(retry_after))


class TestMemoryHttpDispatcher(HttpResultPromises):
    @pytest.fixture
    def backend(self) -> DispatcherBackend:
        return DispatcherBackend(
            lambda: MemoryHttpDispatcher(answer),
            status=lambda code: f"https://x.example/{code}",
            retry_later=lambda text: f"https://x.example/503?{text}",
            slow="https://x.example/slow",
        )


@scenario
async def test_what_was_sent_is_kept_and_what_could_not_be_is_not() -> None:
    dispatcher = MemoryHttpDispatcher()
    good = HttpRequest("https://x.example/", body=b"{}")
    assert (await dispatcher.dispatch(good, 10)).delivered
    await dispatcher.dispatch(HttpRequest("x.example"), 10)
    assert dispatcher.sent == [good]
