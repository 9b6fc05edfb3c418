"""A body held against the schema, as Google's front end does before anything else."""

from collections.abc import Callable, Mapping
from typing import Any

from adapters.sheets_emulator.wire.errors import invalid, malformed
from adapters.sheets_emulator.wire.masks import Mask
from adapters.sheets_emulator.wire.names import camel, snake
from adapters.sheets_emulator.wire.schema import ENUMS, MESSAGES

Violations = list[tuple[str, str]]

_PACKAGE = "type.googleapis.com/google.apps.sheets.v4."


def checked(body: Any, message: str) -> Any:
    """`body` as that message: names in camel case, whole numbers as such, nulls left out.

    Raises:
        ApiError: it has a field that the message does not know, or a value of another kind.
    """
    violations: Violations = []
    result = _read(body, message, None, violations)
    if violations:
        raise malformed(violations)
    return result


def check_mask(mask: Mask, message: str) -> None:
    """Let `mask` choose among the fields of an answer.

    Raises:
        ApiError: it names one that the message does not have.
    """
    for path in _unknown(mask, message, ""):
        text = f"Error expanding 'fields' parameter. Cannot find matching fields for path '{path}'."
        raise malformed([(path, text)], "Request contains an invalid argument.")


def check_update_mask(mask: Mask, message: str) -> None:
    """Let `mask` choose among the fields that a request updates.

    Raises:
        ApiError: it names one that the message does not have.
    """
    for path in _unknown(mask, message, ""):
        raise invalid(f"Invalid field: {path}")


def _unknown(mask: Mask, message: str, path: str) -> list[str]:
    fields = MESSAGES.get(message.strip("[]"))
    if fields is None:
        return []
    found = []
    for name, below in mask.items():
        here = f"{path}.{name}" if path else name
        known = fields.get(name)
        found += [here] if known is None else _unknown(below, known, here)
    return found


def _read(value: Any, kind: str, path: "Path", violations: Violations) -> Any:
    if kind in MESSAGES:
        return _read_message(value, kind, path, violations)
    if kind in _SCALARS:
        name, convert = _SCALARS[kind]
        converted = convert(value)
        return _wrong(value, name, path, violations) if converted is None else converted
    if kind.startswith("["):
        items, inner = value if isinstance(value, list) else [value], kind[1:-1]
        return [_read(one, inner, (path, number), violations) for number, one in enumerate(items)]
    if kind in ENUMS:
        known = isinstance(value, str) and (value in ENUMS[kind] or value.endswith("_UNSPECIFIED"))
        return value if known else _wrong(value, f"{_PACKAGE}{kind}", path, violations)
    return value


def _read_message(value: Any, message: str, path: "Path", violations: Violations) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        _wrong(value, f"{_PACKAGE}{message}", path, violations)
        return {}
    fields, result = MESSAGES[message], {}
    for given, one in value.items():
        name = given if given in fields else camel(given)
        if name not in fields:
            where = _written(path)
            at = f" at '{where}'" if where else ""
            text = f'Invalid JSON payload received. Unknown name "{given}"{at}: Cannot find field.'
            violations.append((where, text))
        elif one is not None:
            result[name] = _read(one, fields[name], (path, name), violations)
    return result


Path = tuple["Path", str | int] | None
"""Where a value stands: the path above it, and its name or number there."""


def _written(path: Path) -> str:
    if path is None:
        return ""
    above, name = _written(path[0]), path[1]
    if isinstance(name, int):
        return f"{above}[{name}]"
    return f"{above}.{snake(name)}" if above else snake(name)


def _wrong(value: Any, kind: str, path: Path, violations: Violations) -> None:
    shown = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else value
    violations.append((_written(path), f"Invalid value at '{_written(path)}' ({kind}), {shown}"))


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _whole(value: Any) -> int | None:
    """Numbers may come as text: ``"26"``."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return int(number) if number.is_integer() and abs(number) < 2**31 else None


def _index(value: Any) -> int | None:
    number = _whole(value)
    return None if number is None or number < 0 else number


def _number(value: Any) -> float | int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _boolean(value: Any) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value)
    return value if isinstance(value, bool) else None


_SCALARS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "string": ("TYPE_STRING", _string),
    "int": ("TYPE_INT32", _whole),
    "index": ("TYPE_INT32", _index),
    "number": ("TYPE_DOUBLE", _number),
    "bool": ("TYPE_BOOL", _boolean),
}
