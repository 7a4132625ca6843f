"""The numbers of a text, exact: 1,000, 3/4, 12.50, five hundred, three dozen, twice."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from audit.openended.numerals import quotient

__all__ = ["Quantity", "quantities", "rounded"]

_MOST_DIGITS = 30
"""Longer runs of digits are codes, not quantities."""
_MOST = 200
"""Numbers read in one text: a longer list is a table."""
_WORDY = r"[^\W\u3040-\u9fff\uac00-\ud7af]"
"""A character that a number may not touch: Chinese, Japanese and Korean are written without blanks."""
_NUMBER = re.compile(
    rf"(?<!{_WORDY})(?<![.,/])(?P<sign>[-−](?=[\d.$€£]))?[$€£¥]?\s?"
    rf"(?P<whole>\d{{1,3}}(?:,\d{{3}})+|\d+)(?P<part>\.\d+|/\d+(?![\d/]))?(?!st\b|nd\b|rd\b|th\b|/|{_WORDY})|"
    rf"(?<!{_WORDY})(?<![.,/])[$€£¥]?(?P<attached>\d+(?:\.\d+)?)"
    r"(?=(?:k?g|k?m|cm|mm|ml|l|lb|oz|h|s|am|pm|ft|mph|°)\b)"
)
_SPELT = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|fou?rty|fifty|sixty|"
    r"seventy|eighty|ninety|hundred|thousand|million|billion)\b",
    re.I,
)
_DOZEN = re.compile(r"\b(?:(?P<half>half a)|(?P<count>\d+)|a)?\s?dozens?\b", re.I)
_FACTOR = re.compile(r"\b(?:twice|double|thrice|triple|half|quarter|a couple)\b", re.I)
_FACTORS = {
    "twice": "2", "double": "2", "thrice": "3", "triple": "3", "half": "0.5", "quarter": "0.25", "a couple": "2",
}  # fmt: skip
_PIECE = re.compile(r"[^.!?\n]+[.!?\n]*|[.!?\n]+")
_WORD = re.compile(r"[^\W\d_]+(?:'\w+)?")
_LONGEST_PIECE = 2_000
"""Characters of a sentence whose number words are read; the reader's time grows faster than the text."""


class Quantity(NamedTuple):
    """A number of a text, with the words beside it."""

    value: Decimal
    before: str
    """The two words before it, lower case; empty at the start."""
    after: str
    """The word after it: what is counted."""


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text in their order, at most 200. Number words are English; digits are read in any language.

    `one` by itself is mostly a pronoun and `second` an ordinal or a time, so neither counts. A dozen is 12, twice
    is 2, half is .5.
    """
    text = _in_digits(text)
    result = []
    end = 0
    for match in _NUMBER.finditer(text):
        value = _value(match)
        if value is None:
            continue
        before = _WORD.findall(text[max(end, match.start() - 60) : match.start()])
        after = _WORD.search(text, match.end(), match.end() + 40)
        result.append(Quantity(value, " ".join(before[-2:]).lower(), after[0].lower() if after else ""))
        end = match.end()
        if len(result) == _MOST:
            break
    return result


def _value(match: re.Match[str]) -> Decimal | None:
    whole = (match["whole"] or match["attached"]).replace(",", "")
    part = match["part"] or ""
    if len(whole) + len(part) > _MOST_DIGITS:
        return None
    if part.startswith("/"):
        return quotient(Decimal(whole), Decimal(part[1:]))
    value = Decimal(whole + part)
    return -value if match["sign"] else value


def rounded(value: Decimal, places: int) -> Decimal:
    """`value` with so many decimals, halves away from zero as in arithmetic at school; itself where it is too large."""
    try:
        return value.quantize(Decimal(1).scaleb(-places), rounding="ROUND_HALF_UP")
    except InvalidOperation:
        return value


def _in_digits(text: str) -> str:
    """The text with number words in digits."""
    if _SPELT.search(text):
        text = "".join(_spelt_out(piece) for piece in _PIECE.findall(text))
    lowered = text.lower()
    if "dozen" in lowered:
        text = _DOZEN.sub(_dozens, text)
    return _FACTOR.sub(lambda match: _FACTORS[match[0].lower()], text)


def _spelt_out(piece: str) -> str:
    if len(piece) > _LONGEST_PIECE or not _SPELT.search(piece):
        return piece
    from text_to_num import alpha2digit  # type: ignore[import-untyped]

    return str(alpha2digit(piece, "en", threshold=1.0))


def _dozens(match: re.Match[str]) -> str:
    start = " " if match[0][:1] == " " else ""
    if match["half"]:
        return f"{start}6"
    return f"{start}{12 * int(match['count'] or 1)}" if len(match["count"] or "") < _MOST_DIGITS else match[0]
