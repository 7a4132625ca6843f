"""Numbers in an English text, in digits, words, fractions or LaTeX: where they stand, and what they are worth.

Every pattern is possessive or bounded, so the time is linear in the length of any text.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple

__all__ = ["LONGEST", "Mention", "numbers", "plain", "same_number", "unlabelled", "value", "written"]

LONGEST = 40
"""Digits that an answer can have. Numbers of more than twice as many characters are skipped: none is an answer, and
Python refuses to convert very long ones."""


class Mention(NamedTuple):
    """A number in a text: its exact value, and the positions of its first character and of the one after its last."""

    value: Fraction
    start: int
    end: int


_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
           "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅑": "1/9",
           "⅒": "1/10"}  # fmt: skip
_SIGNS = str.maketrans({**{sign: f" {text}" for sign, text in _VULGAR.items()}, "−": "-", "⁄": "/", "’": "'", "_": " "})
_LATEX = (
    (re.compile(r"\\[dt]?frac\s{0,3}\{\s{0,3}(\d{1,40})\s{0,3}\}\s{0,3}\{\s{0,3}(\d{1,40})\s{0,3}\}"), r" \1/\2"),
    (re.compile(r"\\[dt]?frac(\d)(\d)"), r" \1/\2"),
    (re.compile(r"(?<=\d)(?:\{,\}|\\[,!;:]|[\u00a0\u2009\u202f])(?=\d{3}(?!\d))"), ","),
    (re.compile(r"(?<=\d)\{,\}(?=\d)"), ","),
    (re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\s{0,3}\{"), " {"),
    (re.compile(r"\\(?:times|cdot|ast)(?![a-z])"), "×"),
    (re.compile(r"\\div(?![a-z])"), "÷"),
    (re.compile(r"\\[()\[\]]|\\?[$€£]"), " "),
)
# `10,5` is ten and a half, `1,250` are thousands, and `1,2,3` are three numbers.
_DIGITS = re.compile(
    r"(?<![\w.])(?P<sign>(?<![\d)])-)?"
    r"(?:(?P<comma>(?<!\d,)(?![1-9]\d{0,2},\d{3}(?!\d))(?:\d{1,3}(?:\.\d{3})++|\d++),\d++(?![.,]?\d))|"
    r"(?P<whole>\d{1,3}(?:,\d{3})++(?!,?\d)|\d++)(?P<decimals>\.\d++)?)"
    r"(?:[ \t]{0,2}/[ \t]{0,2}(?P<under>\d++)(?![.]?\d))?"
    r"(?!(?:st|nd|rd|th)\b)|(?P<point>(?<![\w.])-?\.\d++)"
)
_TENS = "twenty thirty forty fourty fifty sixty seventy eighty ninety"
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_COUNTS = frozenset((_ONES + " " + _TENS).split())
_SCALES = frozenset(("hundred", "thousand", "million"))
_PARTS = {"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
          "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10,
          "tenths": 10}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]++")
_GAP = re.compile(r"[ \t]{1,2}|-")
_MOST = 12  # words in a number
_PRONOUN_AFTER = frozenset(
    ("this", "that", "which", "the", "each", "every", "no", "any", "some", "another", "last", "first", "other", "st",
     "nd", "rd", "th")
)  # fmt: skip
_PRONOUN_BEFORE = frozenset(("of", "by", "another", "way", "thing", "day", "time"))
_NOT_A_PART = frozenset(("as", "of", "the", "that", "this", "his", "her", "their", "its", "my", "our", "way"))


def plain(text: str) -> str:
    """The text with LaTeX, typographic signs and vulgar fractions in plain characters."""
    for pattern, new in _LATEX:
        text = pattern.sub(new, text)
    return text.translate(_SIGNS)


def numbers(text: str) -> list[Mention]:
    """The numbers of a `plain` text, in order. Ordinals, 1/0 and numbers that are too long do not count.

    `2 1/2` and `two and a half` are one number each. `minus 3` is negative unless a number comes right before it.
    """
    mentions = sorted(_numbers_in_digits(text) + _in_words(text), key=lambda mention: mention.start)
    joined: list[Mention] = []
    for mention in mentions:
        last = joined[-1] if joined else None
        between = text[last.end : mention.start] if last and mention.start - last.end <= 8 else "far"
        if (
            last
            and 0 < mention.value < 1
            and last.value >= 0
            and last.value.denominator == 1
            and ((between == " " and "/" in text[mention.start : mention.end]) or between in (" and ", " and a "))
        ):
            joined[-1] = Mention(last.value + mention.value, last.start, mention.end)
            continue
        sign = re.search(
            r"(?:^|[^\w])((?:minus|negative) )$", text[max(0, mention.start - 12) : mention.start], re.IGNORECASE
        )
        if sign and mention.value > 0:
            start = mention.start - len(sign[1])
            if not (last and not text[last.end : start].strip()):
                mention = Mention(-mention.value, start, mention.end)
        joined.append(mention)
    return joined


def _numbers_in_digits(text: str) -> list[Mention]:
    mentions = []
    for match in _DIGITS.finditer(text):
        if match.end() - match.start() > 2 * LONGEST:
            continue
        if match["point"]:
            mentions.append(Mention(Fraction(match["point"].replace(".", "0.")), match.start(), match.end()))
            continue
        if match["comma"]:
            value = Fraction(match["comma"].replace(".", "").replace(",", "."))
        else:
            value = Fraction(match["whole"].replace(",", "") + (match["decimals"] or ""))
        if match["under"]:
            if not int(match["under"]):
                continue
            value /= int(match["under"])
        mentions.append(Mention(-value if match["sign"] else value, match.start(), match.end()))
    return mentions


def _in_words(text: str) -> list[Mention]:
    words = [(match[0].lower(), match.start(), match.end()) for match in _WORD.finditer(text)]
    mentions = []
    place = 0
    while place < len(words):
        mention, used = _at(text, words, place)
        if mention is not None:
            mentions.append(mention)
        place += used
    return mentions


def _at(text: str, words: list[tuple[str, int, int]], place: int) -> tuple[Mention | None, int]:
    """The number that starts at word `place`, or None; and how many words to skip."""
    word, start, end = words[place]
    before = words[place - 1][0] if place else ""
    after = words[place + 1][0] if place + 1 < len(words) else ""
    if word == "none":
        return (None, 1) if after == "of" else (Mention(Fraction(0), start, end), 1)
    if word in ("half", "dozen") and (word == "dozen" or after not in _NOT_A_PART):
        return Mention(Fraction(1, 2) if word == "half" else Fraction(12), start, end), 1
    if word in ("a", "an") and after in ("third", "quarter", "fifth", "tenth"):
        follows = words[place + 2][0] if place + 2 < len(words) else ""
        if follows in _NOT_A_PART:
            return None, 2
        return Mention(Fraction(1, _PARTS[after]), start, words[place + 1][2]), 2
    leads = word in _COUNTS or (word in ("a", "one") and after in _SCALES)
    pronoun = before in _PRONOUN_AFTER or after in _PRONOUN_BEFORE
    if not leads or (word == "one" and after not in _SCALES | _PARTS.keys() and pronoun):
        return None, 1
    run = [place]
    while len(run) < _MOST and run[-1] + 1 < len(words):
        following = run[-1] + 1
        gap = text[words[run[-1]][2] : words[following][1]]
        comma = gap == ", " and words[run[-1]][0] in ("thousand", "million")
        if not (comma or _GAP.fullmatch(gap)) or words[following][0] not in _COUNTS | _SCALES | {"and"}:
            break
        run.append(following)
    return _longest(text, words, run)


def _longest(text: str, words: list[tuple[str, int, int]], run: list[int]) -> tuple[Mention | None, int]:
    """The longest prefix of a run of number words that is a single number, as `_at` returns it."""
    from text_to_num import text2num  # type: ignore[import-untyped]

    for size in range(len(run), 0, -1):
        some = ["one" if words[i][0] == "a" else words[i][0].replace("fourty", "forty") for i in run[:size]]
        if some[-1] == "and":
            continue
        try:
            value = Fraction(text2num(" ".join(some), "en"))
        except ValueError:
            continue
        start, end = words[run[0]][1], words[run[size - 1]][2]
        following = run[size - 1] + 1
        part = words[following] if following < len(words) else ("", 0, 0)
        if part[0] in _PARTS and _GAP.fullmatch(text[end : part[1]]):
            return Mention(value / _PARTS[part[0]], start, part[2]), size + 1
        if part[0] == "dozen" and _GAP.fullmatch(text[end : part[1]]):
            return Mention(value * 12, start, part[2]), size + 1
        return Mention(value, start, end), size
    return None, 1


# What a number is worth that stands by itself, such as a gold answer.

_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_SPACED = re.compile(r"[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d+)?")
_DECIMAL_COMMA = re.compile(r"(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+),\d+")
_FRACTION = re.compile(r"(-?)(?:(\d{1,40}) )?(\d{1,40}) ?/ ?(\d{1,40})")
_LEADING = re.compile(r"^(?!\.\d)(?:[ \t\"'`*_!?,;:()\[\]{}“”‘’]|\.(?!\d))+")
_EDGES = " \t\"'`*_.!?,;:()[]{}“”‘’"
_MOST_CHARACTERS = 400
"""Characters of a number; nobody means a longer one."""


def value(text: str) -> Decimal | None:
    """The value of a number; None where it is none, or may be several, as `1,2,3` is.

    Commas part thousands in `1,250.5`, and are the decimal sign in `10,5`, `0,125` and `1.250,5`. Spaces part
    thousands, and `1/2` is a half.
    """
    plain = _LEADING.sub("", " ".join(text.split()).rstrip(_EDGES)).translate(str.maketrans("−", "-", "$€£+"))
    if len(plain) > _MOST_CHARACTERS:
        return None
    if fraction := _FRACTION.fullmatch(plain):
        sign, units, above, below = fraction.groups()
        if not int(below):
            return None
        size = Decimal(units or 0) + Decimal(above) / Decimal(below)
        return -size if sign else size
    if _SPACED.fullmatch(plain.removeprefix("-")):
        plain = plain.replace(" ", "")
    if "," in plain:
        digits = plain.removeprefix("-")
        if _THOUSANDS.fullmatch(digits):
            plain = plain.replace(",", "")
        elif _DECIMAL_COMMA.fullmatch(digits):
            plain = plain.replace(".", "").replace(",", ".")
        else:
            return None
    try:
        number = Decimal(plain)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def same_number(first: str, second: str) -> bool:
    """Whether both are numbers of one value."""
    number = value(first)
    return number is not None and number == value(second)


# The numbers of steps and lists, which count nothing.

_DIGIT = re.compile(r"\d")
_LABEL = re.compile(r"\b(?:step|part|question|problem|sentence|equation)[ \t]{1,2}#?\d{1,3}\b", re.IGNORECASE)
_BULLET = re.compile(r"^([ \t>*#-]{0,12})(\d{1,2})[.)](?=[ \t*]{1,3}\S)", re.MULTILINE)


def unlabelled(text: str) -> str:
    """The text without the numbers of steps and lists, which start at 1 or continue the numbering."""
    if not _DIGIT.search(text):
        return text
    expected = 1

    def unless_counting(match: re.Match[str]) -> str:
        nonlocal expected
        number = int(match[2])
        if number not in (1, expected):
            return match[0]
        expected = number + 1
        return match[1]

    return _BULLET.sub(unless_counting, _LABEL.sub(" ", text))


def written(number: Fraction) -> str:
    """A number as an answer is written: `7`, `0.5`, `1/3`."""
    if number.denominator == 1:
        return str(number.numerator)
    rest = number.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    return f"{Decimal(number.numerator) / Decimal(number.denominator):f}" if rest == 1 else str(number)
