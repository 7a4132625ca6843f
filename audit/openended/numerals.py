"""An answer that is one number: in digits or English words, with currency, unit, exponent, fraction, or in LaTeX."""

from __future__ import annotations

import re
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext

__all__ = ["MOST_DIGITS", "as_number", "is_quantity", "quotient"]

MOST_DIGITS = 60
"""Longer numbers are codes, and compared as texts."""
_LONGEST = 300
"""Characters of an answer that may be a number."""
_UNIT = (
    r"(?P<unit>(?:\s?[%$€£¥₹°]|(?:k?g|k?m|cm|mm|ml|l|lb|oz|h|s|am|pm|ft|mph|°[CF])\b|"
    r"\s?[\u3040-\u9fff\uac00-\ud7af]{1,3})?(?:\s[^\W\d_]{1,20}){0,2})[.。]?"
)
"""At most two words; units that touch the number are those of measures, and Chinese, Japanese and Korean ones."""
_DIGITS = re.compile(
    r"(?P<sign>[-−+])?\s?(?:(?:US|A|C)?[$€£¥₹])?\s?(?P<behind>[-−])?"
    r"(?P<whole>\d{1,3}(?:,\d{3})+|\d+|(?=\.\d))(?P<part>\.\d+)?"
    rf"(?:[eE](?P<exponent>[-+]?\d{{1,3}})|\s?/\s?(?P<under>\d{{1,20}})|\s(?P<top>\d{{1,9}})/(?P<below>\d{{1,9}}))?{_UNIT}"
)
_WORD = (
    r"(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|billion)"
)
_WORDS = re.compile(rf"(?P<sign>minus\s)?(?P<spelt>{_WORD}(?:(?:\sand\s|[\s-]){_WORD})*)\b{_UNIT}", re.I)
_MONTHS = frozenset({
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "ad", "bc",
    "ce", "bce",
})  # fmt: skip
_SMALL = frozenset({
    "celsius", "dollar", "dollars", "euro", "euros", "fahrenheit", "franken", "kelvin", "kilogramm", "kilometer",
    "km²", "kg", "liter", "meter", "m²", "m³", "minuten", "prozent", "pfund", "rubel", "sekunden", "stunden", "tage",
    "uhr", "watt", "yen", "yuan",
})  # fmt: skip
"""Units that are written with a capital somewhere."""
_FRACTION = re.compile(r"\\[dt]?frac(?:\{\s*(-?\d+)\s*\}\{\s*(\d+)\s*\}|(\d)(\d))")
_TEXT = re.compile(r"\\(?:text|mathrm|mbox|textbf)\{([^{}]*)\}")
_AROUND = " \t\r\n()[]{}\"'“”‘’«»=~≈"


def as_number(text: str, *, any_unit: bool = False) -> Decimal | None:
    """The number that an answer is, with or without currency and unit; None if it is no single number.

    A unit begins with a small letter, unless `any_unit` says that these answers are quantities: `50 Cent` may be a
    name, `12 Äpfel` is a quantity, `4 July` is never a number. Number words are English.

    >>> as_number("$1,000.0"), as_number("3/4"), as_number("twenty-one apples"), as_number("in 1998")
    (Decimal('1000.0'), Decimal('0.75'), Decimal('21'), None)
    """
    if len(text) > _LONGEST:
        return None
    text = _plain(text)
    match = _DIGITS.fullmatch(text)
    if match is None:
        return _spelt(text, any_unit)
    if not _is_unit(match["unit"], any_unit) or len(match["whole"]) + len(match["part"] or "") > MOST_DIGITS:
        return None
    if not (match["whole"] or match["part"]):
        return None
    try:
        value: Decimal | None = Decimal((match["whole"].replace(",", "") or "0") + (match["part"] or ""))
        if value is not None and match["exponent"]:
            value = value.scaleb(int(match["exponent"]))
        elif value is not None and match["under"]:
            value = quotient(value, Decimal(match["under"]))
        elif value is not None and match["top"]:
            rest = quotient(Decimal(match["top"]), Decimal(match["below"]))
            value = None if rest is None else value + rest
    except InvalidOperation:
        return None
    negative = match["sign"] in ("-", "−") or match["behind"]
    return None if value is None else -value if negative else value


def quotient(top: Decimal, bottom: Decimal) -> Decimal | None:
    """top / bottom with 12 significant digits; None where it is undefined."""
    with localcontext() as context:
        context.prec = 12
        try:
            return top / bottom
        except (DivisionByZero, InvalidOperation):
            return None


def is_quantity(text: str) -> bool:
    """Whether an answer is a number with any unit."""
    return as_number(text, any_unit=True) is not None


def _is_unit(unit: str, any_unit: bool) -> bool:
    """Whether the words behind a number are a unit, rather than a month or a part of a name."""
    words = unit.split()
    if any(word.casefold().rstrip(".") in _MONTHS for word in words):
        return False
    return any_unit or all(not word[0].isupper() or word.casefold() in _SMALL for word in words)


def _plain(text: str) -> str:
    """Without what surrounds a number, and without LaTeX."""
    if "\\" in text:
        text = _FRACTION.sub(lambda match: f" {match[1] or match[3]}/{match[2] or match[4]} ", text)
        text = _TEXT.sub(r" \1", text)
        for mark, plain in ((r"^\circ", "°"), (r"^{\circ}", "°"), (r"\!", ""), (r"\,", ""), ("\\ ", " "), ("\\", "")):
            text = text.replace(mark, plain)
        text = " ".join(text.split()).strip("$ ")
    text = text.replace("{,}", ",").strip(_AROUND)
    return text[:-1] if text[-1:] in "!?;,:" else text


def _spelt(text: str, any_unit: bool) -> Decimal | None:
    match = _WORDS.fullmatch(text) if len(text) < _LONGEST and text[:1].isalpha() else None
    if match is None or not _is_unit(match["unit"], any_unit):
        return None
    from text_to_num import text2num  # type: ignore[import-untyped]

    try:
        value = Decimal(text2num(match["spelt"].lower(), "en"))
    except ValueError:
        return None
    return -value if match["sign"] else value
