"""Nine numbers of readability and diversity per text, all from one count of words and sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.features.readability.prose import ProseCounts, count_prose
from audit.features.tokens.pieces import Pieces

__all__ = ["MEASURES", "measures", "readability"]

MEASURES = (
    "flesch reading ease",
    "gunning fog",
    "smog",
    "forcast",
    "scrabble",
    "words",
    "words per sentence",
    "type-token ratio",
    "yule's k",
)


def readability(texts: Sequence[str], pieces: Pieces) -> NDArray[np.float64]:
    """(N, 9) float64: the `MEASURES` of each text, not standardised."""
    return measures(count_prose(texts, pieces))


def measures(prose: ProseCounts) -> NDArray[np.float64]:
    """(N, 9) float64 in the order of `MEASURES`; all zero for a text without words.

    A text has W words in S sentences: Y syllables, W1 words of one syllable, W3 of three or more, V distinct words,
    of which V(m) occur m times.

    - Flesch reading ease = 206.835 - 1.015 W/S - 84.6 Y/W. Flesch (1948)
    - Gunning fog = 0.4 (W/S + 100 W3/W), without exempting proper nouns and inflected endings. Gunning (1952)
    - SMOG, regression equation C = 0.9986 sqrt(30 W3/S + 5) + 2.8795. McLaughlin (1969)
    - FORCAST = 20 - (150 W1/W) / 10: scaled to a sample of 150 words. Caylor et al. (1973)
    - mean over words of the sum of their letters' Scrabble values (English set, 1 to 10; other letters 0)
    - W
    - W/S
    - type-token ratio = V/W
    - Yule's K = 10,000 (sum over m of m^2 V(m) - W) / W^2. Yule (1944)
    """
    counts = prose.counts
    n = counts.shape[0]
    squared = counts.astype(np.float64).power(2)
    everything = np.ones(counts.shape[1])
    words = counts @ everything
    types = np.diff(counts.indptr).astype(np.float64)
    syllables = counts @ prose.syllables.astype(np.float64)
    short = counts @ (prose.syllables == 1).astype(np.float64)
    long = counts @ (prose.syllables >= 3).astype(np.float64)
    scrabble = counts @ prose.scrabble.astype(np.float64)
    result = np.zeros((n, len(MEASURES)))
    has = words > 0
    w, s = words[has], np.maximum(prose.sentences[has], 1)
    result[has] = np.column_stack([
        206.835 - 1.015 * w / s - 84.6 * syllables[has] / w,
        0.4 * (w / s + 100 * long[has] / w),
        0.9986 * np.sqrt(30 * long[has] / s + 5) + 2.8795,
        20 - 150 * short[has] / w / 10,
        scrabble[has] / w,
        w,
        w / s,
        types[has] / w,
        10_000 * ((squared @ everything)[has] - w) / w**2,
    ])  # fmt: skip
    return result
