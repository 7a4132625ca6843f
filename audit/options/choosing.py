"""From scores of options to one option per item, and how often that is the right one beyond chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["chance_of", "chosen", "expected_error", "influence", "kappa", "largest_within"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def chosen(scores: Floats, start: Ints) -> Floats:
    """(R,) the share of its item's choice that each row gets: 1 for the highest score, 1/t for t that tie, 0 else.

    A reader who cannot tell t options apart takes any of them, so that is what an expected hit is worth. `scores` (R,)
    are rounded, so that noise of the last bits breaks no tie; `start` (n + 1,) as in `Pool`.
    """
    size = np.diff(start)
    rounded = np.round(scores, 10)
    best = rounded == np.repeat(largest_within(rounded, start), size)
    return np.asarray(best / np.repeat(np.add.reduceat(best.astype(np.float64), start[:-1]), size))


def largest_within(values: Floats, start: Ints) -> Floats:
    """(n,) the largest value of each item."""
    return np.asarray(np.maximum.reduceat(values, start[:-1]))


def chance_of(size: Ints) -> float:
    """The accuracy of guessing: the mean of 1 / k over items of k options each."""
    return float((1 / size).mean())


def kappa(hits: Floats | Sequence[float], size: Ints) -> float:
    """(accuracy - chance) / (1 - chance): 0 is guessing among the options, 1 is perfect; -1 / (k - 1) is never right.

    `hits` (n,) are shares of the right option, `size` (n,) numbers of options, at least 2; chance is the mean of 1 / k,
    which is what guessing gets on items of different sizes. Also called S (Bennett, Alpert & Goldstein 1954).
    NaN without items.
    """
    if not len(size):
        return float("nan")
    chance = chance_of(size)
    return (float(np.mean(hits)) - chance) / (1 - chance)


def influence(hits: Floats, size: Ints) -> Floats:
    """(n,) contribution of each item to the error of kappa, with mean 0: the delta method for a ratio of two means.

    ((h - accuracy) - (1 - kappa) (1 / k - chance)) / (1 - chance).
    """
    guess = 1 / size
    chance = guess.mean()
    accuracy = hits.mean()
    value = (accuracy - chance) / (1 - chance)
    return np.asarray((hits - accuracy - (1 - value) * (guess - chance)) / (1 - chance))


def expected_error(value: float, size: Ints) -> float:
    """Standard error of kappa over independent items if it is truly `value`: each hit has chance v + (1 - v) / k."""
    hit = value + (1 - value) / size
    return float(np.sqrt((hit * (1 - hit)).mean() / len(size)) / (1 - chance_of(size)))
