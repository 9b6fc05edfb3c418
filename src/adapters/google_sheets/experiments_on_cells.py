"""Experiments on cells: what a text becomes, what a search finds, what folding leaves, what an answer shows."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from adapters.google_sheets.requests import Request, append_rows, fold, replace_cell, replaced
from adapters.google_sheets.scratch import Scratch, Seen, column, relied_on, rows_of
from adapters.google_sheets.words import TOMBSTONE, Word
from domain.finding import Finding, note

TAG = "3f2a9c1d04b7"
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
HELD = str(Word("CLAIMED", TAG, 0, "maria_k3", at=MOMENT))


async def appended_texts(scratch: Scratch) -> Finding:
    """Texts that would be something else if they were typed."""
    texts = ["=1+1", "1e10", "007", "TRUE", "2026-01-01", "+55 11 5555", "'quoted", " blanks ", "two\nlines", "50%"]
    await scratch.change([*scratch.filled(), append_rows(scratch.sheet, [{0: text} for text in texts])])
    return _as_written("what is appended as text stays that text", texts, await scratch.look())


async def words(scratch: Scratch) -> Finding:
    """The words and leases that are written by replacing."""
    written = [
        str(Word("PENDING", TAG, 7, tries=1, due=MOMENT, since=MOMENT, error="=1+1: 007")),
        HELD,
        str(Word("FAILED", "1234567890ab", 3, "maria_k3", at=MOMENT, crashes=2, error="'quoted' 1e10")),
        str(Word("PENDING", "123456789012", 0)),
        TOMBSTONE,
        "maria_k3 #12",
        "livre #12",
    ]
    old = [f"old {number}" for number in range(len(written))]
    replacing = [replace_cell(scratch.sheet, 0, *pair) for pair in zip(old, written, strict=True)]
    await scratch.change([*scratch.filled(*([text] for text in old)), *replacing])
    return _as_written("the store's own words stay what they are", written, await scratch.look())


def _as_written(subject: str, written: Sequence[str], rows: Sequence[Sequence[Seen]]) -> Finding:
    found = [row[0].text if row else None for row in rows[: len(written)]]
    changed = [f"{text!r} became {other!r}" for text, other in zip(written, found, strict=False) if text != other]
    return relied_on(subject, "; ".join(changed) or f"{len(written)} texts, none changed", holds=not changed)


async def other_replacements(scratch: Scratch) -> Finding:
    """What a replacement becomes that reads like something else. The store writes none of these."""
    texts = ["=1+1", "1e10", "007", "TRUE", "2026-01-01", "'quoted"]
    old = [f"old {number}" for number in range(len(texts))]
    replacing = [replace_cell(scratch.sheet, 0, *pair) for pair in zip(old, texts, strict=True)]
    await scratch.change([*scratch.filled(*([text] for text in old)), *replacing])
    rows = await scratch.look()
    became = []
    for text, row in zip(texts, rows, strict=False):
        seen = row[0] if row else Seen()
        became.append(f"{text} → {seen.shown}" + ("" if seen.text is not None else " (no text)"))
    return note("what a replacement is read as (the store uses none of these)", "; ".join(became))


async def exact_matching(scratch: Scratch) -> Finding:
    """A word among those that are almost it, and a URL full of signs; an emptied cell; a search in vain."""
    word, url = f"PENDING {TAG}.1", "https://x.example/?v=(a)*[b].+\\d$1^&t=~1"
    rows = [[word, word], [word.lower()], [f"{word}0"], [f" {word}"], [url], [url.upper()]]
    replies = await scratch.change(
        [
            *scratch.filled(*rows),
            replace_cell(scratch.sheet, 0, word, HELD),
            replace_cell(scratch.sheet, 0, url, ""),
            replace_cell(scratch.sheet, 0, "not there", "anything"),
        ]
    )
    counts = [replaced(reply) for reply in replies[-3:]]
    left = column(await scratch.look(), 0), column(await scratch.look(), 1)
    expected = [HELD, word.lower(), f"{word}0", f" {word}", "", url.upper()], [word]
    holds = counts == [1, 1, 0] and left == expected
    seen = f"found {counts}, where [1, 1, 0] was expected" + ("" if left == expected else f"; left {left}")
    return relied_on("a search finds the whole cell, case and signs included, in its column only", seen, holds=holds)


async def hidden_rows(scratch: Scratch) -> Finding:
    """Words in rows that a person has hidden, or filtered away."""
    table = {"sheetId": scratch.sheet, "startRowIndex": 0, "endRowIndex": 4, "startColumnIndex": 0, "endColumnIndex": 1}
    hidden = {"sheetId": scratch.sheet, "dimension": "ROWS", "startIndex": 1, "endIndex": 2}
    criteria = {"0": {"hiddenValues": ["filtered"]}}
    requests: list[Request] = [
        *scratch.filled(["hidden"], ["filtered"], ["shown"]),
        {
            "updateDimensionProperties": {
                "range": hidden,
                "properties": {"hiddenByUser": True},
                "fields": "hiddenByUser",
            }
        },
        {"setBasicFilter": {"filter": {"range": table, "criteria": criteria}}},
    ]
    await scratch.change(requests)
    replies = await scratch.change([replace_cell(scratch.sheet, 0, text, "found") for text in ("hidden", "filtered")])
    counts = [replaced(reply) for reply in replies]
    clear: list[Request] = [
        {"clearBasicFilter": {"sheetId": scratch.sheet}},
        {
            "updateDimensionProperties": {
                "range": hidden,
                "properties": {"hiddenByUser": False},
                "fields": "hiddenByUser",
            }
        },
    ]
    await scratch.change(clear)
    found = [name for name, count in zip(("hidden", "filtered"), counts, strict=True) if count]
    seen = f"found in {' and '.join(found) or 'no'} rows"
    return relied_on("rows that are hidden or filtered away are searched, too", seen, holds=counts == [1, 1])


async def folding(scratch: Scratch) -> Finding:
    """Duplicates by two of three columns, in a range that has no bounds to its columns."""
    rows = [
        ["", TOMBSTONE, "first"],
        ["url 1", "PENDING a", "one"],
        ["", TOMBSTONE, "second"],
        ["URL 1", "pending A", "two"],
        ["url 2", "PENDING b", "three"],
        ["", TOMBSTONE, "third"],
    ]
    await scratch.change([*scratch.filled(*rows), fold(scratch.sheet, (0, 1))])
    left = [cells for row in await scratch.look() if any(cells := tuple(seen.shown for seen in row))]
    tombstones = [cells[2] for cells in left if cells[1] == TOMBSTONE]
    moved = [cells for cells in left if cells[1] != TOMBSTONE]
    kept = {tuple(row) for row in rows if row[1] != TOMBSTONE}
    folds_case = len(moved) == len(kept) - 1
    whole = set(moved) <= kept and ("url 2", "PENDING b", "three") in moved and ("url 1", "PENDING a", "one") in moved
    holds = whole and len(tombstones) == 1
    seen = (
        f"of 3 emptied rows {len(tombstones)} stayed ({', '.join(tombstones)}); "
        f"the others {'moved whole' if whole else f'became {moved}'}; case is {'ignored' if folds_case else 'heeded'}"
    )
    return relied_on("folding leaves one of the emptied rows, and moves the others whole", seen, holds=holds)


async def state_in_the_answer(scratch: Scratch) -> Finding:
    """The rows as they are afterwards, in the answer to the batch that changed them."""
    fields = "replies,updatedSpreadsheet(sheets(data(rowData(values(formattedValue,userEnteredValue)))))"
    requests = [*scratch.filled(["before"]), replace_cell(scratch.sheet, 0, "before", "after")]
    answer: Mapping[str, object] = await scratch.changed(requests, [scratch.everything], fields)
    updated = answer.get("updatedSpreadsheet")
    shown = column(rows_of(updated), 0) if isinstance(updated, Mapping) else None
    return relied_on("a batch's answer shows the rows as it left them", f"it shows {shown}", holds=shown == ["after"])
