"""Folding: the lower-cased, accent-free text that all n-grams are counted on.

Texts come from a `Benchmark`; the folded text goes to `pieces`, its letter-by-letter origin to `spans`.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["fold", "origins"]

# Lone surrogates (half a character, from broken JSON escapes) cannot be encoded; U+FFFD is no letter either.
_SURROGATES = re.compile("[\ud800-\udfff]")


def _strip_accents(lowered: str) -> str:
    decomposed = unicodedata.normalize("NFKD", lowered)
    return "".join([letter for letter in decomposed if not unicodedata.combining(letter)])


def fold(text: str) -> str:
    """`text` in lower case, in compatibility decomposition (NFKD), without combining marks.

    The same as scikit-learn's `lowercase=True, strip_accents="unicode"`, except that a lone surrogate becomes
    U+FFFD. The result may be longer (a ligature) or shorter (an accent typed as a mark of its own).
    """
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    return _SURROGATES.sub("\ufffd", _strip_accents(lowered))


def origins(text: str) -> list[int]:
    """For each character of `fold(text)`, the index of the character of `text` that it came from."""
    if text.isascii():
        return list(range(len(text)))
    # Folding acts on each character alone but for the two forms of a small sigma, which are equally long.
    return [index for index, letter in enumerate(text) for _ in _strip_accents(letter.lower())]
