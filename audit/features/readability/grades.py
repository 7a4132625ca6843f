"""textstat's reading grades: a vector on request, outside the thirteen, for readers who know these names.

It has only the measures that need no corpus. textstat downloads one to count syllables, so nothing here counts
syllables. The texts are not folded. Importing textstat loads nltk, scikit-learn and pandas.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["GRADES", "grades"]

GRADES = (
    "coleman_liau_index",
    "automated_readability_index",
    "lix",
    "rix",
    "mcalpine_eflaw",
    "lexicon_count",
    "letter_count",
    "sentence_count",
)


def grades(texts: Sequence[str]) -> NDArray[np.float64]:
    """(N, 8) float64: textstat's `GRADES` of each text, not standardised; zeros for a text without words.

    Coleman & Liau (1975); Senter & Smith (1967) for the automated readability index; Björnsson (1968) for
    LIX; Anderson (1983) for RIX; McAlpine (2005) for EFLAW. textstat counts words and sentences its own way, which is
    not that of `readability`.
    """
    import textstat

    functions = [getattr(textstat, name) for name in GRADES]
    known: dict[str, list[float]] = {}
    for text in texts:
        if text not in known:
            known[text] = [float(function(text)) for function in functions]
    return np.array([known[text] for text in texts], dtype=np.float64).reshape(len(texts), len(GRADES))
