"""How an event goes with a label, against the label's base rate: z, an exact p and PMI.

All functions broadcast over arrays. `count` is the number of trials (1 or more) and `hits` how many of them have the
label. `hits` need not be whole: a group of items counts as one trial and contributes the share of its items that hit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["binomial_tail", "smoothed_pmi", "z_scores"]

Floats = NDArray[np.float64]

PRIOR = 10.0
"""Trials at the base rate that `smoothed_pmi` adds: a rare event must not come first merely for being rare."""


def z_scores(count: ArrayLike, hits: ArrayLike, rate: ArrayLike) -> Floats:
    """(hits / count - rate) / sqrt(rate (1 - rate) / count); NaN where the rate is 0 or 1.

    Gardner et al. (2021) compare with 1/k. With unbalanced labels that would make every event a cue to the common
    label, so `rate` is the base rate of the label.
    """
    n, x, q = (np.asarray(value, dtype=np.float64) for value in (count, hits, rate))
    known = (q > 0) & (q < 1)
    return np.where(known, (x / n - q) / np.sqrt(np.where(known, q * (1 - q), 1.0) / n), np.nan)


def binomial_tail(count: ArrayLike, hits: ArrayLike, rate: ArrayLike) -> Floats:
    """P(X >= hits) of a binomial X: exact where hits are whole, also for the rarest event. 1 without hits.

    I_rate(hits, count - hits + 1), the regularised incomplete beta function, which equals the tail at whole hits and
    runs smoothly between them. Trials that are shares vary less than whole ones, so p is then on the safe side.
    """
    from scipy.special import betainc

    n, x, q = np.broadcast_arrays(*(np.asarray(value, dtype=np.float64) for value in (count, hits, rate)))
    return np.where(x > 0, betainc(np.maximum(x, 1e-12), n - x + 1, q), 1.0)


def smoothed_pmi(count: ArrayLike, hits: ArrayLike, rate: ArrayLike) -> Floats:
    """Pointwise mutual information of event and label in bits, after `PRIOR` more trials at the base rate.

    log2(((hits + PRIOR * rate) / (count + PRIOR)) / rate); 0 means independence. Smoothed as in Gururangan et al.
    (2018), who add 100 to each count; here the prior favours no label.
    """
    n, x, q = (np.asarray(value, dtype=np.float64) for value in (count, hits, rate))
    return np.asarray(np.log2((x + PRIOR * q) / (n + PRIOR) / q))
