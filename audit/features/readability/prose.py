"""Words, syllables and sentences of N texts, counted once for all nine measures of `readability`.

Words are those of `alphabetic`, syllables are syllapy's, sentences nupunkt's; none of them needs the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from audit.features.readability.alphabetic import words
from audit.features.readability.sentences import count_sentences
from audit.features.tokens.pieces import Pieces

__all__ = ["ProseCounts", "count_prose", "scrabble_value"]

_LETTERS_BY_VALUE = {1: "aeilnorstu", 2: "dg", 3: "bcmp", 4: "fhvwy", 5: "k", 8: "jx", 10: "qz"}
_VALUES = bytearray(256)
for _value, _letters in _LETTERS_BY_VALUE.items():
    for _letter in _letters:
        _VALUES[ord(_letter)] = _value


@dataclass(frozen=True)
class ProseCounts:
    """Counts that readability is computed from: N texts, V distinct folded words."""

    counts: csr_matrix
    """(N, V) int32: how often each word occurs in each text."""
    syllables: NDArray[np.int32]
    """(V,) at least 1."""
    scrabble: NDArray[np.int32]
    """(V,) sum of the letters' Scrabble values."""
    sentences: NDArray[np.int32]
    """(N,)"""


def count_prose(texts: Sequence[str], pieces: Pieces) -> ProseCounts:
    """Count words, their syllables and the sentences of all texts.

    Each run of non-space characters is cut into words on its own. A distinct run is therefore cut once however
    often it occurs, and a full stop comes off its word everywhere, not only at the end of a text.
    """
    find_words = cache(words)
    ids: dict[str, int] = {}

    def words_of(piece: str) -> list[int]:
        return [ids.setdefault(word, len(ids)) for run in piece.split() for word in find_words(run)]

    stream = pieces.tokens(words_of)
    ones = np.ones(len(stream.tokens), dtype=np.int32)
    counts = csr_matrix((ones, stream.tokens, stream.starts), shape=(len(texts), len(ids)))
    counts.sum_duplicates()
    syllables = np.array([_syllables(word) for word in ids], dtype=np.int32)
    scrabble = np.array([scrabble_value(word) for word in ids], dtype=np.int32)
    return ProseCounts(counts, syllables, scrabble, count_sentences(texts))


def scrabble_value(word: str) -> int:
    """The sum of the values of the letters of `word` in the English set; `quiz` is 10 + 1 + 1 + 10 = 22."""
    return sum(word.lower().encode("ascii", "ignore").translate(_VALUES))


def _syllables(word: str) -> int:
    """At least 1: syllapy finds none in some abbreviations and in other scripts, but a spoken word has one."""
    import syllapy

    # A folded word is in the dictionary as it stands, or syllapy has to count.
    known: int | None = syllapy.WORD_DICT.get(word)
    return max(1, syllapy.count(word) if known is None else known)
