"""Requests about ranges: their names, protection, merging and filters."""

import re
from typing import Any

from attrs import evolve

from adapters.sheets_emulator.batch_update.batch import Batch, Reply, Request
from adapters.sheets_emulator.batch_update.rows import sort_range
from adapters.sheets_emulator.grid.a1 import Box, Rectangle, parse_cells
from adapters.sheets_emulator.grid.cells import EMPTY
from adapters.sheets_emulator.grid.grid_range import as_grid_range
from adapters.sheets_emulator.grid.sheet import BasicFilter
from adapters.sheets_emulator.grid.workbook import NamedRange, ProtectedRange, Workbook
from adapters.sheets_emulator.wire.checking import check_update_mask
from adapters.sheets_emulator.wire.errors import invalid
from adapters.sheets_emulator.wire.masks import names, required_mask

_NAME = re.compile(r"[^\W\d]\w{0,249}")
_READS_AS_CELL = re.compile(r"[A-Za-z]{1,3}[1-9]\d*|[Rr]\d*[Cc]\d*|[Rr]\d*|[Cc]\d*|true|false", re.IGNORECASE)


def add_named_range(batch: Batch, request: Request) -> Reply:
    """Neither its name nor its id may be there, hidden ones included."""
    wanted = request.get("namedRange", {})
    name = _free_name(batch.book, wanted.get("name", ""))
    sheet, box = batch.book.open_range(wanted.get("range", {}))
    identifier = wanted.get("namedRangeId") or str(batch.ids.draw())
    if identifier in batch.book.named_ranges:
        raise invalid(f"Cannot add named range with id: {identifier}, a named range with that id already exists.")
    batch.book.named_ranges[identifier] = NamedRange(identifier, name, sheet.id, box)
    return {"namedRange": {"namedRangeId": identifier, "name": name, "range": as_grid_range(sheet.id, box)}}


def update_named_range(batch: Batch, request: Request) -> None:
    """Its name, its cells, or both."""
    wanted, mask = request.get("namedRange", {}), required_mask(request)
    check_update_mask(mask, "NamedRange")
    named = _named(batch, wanted.get("namedRangeId", ""))
    if names(mask, "name"):
        named = evolve(named, name=_free_name(batch.book, wanted.get("name", ""), but=named.id))
    if names(mask, "range"):
        sheet, box = batch.book.open_range(wanted.get("range", {}))
        named = evolve(named, sheet=sheet.id, box=box)
    batch.book.named_ranges[named.id] = named


def delete_named_range(batch: Batch, request: Request) -> None:
    """By its id, a hidden one as well."""
    del batch.book.named_ranges[_named(batch, request.get("namedRangeId", "")).id]


def _named(batch: Batch, identifier: str) -> NamedRange:
    named = batch.book.named_ranges.get(identifier)
    if named is None:
        raise invalid(f"No NamedRange with id: {identifier}")
    return named


def _free_name(book: Workbook, name: str, *, but: str = "") -> str:
    if not _NAME.fullmatch(name) or _READS_AS_CELL.fullmatch(name) or parse_cells(name) is not None:
        raise invalid(f"Invalid name: {name}")
    if any(named.name.casefold() == name.casefold() and named.id != but for named in book.named_ranges.values()):
        raise invalid(f"Cannot add named range with name: {name}, a named range with that name already exists.")
    return name


def add_protected_range(batch: Batch, request: Request) -> Reply:
    """Whoever adds it stays an editor."""
    wanted = request.get("protectedRange", {})
    sheet, box = _protected_cells(batch, wanted)
    identifier = wanted.get("protectedRangeId") or batch.ids.draw()
    protected = _protection(ProtectedRange(identifier, sheet, box), wanted, batch.user)
    if box == Box() and any(
        other.sheet == sheet and other.box == Box() for other in batch.book.protected_ranges.values()
    ):
        raise invalid(f'Sheet "{batch.book.sheet(sheet).title}" already has sheet protection.')
    batch.book.protected_ranges[identifier] = protected
    return {"protectedRange": as_protected_range(protected, batch.user)}


def update_protected_range(batch: Batch, request: Request) -> None:
    """Its cells and who may edit them."""
    wanted, mask = request.get("protectedRange", {}), required_mask(request)
    check_update_mask(mask, "ProtectedRange")
    protected = _protected(batch, wanted.get("protectedRangeId", 0))
    if names(mask, "range") and "range" in wanted:
        sheet, box = _protected_cells(batch, wanted)
        protected = evolve(protected, sheet=sheet, box=box)
    chosen = {name: value for name, value in wanted.items() if names(mask, name)}
    editors = {"users": [*protected.editors]} if not names(mask, "editors") else {}
    kept = {"editors": editors, "warningOnly": protected.warning_only, **protected.rest, **chosen}
    batch.book.protected_ranges[protected.id] = _protection(protected, kept, batch.user)


def delete_protected_range(batch: Batch, request: Request) -> None:
    """By its id."""
    del batch.book.protected_ranges[_protected(batch, request.get("protectedRangeId", 0)).id]


def _protected(batch: Batch, identifier: int) -> ProtectedRange:
    protected = batch.book.protected_ranges.get(identifier)
    if protected is None:
        raise invalid(f"No protected range with id: {identifier}")
    return protected


def _protected_cells(batch: Batch, wanted: Request) -> tuple[int, Box]:
    if "namedRangeId" in wanted and "range" not in wanted:
        named = _named(batch, wanted["namedRangeId"])
        return named.sheet, named.box or Box()
    sheet, box = batch.book.open_range(wanted.get("range", {}))
    return sheet.id, box


def _protection(protected: ProtectedRange, wanted: Request, user: str) -> ProtectedRange:
    warning_only = wanted.get("warningOnly", False)
    users = wanted.get("editors", {}).get("users", [])
    if warning_only and users:
        raise invalid("ProtectedRange is warningOnly. Editors cannot be set on it.")
    return evolve(
        protected,
        editors=frozenset([*users, user]) - {""},
        warning_only=warning_only,
        rest={name: wanted[name] for name in ("description", "namedRangeId") if wanted.get(name)},
    )


def as_protected_range(protected: ProtectedRange, user: str) -> dict[str, Any]:
    """A ProtectedRange as Google answers `user` ("" is the owner); who else may edit is for editors to see."""
    body = {
        "protectedRangeId": protected.id,
        "range": as_grid_range(protected.sheet, protected.box),
        **protected.rest,
    }
    if protected.warning_only:
        return {**body, "warningOnly": True, "requestingUserCanEdit": True}
    if user and user not in protected.editors:
        return body
    return {**body, "requestingUserCanEdit": True, "editors": {"users": sorted(protected.editors)}}


def merge_cells(batch: Batch, request: Request) -> None:
    """Of the values that are merged only the upper left one stays."""
    sheet, box = batch.book.grid_range(request.get("range", {}))
    batch.allow(sheet, box)
    match request.get("mergeType"):
        case "MERGE_ROWS":
            boxes = [Rectangle(row, box.left, row + 1, box.right) for row in range(box.top, box.bottom)]
        case "MERGE_COLUMNS":
            boxes = [Rectangle(box.top, column, box.bottom, column + 1) for column in range(box.left, box.right)]
        case _:
            boxes = [box]
    for merged in boxes:
        sheet.merges = [other for other in sheet.merges if not other.meets(merged)]
        sheet.merges.append(merged)
        for row, column, cell in list(sheet.cells_in(merged)):
            if (row, column) != (merged.top, merged.left):
                sheet.put(row, column, cell.holding(EMPTY))


def unmerge_cells(batch: Batch, request: Request) -> None:
    """Take apart what is merged there."""
    sheet, box = batch.book.grid_range(request.get("range", {}))
    sheet.merges = [other for other in sheet.merges if not other.meets(box)]


def set_basic_filter(batch: Batch, request: Request) -> None:
    """The one filter of a tab; with sortSpecs, what is below its header is sorted."""
    wanted = request.get("filter", {})
    sheet, box = batch.book.grid_range(wanted.get("range", {}))
    criteria = {int(column): given for column, given in (wanted.get("criteria") or {}).items()}
    criteria |= {spec.get("columnIndex", 0): spec.get("filterCriteria", {}) for spec in wanted.get("filterSpecs", [])}
    rest = {name: wanted[name] for name in ("sortSpecs", "criteria", "filterSpecs") if name in wanted}
    sheet.basic_filter = BasicFilter(box, criteria, rest)
    if wanted.get("sortSpecs") and box.height > 1:
        below = as_grid_range(sheet.id, evolve(box, top=box.top + 1))
        sort_range(batch, {"range": below, "sortSpecs": wanted["sortSpecs"]})


def clear_basic_filter(batch: Batch, request: Request) -> None:
    """Take it away, and show every row."""
    batch.book.sheet(request.get("sheetId", 0)).basic_filter = None
