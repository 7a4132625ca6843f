"""Sentences of N texts, by nupunkt, each distinct line being split once.

Texts come as they are (upper case matters here); the numbers go to `prose` and `length`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["count_sentences"]

_LETTER = re.compile(r"[^\W\d_]")


def count_sentences(texts: Sequence[str]) -> NDArray[np.int32]:
    """(N,) int32: how many sentences each text has.

    A line end always ends a sentence, as prompts are often lists of lines and nupunkt alone would run them
    together; what contains no letter (a line of dashes, an item's number) is no sentence. 0 where a text has
    no letters.
    """
    import nupunkt

    known: dict[str, int] = {}
    totals = np.zeros(len(texts), dtype=np.int32)
    for row, text in enumerate(texts):
        total = 0
        for line in text.splitlines():
            number = known.get(line)
            if number is None:
                found = nupunkt.sent_tokenize(line)
                number = known[line] = sum(_LETTER.search(sentence) is not None for sentence in found)
            total += number
        totals[row] = total
    return totals
