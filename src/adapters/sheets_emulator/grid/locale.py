"""How numbers and dates are written where a spreadsheet is at home."""

from attrs import frozen

_COMMA_LANGUAGES = frozenset(
    {
        "bg",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "es",
        "et",
        "fi",
        "fr",
        "hr",
        "hu",
        "id",
        "it",
        "lt",
        "lv",
        "nb",
        "nl",
        "pl",
        "pt",
        "ro",
        "ru",
        "sk",
        "sl",
        "sr",
        "sv",
        "tr",
        "uk",
        "vi",
    }
)
_POINT_PLACES = frozenset({"es_MX", "de_CH", "it_CH", "es_US"})


@frozen
class Locale:
    """Signs between digits, the order of a date's parts, the sign of money."""

    decimal: str = "."
    group: str = ","
    day_first: bool = False
    currency: str = "$"


EN_US = Locale()


def locale_of(code: str) -> Locale:
    """The one of ``pt_BR``, ``en_US``, …; what is not known is taken for en_US with the day first."""
    language = code.partition("_")[0]
    if code == "en_US":
        return EN_US
    currency = {"pt_BR": "R$", "en_GB": "£", "ja_JP": "¥"}.get(code, "€" if language in _COMMA_LANGUAGES else "$")
    if language in _COMMA_LANGUAGES and code not in _POINT_PLACES:
        return Locale(decimal=",", group=".", day_first=True, currency=currency)
    return Locale(day_first=True, currency=currency)
