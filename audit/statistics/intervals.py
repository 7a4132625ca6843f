"""How far kappa may be off: intervals that know of groups, of the splits and of refitting; bounds for many vectors.

Kappa is a smooth function of means, so its error is, to first order, a sum of one contribution per item: the influence
function, the delta method of Fleiss, Cohen & Everitt (1969). The contributions of an item are averaged over the splits
and added up within groups, whose sums are independent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from hansproof.audit.statistics.effective_size import kish
from hansproof.audit.statistics.kappa import shares_of

__all__ = [
    "Errors",
    "degrees_of_freedom",
    "effective_groups",
    "errors_of",
    "expected_error",
    "influence",
    "simultaneous",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_DRAWS = 20_000
"""Of the joint distribution of the vectors' errors: its 97.5 % point is accurate to about 1 %."""


@dataclass(frozen=True)
class Errors:
    """Standard errors of V kappas, each the median over S splits."""

    influence: Floats
    """(V, G) contribution of each group to the error of each kappa, averaged over the splits."""
    se: Floats
    """(V,) standard errors; they include the splits, and refitting by the factor `stretch`."""
    degrees: float
    """Of freedom: of the variance over the groups, or of the halvings behind `stretch` if they are fewer."""
    widening: Floats
    """(V,) standard error as a multiple of that of as many independent items; at least 1."""

    def half_width(self) -> Floats:
        """(V,) half the width of two-sided 95 % intervals."""
        return np.asarray(self.se * stdtrit(self.degrees, 0.975))

    def ends(self, kappas: Floats) -> tuple[Floats, Floats]:
        """(V,) lower and upper ends of 95 % intervals, within the range of kappa; infinite where the error is."""
        half = self.half_width()
        known = np.isfinite(half)
        low = np.where(known, np.maximum(kappas - half, -1.0), kappas - half)
        high = np.where(known, np.minimum(kappas + half, 1.0), kappas + half)
        return _steady(low), _steady(high)


def influence(y: Ints, predicted: NDArray[np.integer], labels: int) -> Floats:
    """(n,) contribution of each item to the error of Cohen's kappa, with mean 0; NaN where kappa is undefined.

    (a - p_o - (1 - kappa) (e - 2 p_e)) / (1 - p_e), where a is 1 for agreement and e the sum of the share at which the
    gold label is given and the share at which the given label is gold. The variance of its mean is that of Fleiss,
    Cohen & Everitt (1969).
    """
    n = len(y)
    gold, given = shares_of(y, labels), np.bincount(predicted, minlength=labels) / n
    chance = float(gold @ given)
    if chance >= 1:
        return np.full(n, np.nan)
    agree = (y == predicted).astype(np.float64)
    kappa = (agree.mean() - chance) / (1 - chance)
    return np.asarray((agree - agree.mean() - (1 - kappa) * (given[y] + gold[predicted] - 2 * chance)) / (1 - chance))


def expected_error(kappa: float, shares: Floats, n: int) -> float:
    """Standard error of Cohen's kappa of `n` independent items if it is truly `kappa` and predictions are matched.

    Gold and predicted answers then both have the shares (labels,), and agree by chance or, in a share `kappa` of the
    items, by knowledge. The observed error of a kappa near 0 says too little where answers are rare: a probe that had
    hit some of them would vary more. Fleiss, Cohen & Everitt (1969). NaN with a single answer.
    """
    chance = float((shares**2).sum())
    if chance >= 1:
        return float("nan")
    agreed = kappa * shares + (1 - kappa) * shares**2
    on = float((agreed * (1 - 2 * shares * (1 - kappa)) ** 2).sum())
    sums = shares[:, None] + shares[None, :]
    off = (1 - kappa) * np.outer(shares, shares) * sums**2
    np.fill_diagonal(off, 0.0)
    rest = (1 - kappa) ** 2 * float(off.sum()) - (kappa - chance * (1 - kappa)) ** 2
    return float(np.sqrt(max(on + rest, 0.0) / n) / (1 - chance))


def effective_groups(groups: Ints) -> float:
    """n^2 / sum of squared group sizes: the number of groups, if all were of one size (Kish 1965)."""
    return kish(np.bincount(groups))


def degrees_of_freedom(groups: Ints, together: Floats, alone: Floats) -> float:
    """Degrees of freedom of a variance that is a sum of squares over groups (n,) of different sizes: Satterthwaite's.

    (sum of v)^2 / sum of v^2 - 1, where v is the expected square of each group of s items: s (1 + (s - 1) rho). The
    correlation rho between two items of one group follows from the squares added up over groups, `together` (V,), and
    over items, `alone` (V,), pooled over the vectors. Where the items of a group agree, three large groups among 250
    single items leave 2 degrees, although Kish's number of groups is 27. One group of 37 among 163 single items leaves
    less than 1, and intervals of up to [-1, 1]: one large group tells no variance. Imbens & Kolesár (2016).
    """
    size = np.bincount(groups).astype(np.float64)
    pairs, known = float((size * (size - 1)).sum()), alone > 0
    rho = 0.0
    if pairs and known.any():
        rho = float(np.clip((together[known] / alone[known] - 1).mean() * len(groups) / pairs, 0.0, 1.0))
    expected = size * (1 + (size - 1) * rho)
    return float(expected.sum() ** 2 / (expected**2).sum()) - 1


def errors_of(
    contributions: Iterable[Floats],
    groups: Ints,
    kappas: Floats,
    chance: float,
    *,
    stretch: float | Floats = 1.0,
    stretched_by: float = np.inf,
) -> Errors:
    """Standard errors of the medians of kappas (V, S) from the contributions of the items, (S, n) for each, in turn.

    Items of one of the `groups` (n,) count as one. A split's predictions, held fixed, give the error of its kappa;
    `stretch` (1 or more; for all, or one for each (V,)) says by how much refitting widens it
    (`audit.probes.refitting`). That contains the noise of one split, of which a median of S keeps pi / (2 S), so the
    rest of its variance over the splits is taken off again. With one group every standard error is infinite.
    `stretched_by` are the degrees of freedom of `stretch`, and `chance` is the accuracy of guessing, for kappas of
    exactly 1, whose items contribute nothing.
    """
    (vectors, splits), n = kappas.shape, len(groups)
    n_groups = int(groups.max()) + 1
    means = np.empty((vectors, n_groups))
    single, own = np.empty(vectors), np.empty(vectors)
    for v, parts in enumerate(contributions):
        own[v] = np.mean([(part**2).sum() for part in parts]) / n**2
        sums = np.stack([np.bincount(groups, weights=part, minlength=n_groups) for part in parts]) / n
        means[v], single[v] = sums.mean(axis=0), (sums**2).sum(axis=1).mean()
    degrees = min(degrees_of_freedom(groups, single, own), stretched_by)
    if n_groups < 2 or degrees <= 0:
        return Errors(means, np.full(vectors, np.inf), 1.0, np.ones(vectors))
    of_groups = n_groups / (n_groups - 1)
    variance = single * of_groups * stretch**2
    if splits > 1:
        variance = variance - np.var(kappas, axis=1, ddof=1) * (1 - np.pi / (2 * splits))
    least = (means**2).sum(axis=1) * of_groups
    se = np.sqrt(np.maximum(variance, least))
    degrees = max(degrees, 1.0)
    alone = np.sqrt(own)
    widening = np.where(alone > 0, np.maximum(se / np.where(alone > 0, alone, 1.0), 1.0), stretch)
    perfect = (kappas == 1).all(axis=1)
    if perfect.any():
        # So that the 95 % interval is the exact one where no group has an error: Clopper & Pearson (1934).
        wrong = 1 - 0.025 ** (1 / effective_groups(groups))
        se[perfect] = wrong / (1 - chance) / stdtrit(degrees, 0.975)
    return Errors(means, se, degrees, widening)


def simultaneous(kappas: Floats, errors: Errors, level: float, random: np.random.Generator) -> tuple[Floats, Floats]:
    """(bounds, p), both (V,), for all V vectors at once: max-T (Westfall & Young 1993).

    Bounds hold together with probability `level`. p is one-sided, that kappa is 0 or less: below 1 - `level` exactly
    where the bound is above 0. The vectors read the same texts, so their errors are correlated, and the largest of them
    is far from the largest of V independent ones. Draws from the joint t distribution of the errors give the factor.
    NaN where kappa or its error is.
    """
    finite = np.isfinite(errors.se) & ~np.isnan(kappas)
    bounds, p = np.where(finite, kappas, np.nan), np.where(finite, np.where(kappas > 0, 0.0, 1.0), np.nan)
    known = finite & (errors.se > 0)
    if not known.any():
        return bounds, p
    length = np.sqrt((errors.influence[known] ** 2).sum(axis=1, keepdims=True))
    scaled = errors.influence[known] / np.where(length > 0, length, 1.0)
    correlation = scaled @ scaled.T
    np.fill_diagonal(correlation, 1.0)  # contributions that cancel over the splits leave a vector on its own
    normal = random.standard_normal((_DRAWS, len(correlation))) @ _root(correlation).T
    scale = np.sqrt(random.chisquare(errors.degrees, _DRAWS) / errors.degrees)
    largest = np.sort((normal / scale[:, None]).max(axis=1))
    # Never below those of a vector by itself, which the draws may miss by a little.
    factor = max(float(np.quantile(largest, level)), float(stdtrit(errors.degrees, level)))
    observed = kappas[known] / errors.se[known]
    above = (len(largest) - np.searchsorted(largest, observed)) / len(largest)
    bounds[known] = _steady(bounds[known] - factor * errors.se[known])
    p[known] = np.maximum(above, stdtr(errors.degrees, -observed))
    return bounds, p


def _steady(values: Floats) -> Floats:
    """Without the digits that depend on the processor: what should be 0 is not 1e-17."""
    return np.round(values, 9) + 0.0  # no -0.0


def _root(correlation: Floats) -> Floats:
    """(V, V) L with L L' = correlation, by Cholesky; a row that those before it determine adds no column.

    Not by eigenvectors: where eigenvalues are equal, as for vectors that predict alike, they depend on the processor.
    """
    root = np.zeros_like(correlation)
    for j in range(len(root)):
        left = correlation[j:, j] - root[j:, :j] @ root[j, :j]
        if left[0] > 1e-9:
            root[j:, j] = left / np.sqrt(left[0])
    return root
