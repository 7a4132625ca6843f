"""Relabellings under the null hypothesis, and corrections for several tests.

Items of one group are not independent, so whole groups change places. Every function takes its own generator from
`seeded`, which names its purpose; results do not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from generators.stream import Stream

__all__ = ["holm", "relabelled", "seeded"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def seeded(seed: int, *names: str | int) -> np.random.Generator:
    """A NumPy generator for one named purpose."""
    stream = Stream(seed, "audit", *names)
    return np.random.Generator(np.random.PCG64(stream.below(2**63)))


def relabelled(y: Ints, groups: Ints, times: int, random: np.random.Generator) -> Iterator[Ints]:
    """`times` relabellings under the null hypothesis that labels have nothing to do with texts.

    The groups change places, and each takes the labels of the group whose place it takes, its donor: as many as it has
    items, drawn from the donor's without replacement, and once more from the start if the donor has fewer. So a group
    of a single answer stays one whatever the sizes, and the shares of the answers are kept on average. With groups of
    one item, or of equal size, this permutes (blocks of) labels (Good 2005; Winkler et al. 2015). `y` and `groups` are
    (n,) numbers from 0.
    """
    size = np.bincount(groups)
    if len(size) == len(y):
        for _ in range(times):
            yield random.permutation(y)
        return
    layout = np.argsort(groups, kind="stable")
    start = np.cumsum(size) - size
    place = np.empty_like(groups)  # of each item within its group
    place[layout] = np.arange(len(y)) - start[groups[layout]]
    for _ in range(times):
        donor = random.permutation(len(size))[groups]
        # The integer part keeps groups together, the fraction shuffles the members of each.
        shuffled = np.argsort(groups + random.random(len(y)))
        yield y[shuffled[start[donor] + place % size[donor]]]


def holm(p: Floats) -> Floats:
    """p-values (m,) after Holm's step-down correction (1979); NaN stays NaN and does not count."""
    out = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return out
