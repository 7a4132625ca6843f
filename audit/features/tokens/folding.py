"""Folding: the lower-case, accent-free text in which all n-grams are counted.

`pieces` takes the folded text, `spans` the origin of each of its characters.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["fold", "origins"]

# A lone surrogate (half a character, from a broken JSON escape) cannot be encoded. U+FFFD is not a letter either.
_SURROGATES = re.compile("[\ud800-\udfff]")


def _strip_accents(lowered: str) -> str:
    decomposed = unicodedata.normalize("NFKD", lowered)
    return "".join([letter for letter in decomposed if not unicodedata.combining(letter)])


def fold(text: str) -> str:
    """`text` in lower case and compatibility decomposition (NFKD), without combining marks.

    Equal to scikit-learn's `lowercase=True, strip_accents="unicode"`, except that a lone surrogate becomes U+FFFD.
    The result may be longer (a ligature) or shorter (an accent typed as a separate mark).
    """
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    return _SURROGATES.sub("\ufffd", _strip_accents(lowered))


def origins(text: str) -> list[int]:
    """For each character of `fold(text)`, the index of the character of `text` that it comes from."""
    if text.isascii():
        return list(range(len(text)))
    # Folding treats each character on its own, except the two forms of a small sigma, which are equally long.
    return [index for index, letter in enumerate(text) for _ in _strip_accents(letter.lower())]
