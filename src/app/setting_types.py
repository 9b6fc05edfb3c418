"""How the text of a setting is read. Each function raises ValueError with what the text should have been."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.durations import parse_duration

_TRUE = frozenset({"1", "true", "t", "yes", "y", "on", "sim"})
_FALSE = frozenset({"0", "false", "f", "no", "n", "off", "não", "nao"})


def url(text: str) -> str:
    if not re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*://", text):
        raise ValueError("a URL such as sqlite:///work.db or postgresql://user@host/name")
    return text


def existing_file(text: str) -> str:
    if not Path(text).is_file():
        raise ValueError("a file, and there is none of that name")
    return text


def flag(text: str) -> bool:
    word = text.lower()
    if word not in _TRUE | _FALSE:
        raise ValueError("true or false")
    return word in _TRUE


def positive_duration(text: str) -> float:
    seconds = parse_duration(text)
    if seconds <= 0:
        raise ValueError("a length of time above 0")
    return seconds


def whole_number(least: int, *, also: int | None = None) -> Callable[[str], int]:
    """From `least` up; `also` is one more number that is allowed."""

    def parse(text: str) -> int:
        number = int(text) if re.fullmatch(r"-?\d{1,18}", text) else None
        if number is None or (number < least and number != also):
            raise ValueError(f"a whole number of {least} or more" + (f", or {also}" if also is not None else ""))
        return number

    return parse


def one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in words:
            raise ValueError("one of " + ", ".join(words))
        return text.lower()

    return parse


def words(text: str) -> tuple[str, ...]:
    """Separated by commas or blanks."""
    return tuple(re.findall(r"[^,\s]+", text))


def pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"a regular expression ({error})") from error
    return text


def json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ValueError(f"a JSON object ({error})") from error
    if not isinstance(value, dict):
        raise ValueError('a JSON object such as {"retries": 5}')  # noqa: TRY004 - its text is wrong, not its type
    return value


def json_text(text: str) -> str:
    """A JSON object, left as it was written."""
    json_object(text)
    return text
