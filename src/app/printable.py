"""Text of other people's on our terminal: titles, errors, names."""

import re

_BLANKS = re.compile(r"\s+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def one_line(text: str) -> str:
    """`text` without line ends and without what a terminal would obey (colours, cursor movements)."""
    return _CONTROLS.sub("�", _BLANKS.sub(" ", text))
