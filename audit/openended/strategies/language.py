"""Which strategies can read these texts: question words and number words are English, and words are cut at blanks."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Literal

from audit.openended.strategies.reading import Reading
from audit.texts.sentences import function_words

__all__ = ["Language", "language_of"]

Language = Literal["English", "other", "without blanks"]

_SAMPLE = 500
"""Prompts, evenly spaced, from which the language is known."""
_FEWEST = 2.0
"""Words per prompt below which nothing is said of a language: `12 + 30 =`."""
_LISTED = 1 / 6
"""Share of closed-class words below which a text is not English: English has 40 to 60 %."""
_JOINED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
"""Scripts that are written without blanks between words."""


def language_of(readings: Sequence[Reading]) -> Language:
    """`English` also where there are hardly any words to tell it by."""
    sample = readings[:: max(1, len(readings) // _SAMPLE)]
    words = [word for reading in sample for word in reading.words if not word.isdecimal()]
    letters = [char for word in words for char in word if char.isalpha()]
    if letters and 2 * sum(_is_joined(char) for char in letters) > len(letters):
        return "without blanks"
    if len(words) < _FEWEST * len(sample):
        return "English"
    known = function_words()
    listed = sum((folded := word.lower()) in known.kept or folded in known.dropped for word in words)
    return "English" if listed >= _LISTED * len(words) else "other"


def _is_joined(char: str) -> bool:
    return not char.isascii() and unicodedata.name(char, "").startswith(_JOINED)
