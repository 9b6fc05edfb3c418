"""Names of fields, which go by two spellings."""

import re


def camel(name: str) -> str:
    """``sheet_id`` as ``sheetId``, which it may stand for."""
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest) if rest else name


def snake(name: str) -> str:
    """``sheetId`` as ``sheet_id``, as errors name it."""
    return re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), name)
