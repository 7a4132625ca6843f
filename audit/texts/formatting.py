"""The format of a text: kinds of characters, and everything that counting words does not see."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["FORMATS", "format_counts", "format_numbers"]

# A text becomes a string of the same length that has the sign of each character's kind in its place. Everything after
# is counting in that string, by regular expressions. Replacing words by words of the same case leaves it as it is.

Floats = NDArray[np.float64]

_SIGNS: Final = {
    **{mark: mark for mark in ".,;:!?()[]{}\"'`/\\|&%$#@*+=<>~^_-"},
    **dict.fromkeys("“”„‟", "Q"),
    **dict.fromkeys("‘’‚‛", "q"),
    **dict.fromkeys("«»‹›", "g"),
    **dict.fromkeys("「」『』《》〈〉", "G"),
    "–": "n",
    "—": "M",
    **dict.fromkeys("‐‑‒―−⁃", "h"),
    "…": "e",
    **dict.fromkeys("•·●▪◦‣∙", "b"),
    **dict.fromkeys("→←↑↓⇒⇐⟶➜➔", "a"),
    **dict.fromkeys("。、", "j"),
    **{blank: blank for blank in "\r\t "},
    **dict.fromkeys("\n\u2028\u2029\x0b\x0c\x85", "\n"),
}
"""The sign of each common mark and blank; `_sign` gives that of any other character."""
_CATEGORIES: Final = {"Lu": "u", "Lt": "u", "Ll": "l", "Zs": "o", "Cs": "S"}

_LETTER, _DIGIT, _SPACE = "lucm", "dD", "\t o"
"""Letters are lower, upper, without case, or accents on them; digits are ASCII or other; space is not a line break."""
_BLANKS = "\n\r" + _SPACE
_STOP = r".!?\nje"

_NAMED: Final = {
    "m": "accent marks", "\n": "line breaks", "\r": "carriage returns", "\t": "tabs", "o": "other spaces",
    "i": "invisible characters", "w": "full-width characters", "D": "other digits", "S": "other symbols",
    **{mark: f"“{mark}”" for mark in ".,;:!?()[]{}\"'`/\\|&%$#@*+=<>~^_-"},
    "Q": "curly double quotes", "q": "curly single quotes", "g": "guillemets", "G": "East Asian quotes",
    "n": "en dashes", "M": "em dashes", "h": "other dashes", "e": "ellipsis characters", "b": "bullets", "a": "arrows",
    "j": "East Asian full stops and commas",
}  # fmt: skip
"""Kinds whose number per text is a part of the format."""

_COUNTED: Final = {
    "numbers in digits": (_DIGIT, rf"[{_DIGIT}]++"),
    "commas within numbers": (_DIGIT, rf"(?<=[{_DIGIT}]),(?=[{_DIGIT}])"),
    "full stops within numbers": (_DIGIT, rf"(?<=[{_DIGIT}])\.(?=[{_DIGIT}])"),
    "three full stops in a row": (".", r"(?<=\.)\.(?=\.)"),
    "marks with a blank on both sides": (_BLANKS, rf"(?<=[{_BLANKS}])[^{_BLANKS}{_LETTER}{_DIGIT}](?=[{_BLANKS}])"),
    "marks with a blank before": (_BLANKS, rf"(?<=[{_BLANKS}])[^{_BLANKS}{_LETTER}{_DIGIT}](?![{_BLANKS}])"),
    "marks with a blank after": (_BLANKS, rf"(?<![{_BLANKS}])[^{_BLANKS}{_LETTER}{_DIGIT}](?=[{_BLANKS}])"),
    "blanks before a comma or stop": (".,;:!?", rf"(?<=[{_BLANKS}])[.,;:!?]"),
    "commas or stops without a blank after": (".,;:!?", rf"(?<=[{_LETTER}])[.,;:!?](?=[{_LETTER}])"),
    "double blanks": (_SPACE, rf"(?<=[^\n{_SPACE}])[{_SPACE}]{{2,}}+(?=[^\n\r])"),
    "indented lines": ("\n", rf"(?<=\n)[{_SPACE}]"),
    "lines with a blank at the end": ("\n\r", rf"[{_SPACE}](?=[\n\r])"),
    "longest run of blanks": (_SPACE, rf"(?<=[^\n{_SPACE}])[{_SPACE}]++(?=[^\n\r])"),
    "longest run of line breaks": ("\n\r", r"[\n\r]++"),
    "empty lines": ("\n", rf"(?:\A|(?<=\n))[\r{_SPACE}]*+\n"),
}
"""Signs of which a text needs one, and what is counted in its signs, or how long the longest is."""

_ENDS: Final = {
    "a letter": _LETTER, "a digit": _DIGIT, **{f"“{mark}”": mark for mark in ".?!:,;"}, "a quote": "\"'`QqgG",
    "a closing bracket": ")]}",
}  # fmt: skip
"""What a text may begin or end with, beside white space."""

_LISTS: Final = {
    "lines with a bullet": r"^[ \t]*[-*+•–—][ \t]",
    "lines with a number and a mark": r"^[ \t]*\(?\d+[.):]",
    "lines with a letter and a mark": r"^[ \t]*\(?[A-Za-z][.):]",
}
"""What is counted in the text itself."""

FORMATS: Final = (
    "share of capitalised words", "share of words in capitals", "share of words in mixed case",
    "share of capitals in mid-sentence", "share of sentences that begin with a capital", "first word capitalised",
    "words with an accent", "Greek or Cyrillic letters beside Latin ones",
    *(f"number of {name}" for name in _NAMED.values()), "ligatures, superscripts and the like",
    *_COUNTED, "blanks at the beginning", "blanks at the end", "final line break",
    *(f"{verb} with {name}" for verb in ("begins", "ends") for name in _ENDS), *_LISTS,
)  # fmt: skip
"""The name of each column, in plain words."""

_SHARES: Final = ("share", "first word", "begins with", "ends with", "final line break")
"""How the names of shares and of yes-or-no columns begin; all others are counts."""

_SEVERAL = re.compile("ll+")
_WORD = re.compile(f"[{_LETTER}]++")
_HEADED = re.compile(f"(?<![{_LETTER}])u")
_CAPITALISED = re.compile(f"(?<![{_LETTER}])u[lcm]*+(?!u)")
_IN_CAPITALS = re.compile(f"(?<![{_LETTER}])um*+u[um]*+(?![{_LETTER}])")
_MIXED = re.compile(f"(?<![{_LETTER}])(?=[{_LETTER}][lcm]*+u)[um]*+[lc]")
_OPENING = re.compile(rf"(?:\A|[{_STOP}])[^{_LETTER}{_STOP}]*+([{_LETTER}])")
_FIRST = re.compile(f"[^{_LETTER}]*+u")
_BESIDE_LATIN = re.compile("[kK](?=L)|(?<=L)[kK]")
_PATTERNS = [(re.compile(text), needed, name.startswith("longest")) for name, (needed, text) in _COUNTED.items()]
_LINES = [re.compile(pattern, re.M) for pattern in _LISTS.values()]


class _Table(dict[int, str]):
    """What `str.translate` puts in the place of each character, worked out when it first occurs."""

    def __init__(self, sign: Callable[[str], str]) -> None:
        self._sign = sign

    def __missing__(self, code: int) -> str:
        self[code] = sign = self._sign(chr(code))
        return sign


def _sign(letter: str) -> str:
    """The kind of a character; half a surrogate pair is a symbol."""
    if letter in _SIGNS:
        return _SIGNS[letter]
    if "\uff01" <= letter <= "\uffee" or letter == "\u3000":
        return "w"
    category = unicodedata.category(letter)
    if category in _CATEGORIES:
        return _CATEGORIES[category]
    if category[0] == "N":
        return "d" if letter.isascii() else "D"
    return {"L": "c", "M": "m", "C": "i"}.get(category[0], "S")


def _guise(letter: str) -> str:
    """L: an ASCII letter; a: a Latin one with an accent; k: Greek or Cyrillic, some of which look like Latin ones; c: a
    letter or digit in another guise (a ligature, a superscript), which NFKC replaces; K: both; -: none of these."""
    if letter.isascii():
        return "L" if letter.isalpha() else "-"
    decomposed = unicodedata.normalize("NFD", letter)
    if len(decomposed) > 1 and decomposed[0].isascii() and decomposed[0].isalpha():
        return "a"
    lookalike = "\u0370" <= letter <= "\u052f" and letter.isalpha()
    other = unicodedata.normalize("NFKC", letter) != unicodedata.normalize("NFC", letter)
    if other and letter.isalnum() and not "\uff01" <= letter <= "\uffee":
        return "K" if lookalike else "c"
    return "k" if lookalike else "-"


_KINDS, _GUISES = _Table(_sign), _Table(_guise)


def format_numbers(texts: Sequence[str]) -> Floats:
    """(N, p) float64: one column per name in `FORMATS`, not standardised. Counts are log(1 + count), shares 0 to 1."""
    return format_counts(texts)[1]


def format_counts(texts: Sequence[str]) -> tuple[Floats, Floats]:
    """The counts and shares themselves (N, p), and with log(1 + count) in place of the counts (N, p)."""
    values = np.array([_row(text) for text in texts], dtype=np.float64).reshape(len(texts), len(FORMATS))
    counted = np.array([not name.startswith(_SHARES) for name in FORMATS])
    return values, np.where(counted, np.log1p(values), values)


def _row(text: str) -> list[float]:
    """The numbers of one text in the order of `FORMATS`."""
    whole = text.translate(_KINDS)
    guise = "" if text.isascii() else text.translate(_GUISES)
    signs = _SEVERAL.sub("l", whole)  # which no pattern tells from the whole, and all take a third of the time
    present = set(signs)
    # Case per word, not per letter: a share of letters would depend on how long the words are.
    words, openings = max(len(_WORD.findall(signs)), 1), _OPENING.findall(signs)
    opened = openings.count("u")
    row: list[float] = [
        len(_CAPITALISED.findall(signs)) / words,
        len(_IN_CAPITALS.findall(signs)) / words,
        len(_MIXED.findall(signs)) / words,
        (len(_HEADED.findall(signs)) - opened) / words,
        opened / max(len(openings), 1),
        _FIRST.match(signs) is not None,
        sum("a" in guise[word.start() : word.end()] for word in _WORD.finditer(whole)) if "a" in guise else 0,
        len(_BESIDE_LATIN.findall(guise)),
    ]
    row += [signs.count(sign) if sign in present else 0 for sign in _NAMED]
    row.append(guise.count("c") + guise.count("K"))
    for pattern, needed, longest in _PATTERNS:
        matches = [] if present.isdisjoint(needed) else pattern.findall(signs)
        row.append(max(map(len, matches), default=0) if longest else len(matches))
    visible = signs.lstrip(_BLANKS)
    row += [len(signs) - len(visible), len(signs) - len(signs.rstrip(_BLANKS)), signs.endswith("\n")]
    visible = visible.rstrip(_BLANKS)
    row += [visible[:1] in kinds if visible else 0 for kinds in _ENDS.values()]
    row += [visible[-1:] in kinds if visible else 0 for kinds in _ENDS.values()]
    return row + [len(pattern.findall(text)) for pattern in _LINES]
