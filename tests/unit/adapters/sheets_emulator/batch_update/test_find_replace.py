"""Finding a word and replacing it: claims and settlements are made of this."""

import json
from typing import Any

import pytest

from tests.unit.adapters.sheets_emulator.book import Book


def replace(find: str, replacement: str, **more: Any) -> dict[str, Any]:
    return {
        "findReplace": {"find": find, "replacement": replacement, "range": {"sheetId": 0}, "matchCase": True, **more}
    }


def changed(count: int, rows: int | None = None, occurrences: int | None = None) -> dict[str, int]:
    return {
        "valuesChanged": count,
        "rowsChanged": count if rows is None else rows,
        "sheetsChanged": 1,
        "occurrencesChanged": count if occurrences is None else occurrences,
    }


def test_a_replacement_says_how_much_and_leaves_zeros_out(book: Book) -> None:
    book.fill(["PENDING a.0"], ["pending a.0"], ["PENDING a.0 more"])
    won, lost = book.batch(
        replace("PENDING a.0", "CLAIMED a.0 me", matchEntireCell=True),
        replace("PENDING a.0", "CLAIMED a.0 you", matchEntireCell=True),
    )
    assert won == {"findReplace": changed(1)}
    assert lost == {"findReplace": {}}
    assert book.rows() == [["CLAIMED a.0 me"], ["pending a.0"], ["PENDING a.0 more"]]


def test_within_cells_every_occurrence_counts(book: Book) -> None:
    book.fill(["a-A-a", "b", "a"])
    (reply,) = book.batch(replace("a", "x", matchCase=False))
    assert reply["findReplace"] == changed(2, rows=1, occurrences=4)
    assert book.rows() == [["x-x-x", "b", "x"]]


def test_only_the_range_is_searched(book: Book) -> None:
    book.fill(["a", "a"], ["a", "a"])
    column = {"startRowIndex": 1, "startColumnIndex": 1, "endColumnIndex": 2}
    book.batch(replace("a", "x", range=column, matchEntireCell=True))
    assert book.rows() == [["a", "a"], ["a", "x"]]


def test_nothing_empties_the_cell(book: Book) -> None:
    book.fill(["a", "b"])
    book.batch(replace("a", "", matchEntireCell=True))
    assert book.rows() == [["", "b"]]


def test_what_a_cell_becomes_is_read_as_if_typed(book: Book) -> None:
    book.fill(["x", "y"])
    book.batch(replace("x", "42"), replace("y", "=1+1"))
    assert book.rows(query="?valueRenderOption=UNFORMATTED_VALUE") == [[42, 2]]


def test_numbers_are_found_as_they_are_shown(book: Book) -> None:
    book.fill(["50%", 42], option="USER_ENTERED")
    first, second = book.batch(replace("50%", "x", matchEntireCell=True), replace("42", "y", matchEntireCell=True))
    assert first == second == {"findReplace": changed(1)}


def test_formulas_are_left_alone_unless_included(book: Book) -> None:
    book.fill(["=1+1"], option="USER_ENTERED")
    shown, formula = book.batch(replace("2", "3"), replace("1", "2", includeFormulas=True))
    assert shown == {"findReplace": {}}
    assert formula["findReplace"] == {
        "formulasChanged": 1,
        "rowsChanged": 1,
        "sheetsChanged": 1,
        "occurrencesChanged": 2,
    }
    assert book.rows() == [["4"]]


def test_a_pattern_may_have_to_match_the_whole_cell(book: Book) -> None:
    book.fill(["k1"], ["k1 more"])
    book.batch(replace(r"k(\d)", "$1!", searchByRegex=True, matchEntireCell=True))
    assert book.rows() == [["1!"], ["k1 more"]]


def test_one_tab_may_be_searched(book: Book) -> None:
    book.person.add_tab("B")
    book.fill(["a"])
    (reply,) = book.batch({"findReplace": {"find": "a", "replacement": "b", "sheetId": book.person.book.sheets[1].id}})
    assert reply == {"findReplace": {}}


def test_a_pattern_may_keep_parts_of_what_it_finds(book: Book) -> None:
    book.fill(["CLAIMED k.3 me"])
    book.batch(replace(r"CLAIMED (\w+)\.(\d) me", "COMPLETED $1.$2 me", searchByRegex=True))
    assert book.rows() == [["COMPLETED k.3 me"]]


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (replace("", "x"), "Find string must be non-empty."),
        (replace("(", "x", searchByRegex=True), "Invalid regular expression: ("),
        ({"findReplace": {"find": "x"}}, "Must specify a scope: a range, a sheetId or allSheets."),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(book: Book, request_: dict[str, Any], text: str) -> None:
    assert book.refusal(request_) == text


def claim(book: Book, user: str, *, stale: bool = False, times: int = 1) -> Any:
    """What the last of so many claims in one batch says."""
    claims = [replace("PENDING k.0", f"CLAIMED k.0 {user}", matchEntireCell=True)] * times
    target = f"/v4/spreadsheets/{book.id}:batchUpdate"
    answer = book.service.handle("POST", target, json.dumps({"requests": claims}).encode(), user=user, stale=stale)
    assert isinstance(answer.body, dict)
    return answer.body["replies"][-1]["findReplace"]


def test_on_a_stale_snapshot_two_claims_both_report_a_win(book: Book) -> None:
    book.fill(["PENDING k.0"])
    assert claim(book, "maria") == claim(book, "joao", stale=True) == changed(1)
    assert book.rows() == [["CLAIMED k.0 joao"]]


def test_a_stale_batch_does_not_win_the_same_word_twice(book: Book) -> None:
    book.fill(["PENDING k.0"])
    claim(book, "maria")
    assert claim(book, "joao", stale=True, times=2) == {}
    assert book.rows() == [["CLAIMED k.0 joao"]]


def test_a_claim_that_was_read_meanwhile_cannot_be_raced_any_more(book: Book) -> None:
    book.fill(["PENDING k.0"])
    claim(book, "maria")
    book.rows()
    assert claim(book, "joao", stale=True) == {}
    assert book.rows() == [["CLAIMED k.0 maria"]]


def test_a_snapshot_whose_rows_have_moved_is_no_longer_seen(book: Book) -> None:
    book.fill(["x"], ["PENDING k.0"])
    book.batch({"deleteDimension": {"range": {"dimension": "ROWS", "endIndex": 1}}}, user="maria")
    assert claim(book, "joao", stale=True) == changed(1)
    assert book.rows() == [["CLAIMED k.0 joao"]]
