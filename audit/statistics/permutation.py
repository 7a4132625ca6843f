"""Relabellings under the null hypothesis: permutation p-values, and corrections for several tests.

Items of one group are not independent, so whole groups change places. Every function takes its own generator from
`seeded`, which names its purpose; results do not depend on the number of workers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hansproof.generators.stream import Stream

__all__ = ["Null", "Significance", "holm", "relabelled", "seeded"]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_ALIKE = 2.0
"""Largest ratio of the sizes of two groups that exchange labels, as far as `_FEWEST` allows."""

_FEWEST = 4
"""Fewest groups that exchange labels among themselves; fewer join those of the next smaller sizes."""


def seeded(seed: int, *names: str | int) -> np.random.Generator:
    """A NumPy generator for one named purpose."""
    return np.random.Generator(np.random.PCG64(Stream(seed, "audit", *names).below(2**63)))


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


@dataclass(frozen=True)
class Significance:
    """One p-value per vector (V,), combined over the splits."""

    p: Floats
    """One-sided, for each vector alone."""
    corrected: Floats
    """The same after correction for all counted vectors; NaN for the others."""
    floor: float
    """The smallest p that so many permutations can show."""
    critical: Floats
    """(V,) the kappa at which the corrected p reaches alpha; infinite for vectors that are not counted."""
    sd: Floats
    """(V,) standard deviation of each kappa under the null with refitting; NaN where predictions never vary."""


class Null:
    """What V vectors over S splits would score if the labels had nothing to do with the texts.

    The statistic is Cohen's kappa in standard deviations of its null distribution: from kappas (V, S) and those of the
    same predictions under relabellings (times, V, S).
    """

    def __init__(self, observed: Floats, null: Floats) -> None:
        sd, mean = null.std(axis=0), null.mean(axis=0)
        self._varies = sd > 1e-12
        self._sd = np.where(self._varies, sd, np.inf)
        self._null = (null - mean) / self._sd
        self._observed = (observed - mean) / self._sd

    @classmethod
    def of(
        cls, y: Ints, predicted: NDArray[np.int16], groups: Ints, labels: int, times: int, random: np.random.Generator
    ) -> Null:
        """Of predictions (V, S, n); labels `y` (n,) change places between groups `times` times (`relabelled`)."""
        vectors, splits, n = predicted.shape
        flat = predicted.reshape(vectors * splits, n)
        given = np.stack([np.bincount(row, minlength=labels) for row in flat]) / n
        null = np.stack([_kappas(z, flat, given, labels) for z in relabelled(y, groups, times, random)])
        observed = _kappas(y, flat, given, labels).reshape(vectors, splits)
        return cls(observed, null.reshape(times, vectors, splits))

    def sd(self, vector: int) -> float:
        """Standard deviation of a vector's kappa, averaged over the splits in which its predictions vary; else NaN."""
        varies = self._varies[vector]
        return float(self._sd[vector, varies].mean()) if varies.any() else float("nan")

    def test(self, counted: NDArray[np.bool_], *, alpha: float, stretch: float = 1.0) -> Significance:
        """p-values, given that refitting widens the null by `stretch` (1 or more; `audit.probes.refitting`).

        Within a split, p = (b + 1) / (B + 1) (Phipson & Smyth 2010), and the corrected p compares with the largest
        statistic over the vectors `counted` (V,) in each permutation: max-T (Westfall & Young 1993), which keeps the
        correlation between the vectors. Over splits, p is twice the median (Meinshausen, Meier & Bühlmann 2009), valid
        however the splits depend on each other. Predictions that never vary have p = 1.
        """
        times, vectors, splits = self._null.shape
        t = self._observed / stretch
        largest = self._null[:, counted].max(axis=1)
        single = np.where(self._varies, ((self._null >= t).sum(axis=0) + 1) / (times + 1), 1.0)
        joint = np.where(self._varies, ((largest[:, None] >= t).sum(axis=0) + 1) / (times + 1), 1.0)
        factor = 1 if splits == 1 else 2
        quantile = float(np.quantile(largest, 1 - alpha / factor, axis=0).mean())
        sds = np.array([self.sd(v) for v in range(vectors)])
        return Significance(
            p=np.minimum(1.0, factor * np.median(single, axis=1)),
            corrected=np.where(counted, np.minimum(1.0, factor * np.median(joint, axis=1)), np.nan),
            floor=min(1.0, factor / (times + 1)),
            critical=np.where(counted & ~np.isnan(sds), quantile * stretch * sds, np.inf),
            sd=stretch * sds,
        )


def _kappas(z: Ints, predicted: NDArray[np.int16], given: Floats, labels: int) -> Floats:
    """Cohen's kappa of each row of predictions with labels z; 0 where all items have and get one label."""
    agreement = (predicted == z.astype(np.int16)).mean(axis=1)
    expected = given @ (np.bincount(z, minlength=labels) / len(z))
    room = 1 - expected
    return np.asarray(np.where(room > 1e-12, (agreement - expected) / np.where(room > 1e-12, room, 1.0), 0.0))
