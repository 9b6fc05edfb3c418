"""Whatever is asked, the answer is one of Google's, and what is refused has changed nothing."""

import json
from typing import Any
from urllib.parse import quote

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.sheets_emulator.wire.schema import ENUMS, MESSAGES
from tests.unit.adapters.sheets_emulator.book import Book

SMALL = st.integers(-1, 6) | st.sampled_from([26, 999, 1000, 1001])
TEXTS = st.sampled_from(["", "a", "A", "b", "=1+1", "(", "fence_1", "A1", "'", "Sheet1", "x" * 60_000])
MASKS = st.sampled_from(["*", "note", "userEnteredValue", "title", "range", "name", "gridProperties", "hiddenByUser"])
SCALARS = {"string": TEXTS, "int": SMALL, "number": st.floats(allow_nan=False), "bool": st.booleans()}


def values_of(kind: str, name: str, depth: int = 0) -> st.SearchStrategy[Any]:
    if name == "fields":
        return MASKS
    if kind in SCALARS:
        return SCALARS[kind]
    if kind in ENUMS:
        return st.sampled_from(ENUMS[kind])
    if kind.startswith("["):
        return st.lists(values_of(kind[1:-1], name, depth + 1), max_size=3)
    if kind in MESSAGES and depth < 6:
        fields = MESSAGES[kind].items()
        return st.fixed_dictionaries({}, optional={field: values_of(of, field, depth + 1) for field, of in fields})
    return st.just({})


REQUESTS = st.sampled_from(sorted(MESSAGES["Request"])).flatmap(
    lambda kind: values_of(MESSAGES["Request"][kind], kind).map(lambda body: {kind: body})
)


def state(book: Book) -> str:
    whole = attrs.asdict(book.person.book, filter=lambda field, _: field.name not in {"shape", "_texts", "modified"})
    return json.dumps(whole, default=repr, sort_keys=True)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.lists(REQUESTS, min_size=1, max_size=3), min_size=1, max_size=4))
def test_any_batch_is_answered_and_a_refused_one_changes_nothing(batches: list[list[dict[str, Any]]]) -> None:
    book = Book()
    book.fill(["head", "n"], ["a", 1], ["b", 2], ["a", 3])
    for requests in batches:
        before = state(book)
        answer = book.call("POST", ":batchUpdate", {"requests": requests, "includeSpreadsheetInResponse": True})
        assert answer.status in (200, 400)
        json.dumps(answer.body)
        if answer.status == 400:
            assert state(book) == before
    assert book.call("GET", "?includeGridData=true").status == 200


CELLS = st.text("AZ19:!'$R C", max_size=8)
TABLES = st.lists(st.lists(TEXTS | SMALL | st.none() | st.booleans(), max_size=4), max_size=4)
OPTIONS = st.sampled_from(["", "?valueInputOption=RAW", "?valueInputOption=USER_ENTERED&includeValuesInResponse=true"])


@settings(max_examples=400, deadline=None)
@given(CELLS, TABLES, OPTIONS, st.sampled_from(["", ":append", ":clear"]))
def test_any_range_and_values_are_answered(cells: str, table: list[list[Any]], options: str, action: str) -> None:
    book = Book()
    book.fill(["a", "b"], ["c"])
    rest = f"/values/{quote(cells, safe='')}"
    assert book.call("GET", rest).status in (200, 400, 404)
    method = "POST" if action else "PUT"
    before = state(book)
    answer = book.call(method, f"{rest}{action}{options}", {"values": table})
    assert answer.status in (200, 400, 404)
    assert answer.status == 200 or state(book) == before
