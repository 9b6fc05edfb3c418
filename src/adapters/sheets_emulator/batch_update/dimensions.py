"""Requests about whole rows and columns."""

from typing import Any

from attrs import frozen

from adapters.sheets_emulator.batch_update.batch import Batch, Reply, Request
from adapters.sheets_emulator.grid import structure
from adapters.sheets_emulator.grid.a1 import Box
from adapters.sheets_emulator.grid.sheet import Group, Sheet
from adapters.sheets_emulator.wire.checking import check_update_mask
from adapters.sheets_emulator.wire.errors import invalid
from adapters.sheets_emulator.wire.masks import names, required_mask


@frozen
class _Span:
    """A DimensionRange, its end closed."""

    sheet: Sheet
    dimension: str
    start: int
    end: int
    size: int

    @property
    def box(self) -> Box:
        if self.dimension == "ROWS":
            return Box(top=self.start, bottom=self.end)
        return Box(left=self.start, right=self.end)


def _span(batch: Batch, wanted: Request) -> _Span:
    sheet = batch.book.sheet(wanted.get("sheetId", 0))
    dimension = wanted.get("dimension", "")
    if dimension not in ("ROWS", "COLUMNS"):
        raise invalid("A dimension must be specified.")
    size = sheet.row_count if dimension == "ROWS" else sheet.column_count
    return _Span(sheet, dimension, wanted.get("startIndex", 0), wanted.get("endIndex", size), size)


def insert_dimension(batch: Batch, request: Request) -> None:
    """Empty rows or columns before `startIndex`; behind the last only if they inherit from it."""
    span = _span(batch, request.get("range", {}))
    if span.start > span.size:
        raise invalid(f"range.startIndex is larger than current grid size ({span.size})")
    if span.start == span.size and not request.get("inheritFromBefore"):
        raise invalid(f"range.startIndex must be less than the grid size ({span.size}) if inheritFromBefore is false.")
    structure.insert(batch.book, span.sheet, span.dimension, span.start, max(0, span.end - span.start))


def append_dimension(batch: Batch, request: Request) -> None:
    """Empty rows or columns behind the last."""
    span = _span(batch, request)
    structure.insert(batch.book, span.sheet, span.dimension, span.size, request.get("length", 0))


def delete_dimension(batch: Batch, request: Request) -> None:
    """Rows or columns with all that is in them; not all there are."""
    span = _span(batch, request.get("range", {}))
    batch.allow(span.sheet, span.box)
    what = span.dimension.lower()
    if span.start >= span.size:
        raise invalid(
            f"Cannot delete a {what[:-1]} that doesn't exist. Tried to delete {what[:-1]} index {span.start} but there "
            f"are only {span.size} {what}."
        )
    end = min(span.end, span.size)
    if span.start == 0 and end == span.size:
        raise invalid(f"You can't delete all the {what} on the sheet.")
    frozen_there = span.sheet.frozen_rows if span.dimension == "ROWS" else span.sheet.frozen_columns
    if span.start <= frozen_there and end == span.size and frozen_there:
        raise invalid(f"You can't delete all the non-frozen {what}.")
    structure.delete(batch.book, span.sheet, span.dimension, span.start, end)


def move_dimension(batch: Batch, request: Request) -> None:
    """Rows or columns to before `destinationIndex`, which counts them at their old place."""
    span = _span(batch, request.get("source", {}))
    to = request.get("destinationIndex", 0)
    batch.allow(span.sheet, span.box)
    if span.end > span.size or to > span.size:
        raise invalid(f"Cannot move beyond the grid of {span.size} {span.dimension.lower()}.")
    structure.move(batch.book, span.sheet, span.dimension, (span.start, span.end), to)


def update_dimension_properties(batch: Batch, request: Request) -> None:
    """Hide rows or columns, or show them; their size."""
    mask = required_mask(request)
    check_update_mask(mask, "DimensionProperties")
    span, wanted = _span(batch, request.get("range", {})), request.get("properties", {})
    places = range(span.start, min(span.end, span.size))
    sheet = span.sheet
    if names(mask, "hiddenByUser"):
        hidden = sheet.hidden[span.dimension] - set(places)
        hidden |= set(places) if wanted.get("hiddenByUser") else set()
        sheet.hidden = {**sheet.hidden, span.dimension: hidden}
    if names(mask, "pixelSize") and "pixelSize" in wanted:
        sizes = {**sheet.sizes[span.dimension], **dict.fromkeys(places, wanted["pixelSize"])}
        sheet.sizes = {**sheet.sizes, span.dimension: sizes}


def add_dimension_group(batch: Batch, request: Request) -> Reply:
    """A group, one deeper than those that hold it; those within it become deeper."""
    span = _span(batch, request.get("range", {}))
    sheet, start, end = span.sheet, span.start, span.end
    groups = sheet.groups[span.dimension]
    around = [group.depth for group in groups if group.start <= start and end <= group.end]
    deeper = [
        Group(group.start, group.end, group.depth + 1)
        if start <= group.start and group.end <= end and (group.start, group.end) != (start, end)
        else group
        for group in groups
    ]
    new = Group(start, end, max(around, default=0) + 1)
    sheet.groups = {**sheet.groups, span.dimension: (*deeper, new)}
    flag = f"{span.dimension.lower()[:-1]}GroupControlAfter"
    sheet.grid_properties = {**sheet.grid_properties, flag: True}
    return {"dimensionGroups": dimension_groups(sheet, span.dimension)}


def delete_dimension_group(batch: Batch, request: Request) -> Reply:
    """Take the deepest group of that span away."""
    span = _span(batch, request.get("range", {}))
    sheet = span.sheet
    groups = list(sheet.groups[span.dimension])
    found = [group for group in groups if (group.start, group.end) == (span.start, span.end)]
    if found:
        groups.remove(max(found, key=lambda group: group.depth))
    sheet.groups = {**sheet.groups, span.dimension: tuple(groups)}
    return {"dimensionGroups": dimension_groups(sheet, span.dimension)} if groups else {}


def dimension_groups(sheet: Sheet, dimension: str) -> list[dict[str, Any]]:
    """DimensionGroups as Google answers."""
    body = {"sheetId": sheet.id} if sheet.id else {}
    return [
        {
            "range": {**body, "dimension": dimension, "startIndex": group.start, "endIndex": group.end},
            "depth": group.depth,
        }
        for group in sheet.groups[dimension]
    ]
