"""Formulas without references: arithmetic, text, comparison. Any other is kept, and shows #ERROR!."""

import re

from adapters.sheets_emulator.grid.locale import Locale

Result = str | float | int | bool

UNKNOWN = "#ERROR!"
_TOKEN = re.compile(
    r'\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|"((?:[^"]|"")*)"|(<>|<=|>=|[-+*/^&=<>()%]|TRUE|FALSE))',
    re.IGNORECASE,
)
_BINDING = {"=": 1, "<>": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}


class _Unreadable(Exception):
    """The text is no formula that is worked out here."""


class _Shows(Exception):
    """The formula's outcome is an error, as the cell shows it."""


def evaluated(text: str, locale: Locale) -> Result:
    """What the cell of the formula `text` shows."""
    source = text[1:].replace(locale.decimal, ".") if locale.decimal != "." else text[1:]
    try:
        result = _Reader(source).whole()
    except _Shows as shown:
        return str(shown)
    except ZeroDivisionError:
        return "#DIV/0!"
    except OverflowError:
        return "#NUM!"
    except (_Unreadable, RecursionError):
        return UNKNOWN
    return int(result) if isinstance(result, float) and result.is_integer() and abs(result) < 1e15 else result


class _Reader:
    """Reads and works out an expression by precedence climbing."""

    def __init__(self, text: str) -> None:
        self._tokens = self._split(text)
        self._at = 0

    @staticmethod
    def _split(text: str) -> list[Result]:
        """Numbers as floats, text behind a quotation mark, signs as they are."""
        tokens: list[Result] = []
        place = 0
        text = text.rstrip()
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise _Unreadable
            number, words, sign = match.groups()
            tokens.append(float(number) if number else sign.upper() if sign else '"' + words.replace('""', '"'))
            place = match.end()
        return tokens

    def whole(self) -> Result:
        result = self._expression(1)
        if self._at != len(self._tokens):
            raise _Unreadable
        return result

    def _next(self) -> Result | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self) -> Result:
        part = self._next()
        if part is None:
            raise _Unreadable
        self._at += 1
        return part

    def _expression(self, least: int) -> Result:
        left = self._operand()
        while isinstance(sign := self._next(), str) and (binding := _BINDING.get(sign, 0)) >= least:
            self._take()
            left = _applied(sign, left, self._expression(binding + 1))
        return left

    def _operand(self) -> Result:
        part = self._take()
        if part in ("-", "+"):
            number = _number(self._operand())
            value: Result = -number if part == "-" else number
        elif part == "(":
            value = self._expression(1)
            if self._take() != ")":
                raise _Unreadable
        elif part in ("TRUE", "FALSE"):
            value = part == "TRUE"
        elif isinstance(part, str) and part.startswith('"'):
            value = part[1:]
        elif isinstance(part, float):
            value = part
        else:
            raise _Unreadable
        while self._next() == "%":
            self._take()
            value = _number(value) / 100
        return value


def _applied(sign: str, left: Result, right: Result) -> Result:
    match sign:
        case "&":
            return _text(left) + _text(right)
        case "=" | "<>":
            return (_comparable(left) == _comparable(right)) is (sign == "=")
        case "<" | ">" | "<=" | ">=":
            return _compared(sign, _comparable(left), _comparable(right))
    return _reckoned(sign, _number(left), _number(right))


def _compared(sign: str, left: tuple[int, float | str], right: tuple[int, float | str]) -> bool:
    return {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}[sign]


def _reckoned(sign: str, left: float, right: float) -> float:
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
    power = left**right
    if isinstance(power, complex):
        raise _Shows("#NUM!")
    return float(power)


def _number(value: Result) -> float:
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            raise _Shows("#VALUE!") from None
    return float(value)


def _text(value: Result) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _comparable(value: Result) -> tuple[int, float | str]:
    """Numbers before text before booleans."""
    if isinstance(value, bool):
        return 2, float(value)
    return (1, value.lower()) if isinstance(value, str) else (0, float(value))
