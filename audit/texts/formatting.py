"""The format of a text: kinds of characters, and everything that counting words does not see."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["FORMATS", "format_counts", "format_numbers"]

# N texts become one array of code points, each with its kind, so that everything after is arithmetic on arrays.

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

MARKS: Final = {
    **{mark: mark for mark in ".,;:!?()[]{}\"'`/\\|&%$#@*+=<>~^_-"},
    **dict.fromkeys("“”„‟", "curly double quote"),
    **dict.fromkeys("‘’‚‛", "curly single quote"),
    **dict.fromkeys("«»‹›", "guillemet"),
    **dict.fromkeys("「」『』《》〈〉", "East Asian quote"),
    "–": "en dash",
    "—": "em dash",
    **dict.fromkeys("‐‑‒―−⁃", "other dash"),
    "…": "ellipsis character",
    **dict.fromkeys("•·●▪◦‣∙", "bullet"),
    **dict.fromkeys("→←↑↓⇒⇐⟶➜➔", "arrow"),
    **dict.fromkeys("。、", "East Asian full stop or comma"),
}
"""The kind of each common mark."""

_LETTERS: Final = ("lower", "upper", "caseless", "accent mark")
KINDS: Final = (
    *_LETTERS, "digit", "other digit", "line break", "carriage return", "tab", "space", "other space", "invisible",
    "full-width", "other symbol", *dict.fromkeys(MARKS.values()),
)  # fmt: skip
"""Every kind; a character has exactly one."""
_NUMBER: Final = {kind: number for number, kind in enumerate(KINDS)}


@dataclass(frozen=True)
class Characters:
    """The T characters of N texts, one text after the other."""

    kind: NDArray[np.uint8]
    """(T,) numbers of kinds."""
    starts: Ints
    """(N + 1,): text i has characters starts[i]:starts[i + 1]."""
    row: Ints
    """(T,) the text of each character."""
    accented: Bools
    """(T,) a Latin letter with an accent, as one character."""
    latin: Bools
    """(T,) an ASCII letter."""
    lookalike: Bools
    """(T,) a Greek or Cyrillic letter, some of which look like Latin ones."""
    compatible: Bools
    """(T,) a letter or digit in another guise (a ligature, a superscript), which NFKC replaces."""

    def are(self, *kinds: str) -> Bools:
        """(T,) whether each character is of one of these kinds."""
        table = np.zeros(len(KINDS), dtype=bool)
        table[[_NUMBER[kind] for kind in kinds]] = True
        return table[self.kind]

    @property
    def letters(self) -> Bools:
        """(T,) letters and the accents on them."""
        return self.kind < len(_LETTERS)

    @property
    def blanks(self) -> Bools:
        """(T,) white space of any kind."""
        return self.are("line break", "carriage return", "tab", "space", "other space")

    def before(self, mask: Bools) -> Bools:
        """(T,) whether `mask` holds for the previous character of the same text."""
        shifted = np.concatenate(([False], mask[:-1])) if len(mask) else mask.copy()
        shifted[self.starts[:-1][self.starts[:-1] < len(mask)]] = False
        return shifted

    def after(self, mask: Bools) -> Bools:
        """(T,) whether `mask` holds for the next character of the same text."""
        shifted = np.concatenate((mask[1:], [False])) if len(mask) else mask.copy()
        shifted[self.starts[1:][self.starts[1:] > 0] - 1] = False
        return shifted

    def per_text(self, mask: Bools) -> NDArray[np.float64]:
        """(N,) for how many characters of each text `mask` holds."""
        return np.bincount(self.row[mask], minlength=len(self.starts) - 1).astype(np.float64)


def characters(texts: Sequence[str]) -> Characters:
    """The characters of `texts` with their kinds; half a surrogate pair is a symbol."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    sizes = np.array([len(text) for text in texts], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    occurring = np.flatnonzero(np.bincount(codes)).tolist() if len(codes) else []
    width = (occurring[-1] if occurring else 0) + 1
    kind = np.zeros(width, dtype=np.uint8)
    flags = np.zeros((4, width), dtype=bool)
    for code in occurring:
        letter = chr(code)
        kind[code] = _NUMBER[_kind(letter)]
        flags[:, code] = _flags(letter)
    return Characters(
        kind[codes], starts, np.repeat(np.arange(len(texts)), sizes), *(flag[codes] for flag in flags)
    )  # fmt: skip


def _kind(letter: str) -> str:
    if letter in MARKS:
        return MARKS[letter]
    category = unicodedata.category(letter)
    if "\uff01" <= letter <= "\uffee" or letter == "\u3000":
        return "full-width"
    if letter in "\n\u2028\u2029\x0b\x0c\x85":
        return "line break"
    if letter in "\r\t ":
        return {"\r": "carriage return", "\t": "tab", " ": "space"}[letter]
    if category == "Zs":
        return "other space"
    if category[0] == "C" and category != "Cs":
        return "invisible"
    if category[0] == "L":
        return {"Lu": "upper", "Lt": "upper", "Ll": "lower"}.get(category, "caseless")
    if category[0] == "M":
        return "accent mark"
    if category[0] == "N":
        return "digit" if letter.isascii() else "other digit"
    return "other symbol"


def _flags(letter: str) -> tuple[bool, bool, bool, bool]:
    """Accented, Latin, a look-alike, a compatibility form."""
    if letter.isascii():
        return False, letter.isalpha(), False, False
    decomposed = unicodedata.normalize("NFD", letter)
    accented = len(decomposed) > 1 and decomposed[0].isascii() and decomposed[0].isalpha()
    lookalike = "\u0370" <= letter <= "\u052f" and letter.isalpha()
    guise = unicodedata.normalize("NFKC", letter) != unicodedata.normalize("NFC", letter)
    return accented, False, lookalike, guise and letter.isalnum() and not "\uff01" <= letter <= "\uffee"


# Replacing words by words of the same case leaves every number as it is. A vector outside the thirteen.

Floats = NDArray[np.float64]

_STOPS: Final = (".", "!", "?", "line break", "East Asian full stop or comma", "ellipsis character")
_ENDS: Final = {
    "a letter": ("lower", "upper", "caseless", "accent mark"),
    "a digit": ("digit", "other digit"),
    **{f"“{mark}”": (mark,) for mark in ".?!:,;"},
    "a quote": ('"', "'", "`", "curly double quote", "curly single quote", "guillemet", "East Asian quote"),
    "a closing bracket": (")", "]", "}"),
}
"""What a text may begin or end with, beside white space."""
_COUNTED: Final = (
    "accent mark", "line break", "carriage return", "tab", "other space", "invisible", "full-width", "other digit",
    "other symbol", *dict.fromkeys(MARKS.values()),
)  # fmt: skip
"""Kinds whose number per text is a part of the format."""
_PLURALS: Final = {
    "invisible": "invisible characters",
    "full-width": "full-width characters",
    "em dash": "em dashes",
    "en dash": "en dashes",
    "other dash": "other dashes",
    "East Asian full stop or comma": "East Asian full stops and commas",
}
_SHARES: Final = ("share", "first word", "begins with", "ends with", "final line break")
"""How the names of shares and of yes-or-no columns begin; all others are counts."""
_BLOCK: Final = 200_000
"""Letters handled at a time."""
_LISTS: Final = {
    "lines with a bullet": re.compile(r"^[ \t]*[-*+•–—][ \t]", re.M),
    "lines with a number and a mark": re.compile(r"^[ \t]*\(?\d+[.):]", re.M),
    "lines with a letter and a mark": re.compile(r"^[ \t]*\(?[A-Za-z][.):]", re.M),
}


def format_numbers(texts: Sequence[str]) -> Floats:
    """(N, p) float64: one column per name in `FORMATS`, not standardised. Counts are log(1 + count), shares 0 to 1."""
    return format_counts(texts)[1]


def format_counts(texts: Sequence[str]) -> tuple[Floats, Floats]:
    """The counts and shares themselves (N, p), and with log(1 + count) in place of the counts (N, p)."""
    values = np.empty((len(texts), len(FORMATS)))
    first = 0
    for last in _blocks(texts):
        values[first:last] = np.stack([column for _, column in _columns(texts[first:last])], axis=1)
        first = last
    counted = np.array([not name.startswith(_SHARES) for name in FORMATS])
    return values, np.where(counted, np.log1p(values), values)


def _columns(texts: Sequence[str]) -> Iterator[tuple[str, Floats]]:
    signs = characters(texts)
    counts = {name: [len(pattern.findall(text)) for text in texts] for name, pattern in _LISTS.items()}
    lists = ((name, np.array(times, dtype=np.float64)) for name, times in counts.items())
    return chain(_case(signs), _marks(signs), _blanks(signs), _ends(signs), lists)


def _blocks(texts: Sequence[str]) -> Iterator[int]:
    """Where blocks of texts end that fit into the cache of a processor: a hundred numbers are kept for each letter."""
    letters = 0
    for row, text in enumerate(texts, 1):
        letters += len(text)
        if letters >= _BLOCK or row == len(texts):
            yield row
            letters = 0


def _case(signs: Characters) -> Iterator[tuple[str, Floats]]:
    """Case per word, not per letter: a share of letters would depend on how long the words are."""
    n = len(signs.starts) - 1
    letters, upper = signs.letters, signs.are("upper")
    begins = letters & ~signs.before(letters)
    first = np.flatnonzero(begins)
    row = signs.row[first]
    word = np.cumsum(begins) - 1
    capitals = np.bincount(word[upper], minlength=len(first))
    size = np.bincount(word[letters & ~signs.are("accent mark")], minlength=len(first))
    headed = upper[first]
    stops = np.cumsum(signs.are(*_STOPS))[first]
    opening = np.ones(len(first), dtype=bool)
    opening[1:] = (row[1:] != row[:-1]) | (stops[1:] > stops[:-1])
    lone = np.ones(len(first), dtype=bool)
    lone[1:] = row[1:] != row[:-1]
    words = np.maximum(np.bincount(row, minlength=n), 1)
    openings = np.maximum(np.bincount(row[opening], minlength=n), 1)

    def share(mask: Bools, of: NDArray[np.int64] = words) -> Floats:
        return np.asarray(np.bincount(row[mask], minlength=n) / of, dtype=np.float64)

    yield "share of capitalised words", share(headed & (capitals == 1))
    yield "share of words in capitals", share(headed & (capitals == size) & (size > 1))
    yield "share of words in mixed case", share((capitals > headed) & (capitals < size))
    yield "share of capitals in mid-sentence", share(headed & ~opening)
    yield "share of sentences that begin with a capital", share(headed & opening, openings)
    yield "first word capitalised", share(headed & lone, np.ones(n, dtype=np.int64))
    accented = np.unique(word[signs.accented])
    yield "words with an accent", np.bincount(row[accented], minlength=n).astype(np.float64)
    mixed = signs.lookalike & (signs.before(signs.latin) | signs.after(signs.latin))
    yield "Greek or Cyrillic letters beside Latin ones", signs.per_text(mixed)


def _marks(signs: Characters) -> Iterator[tuple[str, Floats]]:
    n, k = len(signs.starts) - 1, len(KINDS)
    counts = np.bincount(signs.row * k + signs.kind, minlength=n * k).reshape(n, k).astype(np.float64)
    for kind in _COUNTED:
        named = f"“{kind}”" if len(kind) == 1 else _PLURALS.get(kind, f"{kind}s")
        yield f"number of {named}", counts[:, KINDS.index(kind)]
    yield "ligatures, superscripts and the like", signs.per_text(signs.compatible)
    digits, dots = signs.are("digit", "other digit"), signs.are(".")
    yield "numbers in digits", signs.per_text(digits & ~signs.before(digits))
    between = signs.before(digits) & signs.after(digits)
    yield "commas within numbers", signs.per_text(signs.are(",") & between)
    yield "full stops within numbers", signs.per_text(dots & between)
    yield "three full stops in a row", signs.per_text(dots & signs.before(dots) & signs.after(dots))
    blanks = signs.blanks
    marks = ~blanks & ~signs.letters & ~digits
    left, right = signs.before(blanks), signs.after(blanks)
    yield "marks with a blank on both sides", signs.per_text(marks & left & right)
    yield "marks with a blank before", signs.per_text(marks & left & ~right)
    yield "marks with a blank after", signs.per_text(marks & ~left & right)
    yield "blanks before a comma or stop", signs.per_text(signs.are(*".,;:!?") & left)
    tight = signs.are(*".,;:!?") & signs.before(signs.letters) & signs.after(signs.letters)
    yield "commas or stops without a blank after", signs.per_text(tight)


def _blanks(signs: Characters) -> Iterator[tuple[str, Floats]]:
    breaks, spaces, blanks = signs.are("line break"), signs.are("space", "tab", "other space"), signs.blanks
    n = len(signs.starts) - 1
    first, last = _edges(signs, spaces)
    size = last - first + 1
    row = signs.row[first]
    at_start, at_end = first == signs.starts[:-1][row], last == signs.starts[1:][row] - 1
    indented = signs.before(breaks)[first] & ~at_start
    trailing = signs.after(breaks | signs.are("carriage return"))[last] & ~at_end
    inner = ~(at_start | at_end | indented | trailing)

    def count(mask: Bools) -> Floats:
        return np.bincount(row[mask], minlength=n).astype(np.float64)

    yield "double blanks", count(inner & (size > 1))
    yield "indented lines", count(indented)
    yield "lines with a blank at the end", count(trailing)
    yield "longest run of blanks", _longest(size[inner], row[inner], n)
    first, last = _edges(signs, breaks | signs.are("carriage return"))
    yield "longest run of line breaks", _longest(last - first + 1, signs.row[first], n)
    seen = np.where(blanks, -1, np.arange(len(blanks)))
    broken = np.where(breaks, np.arange(len(blanks)), -1)
    # The last visible character and the last line break before each character.
    visible = np.concatenate(([-1], np.maximum.accumulate(seen)[:-1])) if len(seen) else seen
    previous = np.concatenate(([-1], np.maximum.accumulate(broken)[:-1])) if len(seen) else broken
    start = signs.starts[:-1][signs.row]
    empty = breaks & (np.maximum(visible, start - 1) < np.maximum(previous, start))
    yield "empty lines", signs.per_text(empty)
    lead, tail = _outer(signs, blanks)
    yield "blanks at the beginning", lead
    yield "blanks at the end", tail
    final = np.zeros(n)
    full = np.flatnonzero(np.diff(signs.starts) > 0)
    final[full] = breaks[signs.starts[1:][full] - 1]
    yield "final line break", final


def _edges(signs: Characters, mask: Bools) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last character of each run of `mask` within a text."""
    return np.flatnonzero(mask & ~signs.before(mask)), np.flatnonzero(mask & ~signs.after(mask))


def _longest(size: NDArray[np.int64], row: NDArray[np.int64], n: int) -> Floats:
    longest = np.zeros(n)
    np.maximum.at(longest, row, size)
    return longest


def _visible(signs: Characters, blanks: Bools) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Texts with a visible character, and the places of their first and last one."""
    places = np.flatnonzero(~blanks)
    rows, first, count = np.unique(signs.row[places], return_index=True, return_counts=True)
    return rows, places[first], places[first + count - 1]


def _outer(signs: Characters, blanks: Bools) -> tuple[Floats, Floats]:
    """How many blanks stand before the first visible character and after the last; all of them if none is visible."""
    lead = np.diff(signs.starts).astype(np.float64)
    tail = lead.copy()
    rows, first, last = _visible(signs, blanks)
    lead[rows] = first - signs.starts[:-1][rows]
    tail[rows] = signs.starts[1:][rows] - 1 - last
    return lead, tail


def _ends(signs: Characters) -> Iterator[tuple[str, Floats]]:
    rows, first, last = _visible(signs, signs.blanks)
    for verb, places in (("begins", first), ("ends", last)):
        for name, kinds in _ENDS.items():
            column = np.zeros(len(signs.starts) - 1)
            column[rows] = signs.are(*kinds)[places]
            yield f"{verb} with {name}", column


FORMATS: Final = tuple(name for name, _ in _columns([""]))
"""The name of each column, in plain words."""
