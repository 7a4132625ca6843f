"""Sentences: counted by nupunkt, which splits each distinct line once. Texts are not folded: case matters here."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["count_sentences"]

_LETTER = re.compile(r"[^\W\d_]")
_END = re.compile(r"[.?!\u2026]")
"""What nupunkt takes for a possible end of a sentence."""


def count_sentences(texts: Sequence[str]) -> NDArray[np.int32]:
    """(N,) int32: number of sentences in each text; 0 for a text without letters.

    A line end always ends a sentence, because prompts are often lists of lines that nupunkt alone would join. A run
    without letters (dashes, the number of an item) is not a sentence.
    """
    import nupunkt

    known: dict[str, int] = {}
    totals = np.zeros(len(texts), dtype=np.int32)
    for row, text in enumerate(texts):
        total = 0
        for line in text.splitlines():
            number = known.get(line)
            if number is None:
                end = _END.search(line)
                if end is None or _LETTER.search(line, end.end()) is None:  # nothing follows that could be a second one
                    number = int(_LETTER.search(line) is not None)
                else:
                    sentences = nupunkt.sent_tokenize(line)
                    number = sum(_LETTER.search(sentence) is not None for sentence in sentences)
                known[line] = number
            total += number
        totals[row] = total
    return totals
