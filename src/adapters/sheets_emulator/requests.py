"""Every kind of request that a batchUpdate may hold."""

from collections.abc import Mapping
from typing import Any

from adapters.sheets_emulator import cell_requests, dimension_requests, range_requests, tab_requests
from adapters.sheets_emulator.batch import Batch, Handler, Ids, Reply, Request
from adapters.sheets_emulator.errors import invalid
from adapters.sheets_emulator.workbook import Workbook


def run_batch(book: Workbook, requests: list[Mapping[str, Any]], ids: Ids) -> tuple[Workbook, list[Reply]]:
    """The workbook after all `requests`, and their replies; `book` itself stays as it was.

    Raises:
        ApiError: the first request that is invalid; then none of them has happened.
    """
    if not requests:
        raise invalid("Must specify at least one request.")
    batch = Batch(book.copy(), ids)
    replies = []
    for number, request in enumerate(requests):
        kind = next(iter(request), "")
        batch.where = f"Invalid requests[{number}].{kind}: "
        handle = KINDS.get(kind)
        if handle is None:
            raise invalid(f"Invalid JSON payload received. Unknown name \"{kind}\" at 'requests[{number}]'")
        reply = handle(batch, request[kind])
        replies.append({kind: reply} if reply is not None else {})
    return batch.book, replies


def _nothing(_batch: Batch, _request: Request) -> None:
    """Formatting: accepted, and not kept."""


KINDS: dict[str, Handler] = {
    "addSheet": tab_requests.add_sheet,
    "deleteSheet": tab_requests.delete_sheet,
    "duplicateSheet": tab_requests.duplicate_sheet,
    "updateSheetProperties": tab_requests.update_sheet_properties,
    "updateSpreadsheetProperties": tab_requests.update_spreadsheet_properties,
    "addNamedRange": range_requests.add_named_range,
    "updateNamedRange": range_requests.update_named_range,
    "deleteNamedRange": range_requests.delete_named_range,
    "addProtectedRange": range_requests.add_protected_range,
    "deleteProtectedRange": range_requests.delete_protected_range,
    "appendCells": cell_requests.append_cells,
    "updateCells": cell_requests.update_cells,
    "findReplace": cell_requests.find_replace,
    "deleteDuplicates": cell_requests.delete_duplicates,
    "sortRange": cell_requests.sort_range,
    "mergeCells": range_requests.merge_cells,
    "unmergeCells": range_requests.unmerge_cells,
    "insertDimension": dimension_requests.insert_dimension,
    "appendDimension": dimension_requests.append_dimension,
    "deleteDimension": dimension_requests.delete_dimension,
    "updateDimensionProperties": dimension_requests.update_dimension_properties,
    "addDimensionGroup": dimension_requests.add_dimension_group,
    "deleteDimensionGroup": dimension_requests.delete_dimension_group,
    "setBasicFilter": range_requests.set_basic_filter,
    "clearBasicFilter": range_requests.clear_basic_filter,
    "repeatCell": _nothing,
    "updateBorders": _nothing,
    "autoResizeDimensions": _nothing,
    "setDataValidation": _nothing,
}
