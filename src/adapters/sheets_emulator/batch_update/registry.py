"""Every kind of request that a batchUpdate may hold."""

from collections.abc import Mapping
from typing import Any

from adapters.sheets_emulator.batch_update import (
    cells,
    dimensions,
    find_replace,
    paste,
    ranges,
    rows,
    shifting,
    tabs,
)
from adapters.sheets_emulator.batch_update.batch import Batch, Handler, Reply, Request
from adapters.sheets_emulator.grid.workbook import Workbook
from adapters.sheets_emulator.wire.errors import ApiError, invalid


def run_batch(batch: Batch, requests: list[Mapping[str, Any]]) -> tuple[Workbook, list[Reply]]:
    """The workbook after all `requests`, and their replies; the one that the batch began with stays as it was.

    Raises:
        ApiError: the first request that is invalid; then none of them has happened.
    """
    if not requests:
        raise invalid("Must specify at least one request.")
    replies = []
    for number, request in enumerate(requests):
        if not request:
            raise invalid(f"Invalid requests[{number}]: No request set.")
        if len(request) > 1:
            second = list(request)[1]
            raise invalid(
                f"Invalid value at 'requests[{number}]' (oneof), oneof field 'kind' is already set. "
                f"Cannot set '{second}'"
            )
        kind = next(iter(request))
        try:
            reply = KINDS[kind](batch, request[kind])
            batch.book.check_size()
        except ApiError as error:
            raise invalid(f"Invalid requests[{number}].{kind}: {error}") from error
        replies.append({kind: reply} if reply is not None else {})
    return batch.book, replies


def _nothing(_batch: Batch, _request: Request) -> None:
    """Accepted, and not kept."""


KINDS: Mapping[str, Handler] = {
    "updateSpreadsheetProperties": tabs.update_spreadsheet_properties,
    "updateSheetProperties": tabs.update_sheet_properties,
    "addSheet": tabs.add_sheet,
    "deleteSheet": tabs.delete_sheet,
    "duplicateSheet": tabs.duplicate_sheet,
    "addNamedRange": ranges.add_named_range,
    "updateNamedRange": ranges.update_named_range,
    "deleteNamedRange": ranges.delete_named_range,
    "addProtectedRange": ranges.add_protected_range,
    "updateProtectedRange": ranges.update_protected_range,
    "deleteProtectedRange": ranges.delete_protected_range,
    "mergeCells": ranges.merge_cells,
    "unmergeCells": ranges.unmerge_cells,
    "setBasicFilter": ranges.set_basic_filter,
    "clearBasicFilter": ranges.clear_basic_filter,
    "appendCells": cells.append_cells,
    "updateCells": cells.update_cells,
    "repeatCell": cells.repeat_cell,
    "setDataValidation": cells.set_data_validation,
    "findReplace": find_replace.find_replace,
    "deleteDuplicates": rows.delete_duplicates,
    "sortRange": rows.sort_range,
    "copyPaste": paste.copy_paste,
    "cutPaste": paste.cut_paste,
    "insertRange": shifting.insert_range,
    "deleteRange": shifting.delete_range,
    "insertDimension": dimensions.insert_dimension,
    "appendDimension": dimensions.append_dimension,
    "deleteDimension": dimensions.delete_dimension,
    "moveDimension": dimensions.move_dimension,
    "updateDimensionProperties": dimensions.update_dimension_properties,
    "addDimensionGroup": dimensions.add_dimension_group,
    "deleteDimensionGroup": dimensions.delete_dimension_group,
    "updateBorders": _nothing,
    "autoResizeDimensions": _nothing,
    "addConditionalFormatRule": _nothing,
    "addBanding": _nothing,
}
