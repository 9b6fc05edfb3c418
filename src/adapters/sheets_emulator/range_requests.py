"""Requests about ranges: their names, protection, merging and filters."""

from typing import Any

from attrs import evolve

from adapters.sheets_emulator.a1 import Box
from adapters.sheets_emulator.batch import Batch, Reply, Request, fields_of
from adapters.sheets_emulator.workbook import NamedRange, as_grid_range


def add_named_range(batch: Batch, request: Request) -> Reply:
    wanted = request.get("namedRange", {})
    name, book = wanted.get("name", ""), batch.book
    sheet, box = book.grid_range(wanted.get("range", {}), batch.where)
    identifier = str(wanted.get("namedRangeId") or batch.ids.draw())
    if any(named.name.lower() == name.lower() for named in book.named_ranges.values()):
        raise batch.error(f"Cannot add named range '{name}': a named range with that name already exists.")
    if identifier in book.named_ranges:
        raise batch.error(f"Cannot add named range: a named range with id {identifier} already exists.")
    book.named_ranges[identifier] = NamedRange(identifier, name, sheet.id, box)
    return {"namedRange": {"namedRangeId": identifier, "name": name, "range": as_grid_range(sheet.id, box)}}


def update_named_range(batch: Batch, request: Request) -> None:
    wanted = request.get("namedRange", {})
    named = _named(batch, str(wanted.get("namedRangeId", "")))
    fields = fields_of(request)
    if "*" in fields or "name" in fields:
        named = evolve(named, name=wanted["name"])
    if "*" in fields or any(name.startswith("range") for name in fields):
        sheet, box = batch.book.grid_range(wanted["range"], batch.where)
        named = evolve(named, sheet=sheet.id, box=box)
    batch.book.named_ranges[named.id] = named


def delete_named_range(batch: Batch, request: Request) -> None:
    del batch.book.named_ranges[_named(batch, str(request.get("namedRangeId", ""))).id]


def _named(batch: Batch, identifier: str) -> NamedRange:
    named = batch.book.named_ranges.get(identifier)
    if named is None:
        raise batch.error(f"No NamedRange with id: {identifier}")
    return named


def add_protected_range(batch: Batch, request: Request) -> Reply:
    wanted = request.get("protectedRange", {})
    sheet, box = batch.book.grid_range(wanted.get("range", {}), batch.where)
    identifier = int(wanted.get("protectedRangeId") or batch.ids.draw())
    kept: dict[str, Any] = {"protectedRangeId": identifier, "range": as_grid_range(sheet.id, box)}
    kept |= {name: wanted[name] for name in ("description", "warningOnly") if wanted.get(name)}
    kept |= {"requestingUserCanEdit": True, "editors": {k: v for k, v in wanted.get("editors", {}).items() if v}}
    batch.book.protected_ranges[identifier] = kept
    return {"protectedRange": kept}


def delete_protected_range(batch: Batch, request: Request) -> None:
    identifier = int(request.get("protectedRangeId", 0))
    if batch.book.protected_ranges.pop(identifier, None) is None:
        raise batch.error(f"No ProtectedRange with id: {identifier}")


def merge_cells(batch: Batch, request: Request) -> None:
    sheet, box = batch.book.grid_range(request.get("range", {}), batch.where)
    kind = request.get("mergeType", "MERGE_ALL")
    bottom, right = box.bottom or 0, box.right or 0
    if kind == "MERGE_ROWS":
        boxes = [Box(row, box.left, row + 1, right) for row in range(box.top, bottom)]
    elif kind == "MERGE_COLUMNS":
        boxes = [Box(box.top, column, bottom, column + 1) for column in range(box.left, right)]
    else:
        boxes = [box]
    for merged in boxes:
        sheet.merges = [other for other in sheet.merges if not _overlap(other, merged)]
        sheet.merges.append(merged)
        for row, column, _cell in list(sheet.cells_in(merged)):
            if (row, column) != (merged.top, merged.left):
                sheet.put(row, column, None)


def unmerge_cells(batch: Batch, request: Request) -> None:
    sheet, box = batch.book.grid_range(request.get("range", {}), batch.where)
    sheet.merges = [other for other in sheet.merges if not _overlap(other, box)]


def _overlap(one: Box, other: Box) -> bool:
    return (
        one.top < (other.bottom or 0)
        and other.top < (one.bottom or 0)
        and one.left < (other.right or 0)
        and other.left < (one.right or 0)
    )


def set_basic_filter(batch: Batch, request: Request) -> None:
    wanted = dict(request["filter"])
    sheet, box = batch.book.grid_range(wanted.get("range", {}), batch.where)
    sheet.basic_filter = {**wanted, "range": as_grid_range(sheet.id, box)}


def clear_basic_filter(batch: Batch, request: Request) -> None:
    batch.book.sheet(int(request.get("sheetId", 0)), batch.where).basic_filter = None
