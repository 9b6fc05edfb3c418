"""Requests about rows and columns."""

from adapters.sheets_emulator.batch import Batch, Reply, Request, fields_of
from adapters.sheets_emulator.ranges import shift_after_delete, shift_after_insert


def insert_dimension(batch: Batch, request: Request) -> None:
    wanted = request["range"]
    sheet = batch.book.sheet(int(wanted.get("sheetId", 0)), batch.where)
    dimension, start, end = wanted["dimension"], int(wanted.get("startIndex", 0)), int(wanted["endIndex"])
    sheet.insert(dimension, start, end - start)
    shift_after_insert(batch.book, sheet, dimension, start, end - start)


def append_dimension(batch: Batch, request: Request) -> None:
    sheet = batch.book.sheet(int(request.get("sheetId", 0)), batch.where)
    length = int(request.get("length", 0))
    if request["dimension"] == "ROWS":
        sheet.row_count += length
    else:
        sheet.column_count += length


def delete_dimension(batch: Batch, request: Request) -> None:
    wanted = request["range"]
    sheet = batch.book.sheet(int(wanted.get("sheetId", 0)), batch.where)
    dimension = wanted["dimension"]
    size = sheet.row_count if dimension == "ROWS" else sheet.column_count
    start, end = int(wanted.get("startIndex", 0)), int(wanted.get("endIndex", size))
    if end > size:
        raise batch.error(f"Cannot delete a {dimension.lower()[:-1]} that doesn't exist. Tried to delete {end - 1}.")
    if end - start >= size:
        raise batch.error(f"You can't delete all the {dimension.lower()} on the sheet.")
    sheet.delete(dimension, start, end)
    shift_after_delete(batch.book, sheet, dimension, start, end)


def update_dimension_properties(batch: Batch, request: Request) -> None:
    wanted = request["range"]
    sheet = batch.book.sheet(int(wanted.get("sheetId", 0)), batch.where)
    if "hiddenByUser" in fields_of(request):
        places = set(range(int(wanted.get("startIndex", 0)), int(wanted["endIndex"])))
        hidden = sheet.hidden[wanted["dimension"]]
        if request.get("properties", {}).get("hiddenByUser"):
            hidden |= places
        else:
            hidden -= places


def add_dimension_group(batch: Batch, request: Request) -> Reply:
    wanted = dict(request["range"])
    sheet = batch.book.sheet(int(wanted.get("sheetId", 0)), batch.where)
    if not wanted.get("sheetId"):
        wanted.pop("sheetId", None)
    groups = sheet.groups[wanted["dimension"]]
    sheet.properties.setdefault("grid", {})[f"{wanted['dimension'].lower()[:-1]}GroupControlAfter"] = True
    groups.append({"range": wanted, "depth": 1 + sum(group["range"] == wanted for group in groups)})
    return {"dimensionGroups": groups}


def delete_dimension_group(batch: Batch, request: Request) -> Reply:
    wanted = dict(request["range"])
    sheet = batch.book.sheet(int(wanted.get("sheetId", 0)), batch.where)
    if not wanted.get("sheetId"):
        wanted.pop("sheetId", None)
    groups = sheet.groups[wanted["dimension"]]
    for group in reversed(groups):
        if group["range"] == wanted:
            groups.remove(group)
            break
    return {"dimensionGroups": groups} if groups else {}
