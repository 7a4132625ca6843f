"""Chance and uncertainty by resampling whole groups: the permutation p, Holm's correction, the bootstrap.

Items of one group are not independent, so whole groups are permuted and drawn. Every function takes its own generator
from `seeded`, which names its purpose; results do not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from audit.probe import kappa
from generators.stream import Stream

__all__ = ["bootstrap_kappas", "holm", "permutation_p", "permuted_labels", "seeded"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def seeded(seed: int, *names: str | int) -> np.random.Generator:
    """A NumPy generator for one named purpose."""
    stream = Stream(seed, "audit", *names)
    return np.random.Generator(np.random.PCG64(stream.below(2**63)))


def permuted_labels(y: Ints, groups: Ints, times: int, random: np.random.Generator) -> Iterator[Ints]:
    """`times` relabellings under the null hypothesis that labels have nothing to do with texts.

    The groups are put in a new order, with the labels of each kept together but shuffled, and the resulting sequence is
    assigned to the items, also laid out group by group. With groups of one this is an ordinary permutation; with groups
    of equal size, whole groups swap places (Good 2005). If sizes differ, some runs of labels straddle two groups, and
    labels stay as clustered as they were except at those seams.
    """
    n_groups = int(groups.max()) + 1
    layout = np.argsort(groups, kind="stable")
    out = np.empty_like(y)
    for _ in range(times):
        if n_groups == len(y):
            out = random.permutation(y)
        else:
            # The integer part orders the groups, the fraction the members of each.
            order = random.permutation(n_groups)[groups] + random.random(len(y))
            out[layout] = y[np.argsort(order)]
        yield out


def permutation_p(
    y: Ints, predicted: Ints, groups: Ints, times: int, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """One-sided p (v,) and the null's standard deviation of kappa (v,) for predictions (v, n).

    p = (b + 1) / (B + 1), b of B permutations having at least the observed agreement (Phipson & Smyth 2010). Marginals
    are the same in every permutation, so agreement orders permutations just as kappa does. The out-of-fold
    predictions are held fixed: the question is whether *these predictions* know anything about the labels.
    """
    observed = (predicted == y).sum(axis=1)
    null = np.stack([(predicted == z).sum(axis=1) for z in permuted_labels(y, groups, times, random)])
    p = ((null >= observed).sum(axis=0) + 1) / (times + 1)
    labels = int(max(y.max(), predicted.max())) + 1
    marginal = np.bincount(y, minlength=labels) / len(y)
    expected = np.array([marginal @ (np.bincount(row, minlength=labels) / len(y)) for row in predicted])
    room = np.where(expected < 1, 1 - expected, np.nan)
    return p, null.std(axis=0) / len(y) / room


def holm(p: Floats) -> Floats:
    """p-values (m,) after Holm's step-down correction (1979); NaN stays NaN and does not count."""
    out = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return out


def bootstrap_kappas(
    y: Ints, predicted: Ints, groups: Ints, labels: int, times: int, random: np.random.Generator
) -> Floats:
    """Cohen's kappa (v, times) of predictions (v, n) on groups drawn with replacement. Davison & Hinkley (1997).

    All vectors see the same draws, so differences between them are paired. NaN in replicates without a kappa.
    """
    n_groups, cells = int(groups.max()) + 1, labels * labels
    per_group = [
        np.bincount(groups * cells + y * labels + row, minlength=n_groups * cells).reshape(n_groups, cells)
        for row in predicted
    ]
    table = np.concatenate(per_group, axis=1).astype(np.float64)
    out = np.empty((len(predicted), times))
    chunk = max(1, min(times, 4_000_000 // n_groups))  # at most 32 MB of weights at a time
    for start in range(0, times, chunk):
        stop = min(start + chunk, times)
        drawn = random.integers(0, n_groups, size=(stop - start, n_groups))
        weights = np.stack([np.bincount(row, minlength=n_groups) for row in drawn]).astype(np.float64)
        counts = (weights @ table).reshape(stop - start, len(predicted), labels, labels)
        out[:, start:stop] = kappa.cohen(counts).T
    return out
