"""Which way the length of a text points: for which answer texts are longer, or shorter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.notation import drawn
from audit.probes.crossfit import Ints
from audit.texts.readability import LENGTHS, length

__all__ = ["direction"]

_NEARLY = 0.9
"""Words, which a reader can count, are named unless another measure is this much clearer."""
_TEXTS = {
    "words": ("longer texts have", "shorter texts have"),
    "characters": ("longer texts have", "shorter texts have"),
    "sentences": ("texts of more sentences have", "texts of fewer sentences have"),
    "digits": ("texts with more digits have", "texts with fewer digits have"),
}


def direction(texts: Sequence[str], y: Ints, labels: Sequence[str]) -> str | None:
    """`longer texts have the answer “yes” more often (median 31 words, against 22 of the others)`.

    Of every measure of length and answer, the pair with the largest z of the rank-sum test (Mann & Whitney 1947).
    None where the medians do not differ that way: then no answer is simply that of longer or shorter texts.
    """
    from scipy.stats import rankdata

    measured = length(texts)
    clearest: dict[str, tuple[float, int]] = {}
    for column, measure in enumerate(LENGTHS):
        ranks = rankdata(measured[:, column])
        tried = [(_z(ranks, y == c), c) for c in range(len(labels))]
        # Of two answers, the z differ in sign only: that of longer texts is named.
        clearest[measure] = max(tried, key=lambda of: (round(abs(of[0]), 6), of[0] > 0))
    measure = max(LENGTHS, key=lambda name: abs(clearest[name][0]))
    if abs(clearest["words"][0]) >= _NEARLY * abs(clearest[measure][0]):
        measure = "words"
    z, c = clearest[measure]
    values, has = measured[:, LENGTHS.index(measure)], y == c
    if not z:
        return None
    inside, outside = float(np.median(values[has])), float(np.median(values[~has]))
    if (inside > outside) != (z > 0) or inside == outside:
        return None
    return (
        f"{_TEXTS[measure][z < 0]} the answer “{drawn(labels[c])[:60]}” more often (median {inside:,g} {measure}, "
        f"against {outside:,g} of the others)"
    )


def _z(ranks: NDArray[np.float64], has: NDArray[np.bool_]) -> float:
    """Standardised rank sum of the texts with an answer: positive where they are longer."""
    n, m = len(ranks), int(has.sum())
    if not 0 < m < n:
        return 0.0
    return float((ranks[has].sum() - m * (n + 1) / 2) / np.sqrt(m * (n - m) * (n + 1) / 12))
