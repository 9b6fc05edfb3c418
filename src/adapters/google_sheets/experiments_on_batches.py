"""Experiments on batches: who wins, what is refused, what a refusal undoes, what two appends at once leave."""

from collections import Counter
from collections.abc import Sequence

from adapters.google_sheets.requests import Request, append_rows, check_fence, drop_fence, replace_cell, replaced
from adapters.google_sheets.scratch import Scratch, column, relied_on, untold
from domain.finding import Finding, note

RACES = 6
WORDS = 5
"""Words that are raced for in one pair of batches."""

APPENDS = 5
TAG = "3f2a9c1d04b7"


async def race_for_a_word(scratch: Scratch) -> Finding:
    """Both clients replace the same words, each by its own."""
    subject = "of two who claim a word one gets it"
    words = [[f"PENDING {TAG}.{number}"] for number in range(RACES * WORDS)]
    await scratch.change(scratch.filled(*words))
    claims: dict[str, set[str]] = {}
    for race in range(RACES):
        raced = range(race * WORDS, (race + 1) * WORDS)
        ours, theirs = ([_claim(scratch, number, who) for number in raced] for who in "ab")
        answers = await scratch.race(ours, theirs)
        if answers is None:
            continue
        for who, replies in zip("ab", answers, strict=True):
            for number, reply in zip(raced, replies, strict=True):
                claims.setdefault(f"{TAG}.{number}", set()).update(who if replaced(reply) else ())
    if not claims:
        return untold(subject, "no pair of calls was answered")
    shown = {word: who for row in await scratch.look() for _, word, *who in [row[0].shown.split()]}
    lost = [word for word, winners in claims.items() if not winners.intersection(shown.get(word, []))]
    both = sum(len(winners) == 2 for winners in claims.values())
    seen = f"{len(claims)} words raced for: {len(lost)} belong to nobody who was told that it won, {both} told both"
    if both and not lost:
        return note(subject, f"{seen}; the store bears that: it looks again before it runs what it has won")
    return relied_on(subject, seen, holds=not lost)


def _claim(scratch: Scratch, number: int, who: str) -> Request:
    return replace_cell(scratch.sheet, 0, f"PENDING {TAG}.{number}", f"CLAIMED {TAG}.{number} {who}")


async def missing_fence(scratch: Scratch) -> Finding:
    """A batch whose fence is gone."""
    missing = scratch.name("missing")
    return await _all_or_nothing(
        scratch,
        "a batch whose fence is gone is refused whole",
        [check_fence(missing, scratch.sheet), drop_fence(missing)],
    )


async def second_fence(scratch: Scratch) -> Finding:
    """A fence that is there already."""
    await scratch.change([scratch.fence("twice")])
    return await _all_or_nothing(
        scratch, "a batch whose next fence is there already is refused whole", [scratch.fence("twice")]
    )


async def second_tab(scratch: Scratch) -> Finding:
    """A tab under a number that is taken: two workers that start at once."""
    again = scratch.added(f"{scratch.name('tab')}", {"rowCount": 1, "columnCount": 1})
    return await _all_or_nothing(scratch, "a tab is not made twice under one number", [again])


async def _all_or_nothing(scratch: Scratch, subject: str, invalid: Sequence[Request]) -> Finding:
    """Each of `invalid` behind a valid request: it should be refused, and that one undone."""
    await scratch.change(scratch.filled(["before"]))
    texts = []
    for request in invalid:
        text = await scratch.refusal([replace_cell(scratch.sheet, 0, "before", "after"), request])
        texts.append(text or "it was taken")
    undone = column(await scratch.look(), 0) == ["before"]
    refused = all(text != "it was taken" for text in texts)
    seen = "; ".join(texts) + ("" if undone else "; what came before it in the batch was not undone")
    return relied_on(subject, seen, holds=refused and undone)


async def repeated_batch(scratch: Scratch) -> Finding:
    """A batch under a fence, sent again as if its answer had been lost."""
    first, second = scratch.name("1"), scratch.name("2")
    await scratch.change([*scratch.filled(), scratch.fence("1")])
    row = append_rows(scratch.sheet, [{0: "once"}])
    batch = [check_fence(first, scratch.sheet), drop_fence(first), scratch.fence("2"), row]
    await scratch.change(batch)
    again = await scratch.refusal(batch)
    count = column(await scratch.look(), 0).count("once")
    await scratch.change([drop_fence(second)])
    seen = f"sent twice, its row is there {count} times; the second: {again or 'it was taken'}"
    return relied_on("a fenced batch takes effect once", seen, holds=count == 1 and again is not None)


async def concurrent_appends(scratch: Scratch) -> Finding:
    """Both clients append rows, beyond the end of the grid."""
    subject = "rows that two append at once are all there"
    await scratch.change(scratch.filled())
    sent: list[str] = []
    for race in range(RACES):
        pair = [[f"{who}{race}.{n}" for n in range(APPENDS)] for who in "ab"]
        ours, theirs = ([append_rows(scratch.sheet, [{0: text} for text in texts])] for texts in pair)
        if await scratch.race(ours, theirs) is not None:
            sent += [text for texts in pair for text in texts]
    if not sent:
        return untold(subject, "no pair of calls was answered")
    there = Counter(column(await scratch.look(), 0))
    lost, twice = [text for text in sent if not there[text]], [text for text in sent if there[text] > 1]
    seen = f"{len(sent)} rows appended: {len(lost)} lost, {len(twice)} twice"
    return relied_on(subject, seen, holds=not lost and not twice)


async def other_duplicates(scratch: Scratch) -> Finding:
    """Named ranges that share an id or a name only. The store makes none of these."""
    known, corner = scratch.name("known"), scratch.fence("known")["addNamedRange"]["namedRange"]
    await scratch.change([scratch.fence("known")])
    seen = []
    for shared, changed in (("id", "name"), ("name", "namedRangeId")):
        text = await scratch.refusal([{"addNamedRange": {"namedRange": {**corner, changed: scratch.name("other")}}}])
        seen.append(f"the same {shared} alone: {text or 'it was taken'}".replace(known, "…"))
    return note("named ranges that share an id or a name (the store makes none of these)", "; ".join(seen))
