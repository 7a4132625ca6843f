"""Predictions with the marginals of the answers: a rare answer is predicted as often as it occurs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["matched"]

ROUNDS = 50


def matched(probabilities: NDArray[np.float64], y: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,) label numbers, each exactly as often as in `y` (n,), that follow `probabilities` (n, labels).

    Each label gets an offset on its log-probability, raised while it is predicted too rarely. What is still surplus
    then goes where it costs the least log-probability, the first items first among equals.
    """
    n, labels = probabilities.shape
    wanted = np.bincount(y, minlength=labels)
    score = np.log(np.maximum(probabilities, 1e-12))
    if labels == 2:
        out = np.ones(n, dtype=np.int64)
        out[np.argsort(score[:, 1] - score[:, 0], kind="stable")[: wanted[0]]] = 0
        return out
    for _ in range(ROUNDS):
        counts = np.bincount(score.argmax(axis=1), minlength=labels)
        if (counts == wanted).all():
            break
        score += 0.5 * np.log((wanted + 1) / (counts + 1))
    out = np.asarray(score.argmax(axis=1))
    for label in np.argsort(wanted - np.bincount(out, minlength=labels), kind="stable")[::-1].tolist():
        counts = np.bincount(out, minlength=labels)
        missing = int(wanted[label] - counts[label])
        if missing <= 0:
            continue
        surplus = counts - wanted
        cost = score[np.arange(n), out] - score[:, label]
        for item in np.argsort(cost, kind="stable").tolist():
            if missing and surplus[out[item]] > 0:
                surplus[out[item]] -= 1
                out[item] = label
                missing -= 1
    return out
