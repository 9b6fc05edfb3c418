"""How what is typed into a cell (USER_ENTERED), or sent to it (RAW), is read."""

import re
from datetime import date, datetime, time, timedelta

from attrs import evolve

from adapters.sheets_emulator.grid.cells import Cell, general
from adapters.sheets_emulator.grid.formulas import evaluated
from adapters.sheets_emulator.grid.locale import EN_US, Locale
from adapters.sheets_emulator.wire.errors import invalid

LONGEST = 50_000
_DAY_ZERO = datetime(1899, 12, 30)  # noqa: DTZ001 - a sheet's dates know no zone
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO = re.compile(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})")
_SLASHED = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})")
_NAMED = re.compile(r"(?:([A-Za-z]{3,9})\.? (\d{1,2}),?|(\d{1,2}) ([A-Za-z]{3,9})\.?) (\d{4})")
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AaPp][Mm]))?")


def as_entered(text: object, locale: Locale = EN_US) -> Cell:
    """What a cell becomes when a person types `text`.

    Raises:
        ApiError: it is longer than a cell may be.
    """
    if not isinstance(text, str):
        return as_raw(text, locale)
    _limit(text)
    if text.startswith("'"):
        return Cell(text[1:] or None)
    if text.startswith("=") and len(text) > 1:
        return _localized(Cell(evaluated(text, locale), formula=text), locale)
    stripped = text.strip()
    if stripped.upper() in ("TRUE", "FALSE"):
        return Cell(stripped.upper() == "TRUE")
    if not any(letter.isdigit() for letter in stripped[:12]):
        return Cell(text or None)
    return _number(stripped, locale) or _moment(stripped, locale) or Cell(text)


def as_raw(value: object, locale: Locale = EN_US) -> Cell:
    """What a cell becomes under RAW: what was sent.

    Raises:
        ApiError: it is longer than a cell may be.
    """
    if value is None or isinstance(value, bool | int | float):
        return _localized(Cell(value), locale)
    text = str(value)
    _limit(text)
    return Cell(text or None)


def as_formula(text: str, locale: Locale = EN_US) -> Cell:
    """What a cell becomes under formulaValue, whose text needs not begin with an equals sign to be wrong.

    Raises:
        ApiError: it is longer than a cell may be.
    """
    _limit(text)
    return _localized(Cell(evaluated(text, locale), formula=text), locale)


def _limit(text: str) -> None:
    if len(text) > LONGEST:
        raise invalid(f"Your input contains more than the maximum of {LONGEST} characters in a single cell.")


def _localized(cell: Cell, locale: Locale) -> Cell:
    if locale.decimal == "." or not isinstance(cell.value, float):
        return cell
    return evolve(cell, shown=general(cell.value).replace(".", locale.decimal))


def _number(text: str, locale: Locale) -> Cell | None:
    """1,234.5 · -$5 · 12% · 1e3, shown with as many digits as its format keeps."""
    sign, rest = ("-", text[1:].lstrip()) if text.startswith("-") else ("", text.removeprefix("+"))
    money = rest.startswith(locale.currency)
    rest = rest.removeprefix(locale.currency).lstrip() if money else rest
    percent = rest.endswith("%")
    rest = rest.removesuffix("%").rstrip() if percent else rest
    group, point = re.escape(locale.group), re.escape(locale.decimal)
    match = re.fullmatch(
        rf"(?P<whole>\d{{1,3}}(?:{group}\d{{3}})+|\d*)(?:{point}(?P<part>\d*))?(?P<power>[eE][+-]?\d+)?", rest
    )
    if match is None or not (match["whole"] or match["part"]):
        return None
    grouped = locale.group in match["whole"]
    plain = match["whole"].replace(locale.group, "")
    number = float(f"{sign}{plain or 0}.{match['part'] or 0}{match['power'] or ''}") / (100 if percent else 1)
    value = int(number) if number.is_integer() and abs(number) < 1e15 else number
    if match["power"]:
        return Cell(value, shown=re.sub(r"E([+-])(\d)$", r"E\g<1>0\2", f"{number:.2E}").replace(".", locale.decimal))
    digits = 2 if match["part"] else 0
    if percent:
        return Cell(value, shown=_fixed(number * 100, digits, grouped=grouped, locale=locale) + "%")
    if money:
        amount = _fixed(abs(number), digits, grouped=True, locale=locale)
        return Cell(value, shown=f"{sign}{locale.currency}{amount}")
    if grouped:
        return Cell(value, shown=_fixed(number, digits, grouped=True, locale=locale))
    return _localized(Cell(value), locale)


def _fixed(number: float, digits: int, *, grouped: bool, locale: Locale) -> str:
    text = f"{number:{',' if grouped else ''}.{digits}f}"
    return text.translate({ord(","): locale.group, ord("."): locale.decimal})


def _moment(text: str, locale: Locale) -> Cell | None:
    """A date, a time, or both with a space between. A time after a T is no date to Sheets, but text."""
    day, _, rest = text.rpartition(" ")
    if _TIME.fullmatch(text):
        clock = _clock(text)
        return None if clock is None else Cell(_serial(datetime.combine(_DAY_ZERO, clock)), shown=text, dated=True)
    on = _day(text, locale)
    if on is not None:
        return Cell(_serial(datetime.combine(on, time())), shown=text, dated=True)
    if rest.upper() in ("AM", "PM"):
        day, _, clocktext = day.rpartition(" ")
        rest = f"{clocktext} {rest}"
    on, clock = _day(day, locale), _clock(rest)
    if on is None or clock is None:
        return None
    return Cell(_serial(datetime.combine(on, clock)), shown=text, dated=True)


def _day(text: str, locale: Locale) -> date | None:
    if match := _ISO.fullmatch(text):
        year, month, day = int(match[1]), int(match[3]), int(match[4])
    elif match := _SLASHED.fullmatch(text):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        day, month = (first, second) if locale.day_first else (second, first)
        year += 0 if year > 99 else 2000 if year < 50 else 1900
    elif (match := _NAMED.fullmatch(text)) and (name := (match[1] or match[4]).lower())[:3] in _MONTHS:
        year, month, day = int(match[5]), _MONTHS.index(name[:3]) + 1, int(match[2] or match[3])
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _clock(text: str) -> time | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hour, half = int(match[1]), (match[4] or "").upper()
    if half:
        hour = hour % 12 + (12 if half == "PM" else 0)
    try:
        return time(hour, int(match[2]), int(match[3] or 0))
    except ValueError:
        return None


def _serial(moment: datetime) -> float | int:
    days = (moment - _DAY_ZERO) / timedelta(days=1)
    return int(days) if days.is_integer() else days
