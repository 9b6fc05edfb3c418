"""Lengths of time as people write them: ``30``, ``30s``, ``5m``, ``2h``, ``1d``."""

import re

_UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
LONGEST = 100 * 365 * _UNITS["d"]


def parse_duration(text: str) -> float:
    """Seconds.

    Raises:
        ValueError: says what was expected.
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", text.lower())
    if match is None or match[2] not in _UNITS:
        raise ValueError("a length of time such as 30, 30s, 5m or 2h")
    seconds = float(match[1]) * _UNITS[match[2]]
    if seconds > LONGEST:
        raise ValueError("a length of time of 100 years at most")
    return seconds
