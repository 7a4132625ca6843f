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


_ALIKE = 2.0
"""Largest ratio of the sizes of two groups that exchange labels, as far as `_FEWEST` allows."""

_FEWEST = 4
"""Fewest groups that exchange labels among themselves; fewer join those of the next smaller sizes."""


def seeded(seed: int, *names: str | int) -> np.random.Generator:
    """A NumPy generator for one named purpose."""
    stream = Stream(seed, "audit", *names)
    return np.random.Generator(np.random.PCG64(stream.below(2**63)))


def relabelled(y: Ints, groups: Ints, times: int, random: np.random.Generator) -> Iterator[Ints]:
    """`times` relabellings under the null hypothesis that labels have nothing to do with texts.

    The groups change places, and each takes the labels of the group whose place it takes, its donor: as many as it has
    items, drawn from the donor's without replacement, and once more from the start if the donor has fewer. So a group
    of a single answer stays one whatever the sizes, and the shares of the answers are kept on average. With groups of
    one item, or of equal size, this permutes (blocks of) labels (Good 2005; Winkler et al. 2015). Groups change places
    with groups of about their own size only: if large groups have other answers than small ones, labels over all
    sizes would show how well predictions fit shares of the answers that the benchmark does not have. `y` and `groups`
    are (n,) numbers from 0.
    """
    size = np.bincount(groups)
    if len(size) == len(y):
        for _ in range(times):
            yield random.permutation(y)
        return
    layout = np.argsort(groups, kind="stable")
    start = np.cumsum(size) - size
    group = groups[layout]
    place = np.arange(len(y)) - start[group]  # of each item within its group
    # In the order of the groups, and as small as can be, so that what is read at random stays in the cache.
    answers = y[layout].astype(np.min_scalar_type(int(y.max())))
    several = np.flatnonzero(size[group] > 1)  # who stands alone has no members to shuffle and takes the donor's first
    blocks = _alike(size)
    donor = np.empty_like(size)
    out = np.empty_like(answers)
    for _ in range(times):
        for block in blocks:
            donor[block] = block[random.permutation(len(block))]
        # The integer part keeps groups together, the fraction shuffles the members of each.
        noise = groups + random.random(len(y))
        shuffled = answers.copy()
        shuffled[several] = answers[several[np.argsort(noise[layout[several]])]]
        taken = np.repeat(start[donor], size)
        taken[several] += place[several] % size[donor[group[several]]]
        out[layout] = shuffled[taken]
        yield out.astype(np.int64)


def _alike(size: Ints) -> list[Ints]:
    """The numbers of the groups (G,) in blocks of about equal size, smallest first."""
    order = np.argsort(size, kind="stable")
    cuts = [0]
    for place in range(len(order)):
        larger = size[order[place]] > _ALIKE * size[order[cuts[-1]]]
        if larger and place - cuts[-1] >= _FEWEST and len(order) - place >= _FEWEST:
            cuts.append(place)
    return np.split(order, cuts[1:])


def holm(p: Floats) -> Floats:
    """p-values (m,) after Holm's step-down correction (1979); NaN stays NaN and does not count."""
    out = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return out
