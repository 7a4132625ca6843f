"""The length of a text, counted four ways: the simplest shortcut of all. A vector outside the thirteen."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.features.readability.sentences import count_sentences

__all__ = ["LENGTHS", "length"]

LENGTHS = ("characters", "words", "sentences", "digits")

_DIGIT = re.compile(r"\d")


def length(texts: Sequence[str]) -> NDArray[np.float64]:
    """(N, 4) float64: characters, words (runs between white space), sentences, decimal digits; not standardised."""
    result = np.zeros((len(texts), len(LENGTHS)))
    for row, text in enumerate(texts):
        result[row] = len(text), len(text.split()), 0, len(_DIGIT.findall(text))
    result[:, 2] = count_sentences(texts)
    return result
