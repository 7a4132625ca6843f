"""Kinds of characters, as the format of a text sees them: a letter is upper, lower or neither, a mark is itself.

N texts become one array of code points, each with its kind, so that everything after is arithmetic on arrays.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["KINDS", "MARKS", "Characters", "characters"]

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
