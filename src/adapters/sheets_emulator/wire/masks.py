"""Field masks: ``sheets.properties(title,index),namedRanges``."""

from collections.abc import Mapping
from typing import Any

from adapters.sheets_emulator.wire.errors import invalid
from adapters.sheets_emulator.wire.names import camel

Mask = dict[str, "Mask"]
"""What is named below each name; empty where all of it is."""


def parse_mask(text: str) -> Mask:
    """The mask that `text` means; ``*`` is everything."""
    mask: Mask = {}
    for path in _split(text.replace("/", ".")):
        _add(mask, path)
    return {} if "*" in mask else mask


def required_mask(request: Mapping[str, Any]) -> Mask:
    """The mask of a request that needs one.

    Raises:
        ApiError: it has none.
    """
    text = request.get("fields", "")
    if not text:
        raise invalid("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
    return parse_mask(text)


def names(mask: Mask, path: str) -> bool:
    """Whether the mask names what is at `path`, or something above or below it."""
    node = mask
    for name in path.split("."):
        if not node:
            return True
        if name not in node:
            return False
        node = node[name]
    return True


def masked(value: Any, mask: Mask) -> Any:
    """`value` reduced to what the mask names."""
    if not mask:
        return value
    if isinstance(value, list):
        return [masked(one, mask) for one in value]
    if isinstance(value, dict):
        return {name: masked(one, mask[name]) for name, one in value.items() if name in mask}
    return value


def merged(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None, mask: Mask) -> dict[str, Any]:
    """`old` with what the mask names taken from `new`, or taken away where `new` has it not."""
    old, new = old or {}, new or {}
    if not mask:
        return dict(new)
    result = dict(old)
    for name, below in mask.items():
        value = merged(old.get(name), new.get(name), below) if below else new.get(name)
        if value in (None, {}):
            result.pop(name, None)
        else:
            result[name] = value
    return result


def _add(mask: Mask, path: str) -> None:
    head, mark, rest = _head(path)
    head = camel(head)
    if mask.get(head) == {}:
        return  # all of it is named already
    below = mask.setdefault(head, {})
    if mark == "(":
        for part in _split(rest.removesuffix(")")):
            _add(below, part)
    elif mark == ".":
        _add(below, rest)
    if not mark or "*" in below:
        below.clear()


def _head(path: str) -> tuple[str, str, str]:
    for place, letter in enumerate(path):
        if letter in ".(":
            return path[:place], letter, path[place + 1 :]
    return path, "", ""


def _split(text: str) -> list[str]:
    """At the commas that are in no parentheses."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part for part in [*parts, text[start:]] if part]
