"""Formulas that need nothing but themselves."""

import pytest

from adapters.sheets_emulator.grid.formulas import UNKNOWN, evaluated
from adapters.sheets_emulator.grid.locale import EN_US


@pytest.mark.parametrize(
    ("formula", "result"),
    [
        ("=4/2", 2),
        ("=3/2", 1.5),
        ("=1+2*3", 7),
        ("=(1+2)*3", 9),
        ("=2^10", 1024),
        ("=-2+5", 3),
        ("=50%*2", 1),
        ('="a"&"b"', "ab"),
        ('="say ""hi"""', 'say "hi"'),
        ('=1&"x"', "1x"),
        ("=1<2", True),
        ('="a"="A"', True),
        ("=1<>1", False),
        ("=TRUE", True),
        ("=1/0", "#DIV/0!"),
        ("=0^-1", "#DIV/0!"),
        ('="a"*2', "#VALUE!"),
        ("=(-8)^0.5", "#NUM!"),
        ("=10^400", "#NUM!"),
    ],
)
def test_arithmetic_and_text_are_worked_out(formula: str, result: object) -> None:
    assert evaluated(formula, EN_US) == result


@pytest.mark.parametrize(
    "formula", ["=A1", "=SUM(1,2)", "=1+", "=(1", "=1)", '="open', "=IMPORTXML(1)", "=" + "(" * 5000]
)
def test_what_is_not_worked_out_says_so(formula: str) -> None:
    assert evaluated(formula, EN_US) == UNKNOWN
