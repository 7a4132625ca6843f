"""How two sides that answered the same items differ: interval, tests and what the comparison could have shown.

This is the only paired comparison of right and wrong: of models, prompt styles and dates, and of matched conditions.

After Miller (2024): the questions are a sample of all that could have been asked, so the paired difference has a
standard error, and questions that share a group count together. The test beside it is exact, and the interval agrees
with it: it leaves out 0 exactly where p is at most .05.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan, nan, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hansproof.audit.models.planning import found_with, measured_design
from hansproof.audit.models.sides import Balanced, balanced
from hansproof.audit.notation import points
from hansproof.audit.statistics.effective_size import (
    Alike,
    alike_items,
    cancelling,
    independent_pairs,
    kish,
    largest_groups,
    unseen_chance,
)
from hansproof.audit.statistics.paired_tests import (
    agreeing_interval,
    equivalence_p,
    least_equivalence_p,
    quantile_of,
    sign_flip_p,
)
from hansproof.audit.statistics.power import ALPHA
from hansproof.audit.statistics.shares import standard_error

__all__ = ["FEW", "FEWEST_GROUPS", "MARGIN", "UNSEEN", "UNTESTED", "Difference", "difference_of", "sufficient"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MARGIN: Final = 0.05
"""A difference smaller than this is negligible, unless somebody says otherwise."""

FEW: Final = 30
"""With fewer items than this there is neither test nor interval."""

FEWEST_GROUPS: Final = 6
"""Nor with fewer effective groups: even if all move one way, p is 2 / 2 ** 5 = .06."""

UNSEEN: Final = "p supposes that what was not drawn is like what was: "
"""How the note on what a sample may miss begins; it ends with its numbers in brackets."""

_ROUGH: Final = 10
"""Fewer groups than this in which the two differ say little of how alike the items of a group are; a note says so."""

_UNSURE: Final = 15
"""Of fewer effective groups than this, what would have been found is a rough figure; a note says so."""


@dataclass(frozen=True)
class Difference:
    """A and B on the same items; accuracies and differences are shares from 0 to 1, A less B."""

    items: int
    groups: int
    """Groups of items that belong together; as many as items where each is its own."""
    effective_groups: float
    """Kish's number: how many groups of one size tell as much about the mean. NaN without items."""
    a: float
    """Accuracy of A; NaN without items."""
    b: float
    difference: float
    """a - b."""
    se: float
    """Standard error of the difference, paired and robust to groups: that of the interval. For items that are groups of
    their own it is the ordinary one; for groups it follows from the jackknife and `effective_size`, so that it is wider
    where few groups moved, or a large one could. With unequal numbers of runs, or runs that are alike on one side, that
    of comparisons with equal numbers (`sides.balanced`), which is larger. NaN where all have the same difference."""
    se_miller: float
    """The clustered standard error of Miller (2024), which takes what was drawn for all there is: too small where few
    groups moved, or large ones carry the difference (`shares.standard_error`). NaN for a single group."""
    low: float
    """Lower end of the 95 % interval: Tango's, for as many independent pairs as groups are worth (`effective_size`). It
    leaves out 0 exactly where `p` is at most .05 (`agreeing_interval`). NaN with too few items or groups."""
    high: float
    a_only: int
    """Items on which A does better: with one run a side, right where B is wrong."""
    b_only: int
    both_right: float
    """The share of the items that both get right, in all of their runs; of pairs their pair accuracy. NaN without
    items."""
    p: float
    """Two-sided, exact: the sign-flip test over groups, in each of which A and B could as well have changed places.
    That is more than equal accuracy: where A is a little ahead in many groups and far behind in a few, p may be small.
    Where each item is its own group, and right or wrong, that is McNemar's. 1 where the two never differ. With unequal
    numbers of runs, or runs that are alike on one side, the median over choices of equal numbers, where one whose sign
    is not that of `difference` counts as 1. NaN with too few items or groups."""
    mcnemar_p: float
    """McNemar's (1947) exact p, which takes the items for independent; NaN for several runs, but for those of both
    sides that are alike, and where `p` is."""
    t: float
    """Student's t of the paired test, as Opedal et al. (2024) have it, so that their tables can be repeated; nothing is
    decided by it. NaN with too few items, and where every difference is the same."""
    t_p: float
    """Its two-sided p, which takes the items for independent."""
    correlation: float
    """Pearson's, of the two vectors; NaN where a side has the same score on every item."""
    equivalent_p: float
    """Of "the difference is the margin or more": see `equivalence_p`. NaN with too few items or groups."""
    least_equivalent_p: float
    """What `equivalent_p` is at least, whatever the answers: above .05 no two sides could be called equivalent on these
    items. NaN where `equivalent_p` is."""
    detectable: float
    """The smallest true difference that as many such items show with about 80 % power, two-sided: see `planning`. At
    5 %, or for one of several parts that Holm corrects together at 5 % divided by their number. NaN with too few items
    or groups, and where not even a difference of all items would be found."""
    note: str
    """Why the test, the interval or the standard error is undefined or rough, in words; empty where all is well."""
    aside: str
    """Why the correlation or McNemar's p, which only stand beside, are undefined."""


UNTESTED: Final[dict[str, Any]] = dict.fromkeys((
    "se", "se_miller", "low", "high", "p", "mcnemar_p", "t", "t_p", "correlation", "equivalent_p",
    "least_equivalent_p", "detectable",
), nan)  # fmt: skip
"""What a difference without a test lacks."""

_NOTHING: Final = Difference(
    items=0, groups=0, effective_groups=nan, a=nan, b=nan, difference=nan, a_only=0, b_only=0,
    both_right=nan, note="INCONCLUSIVE: no pairs of answers", aside="", **UNTESTED,
)  # fmt: skip

_NONE: Final = 1e-24
"""Variances up to this are rounding errors."""


class _Measured(NamedTuple):
    """What the choices of runs have in common: means over them, and the median p."""

    variance: float
    discordant: float
    """Mean size of an item's difference: of right and wrong, the share of items on which the two differ."""
    shift: float
    """How much an item differs that differs, by its weight in `discordant`: 1 for right and wrong, and for none."""
    moved: float
    """Groups in which A and B differ."""
    alike: Alike
    """How far items of a group move together."""
    p: float


def sufficient(groups: Ints) -> bool:
    """Whether items of these `groups` (n,) have a test and an interval: at least 30 items in 6 effective groups."""
    return len(groups) >= FEW and kish(np.bincount(groups)) >= FEWEST_GROUPS


def difference_of(
    a: Floats, b: Floats, groups: Ints, margin: float = MARGIN, tests: int = 1, *, brief: bool = False
) -> Difference:
    """The difference between the answers `a` and `b`, row by row to the same item.

    Both are (n,), or (n, R) and (n, S) for several runs: 1 for right, 0 for wrong, and NaN where a run was not asked an
    item. `groups` (n,) numbers what belongs together, from 0. `margin` is the share from which on a difference matters.
    `tests` is how many such differences are corrected together, which only `detectable` knows of. A `brief` one leaves
    out what takes most of the time and only stands beside: `se_miller`, `mcnemar_p`, `t`, `t_p`, `correlation`,
    `equivalent_p`, `least_equivalent_p` and `detectable` are NaN, and what is said of them is not.
    """
    n = len(a)
    if n == 0:
        return _NOTHING
    first, second = a.reshape(n, -1), b.reshape(n, -1)
    means = _means(first), _means(second)
    apart = means[0] - means[1]
    difference = float(apart.mean())
    held = np.unique(groups, return_inverse=True)[1]
    sizes = np.bincount(held)
    clusters = kish(sizes)
    choices = balanced(first, second)
    measured = _measured(choices, held, len(sizes), difference)
    # Right and wrong of items that are groups of their own are just pairs, with nothing to estimate.
    pairs = choices.single and len(sizes) == n
    trials = n if pairs else independent_pairs(
        difference, measured.discordant, measured.variance, measured.shift, measured.alike, sizes,
        single=choices.single,
    )  # fmt: skip
    unlike = measured.discordant - difference**2
    low = high = p = equivalent = least = detectable = nan
    enough = sufficient(held)
    if enough:
        degrees = inf if pairs else clusters - 1
        quantile = quantile_of(degrees)
        p = measured.p
        low, high = agreeing_interval(difference, measured.discordant, trials, quantile, p)
    if enough and not brief:
        coins = largest_groups(sizes, margin) / margin
        unseen = 0.0 if pairs else measured.variance
        equivalent = equivalence_p(difference, measured.discordant, margin, trials, coins, degrees, unseen)
        least = least_equivalence_p(margin, coins)
        detectable = found_with(n, measured_design(choices, held, float(np.mean(means))), ALPHA / tests)
    t = t_p = nan
    if not brief and n >= FEW and apart.std() > 0:
        t, t_p = map(float, stats.ttest_rel(*means))
    a_only, b_only = int((apart > 0).sum()), int((apart < 0).sum())
    varied = not brief and bool(means[0].std() > 0) and bool(means[1].std() > 0)
    alone = choices.single and len(choices.choices) == 1
    variance = measured.variance if pairs else unlike / trials
    return Difference(
        items=n,
        groups=len(sizes),
        effective_groups=clusters,
        a=float(means[0].mean()),
        b=float(means[1].mean()),
        difference=difference,
        se=sqrt(variance) if variance > _NONE else nan,
        se_miller=nan if brief else standard_error(apart, held),
        low=low,
        high=high,
        a_only=a_only,
        b_only=b_only,
        both_right=float(((means[0] == 1) & (means[1] == 1)).mean()),
        p=p,
        mcnemar_p=sign_flip_p([1] * a_only + [-1] * b_only) if alone and enough and not brief else nan,
        t=t,
        t_p=t_p,
        correlation=float(np.corrcoef(*means)[0, 1]) if varied else nan,
        equivalent_p=equivalent,
        least_equivalent_p=least,
        detectable=detectable,
        note="; ".join([
            *_notes(n, len(sizes), clusters, variance, measured, choices, detectable),
            *filter(None, [_unseen(difference, sizes) if p <= ALPHA and not pairs else ""]),
        ]),
        aside="; ".join([
            *([] if varied or brief else ["no correlation: a side has the same score on every item"]),
            *([] if alone or brief else ["McNemar's test is for right and wrong, not for means of runs"]),
        ]),
    )  # fmt: skip


def _means(runs: Floats) -> Floats:
    """(n,): the mean score of each item over the runs (n, R) that asked it."""
    mean: Floats = runs[:, 0] if runs.shape[1] == 1 else np.nanmean(runs, axis=1)
    return mean


def _measured(choices: Balanced, held: Ints, count: int, difference: float) -> _Measured:
    each = choices.choices
    discordant, squares = ([float(of.mean()) for of in map(size, each)] for size in (np.abs, np.square))
    alike = [alike_items(apart, held) for apart in each]
    shifts = [
        np.rint(np.bincount(held, weights=apart * choices.unit, minlength=count)).astype(np.int64) for apart in each
    ]
    # A choice of runs that points the other way is no evidence for the difference of all.
    p = sorted(sign_flip_p(of.tolist()) if int(of.sum()) * difference > 0 else 1.0 for of in shifts)
    return _Measured(
        variance=choices.variance(held),
        discordant=float(np.mean(discordant)),
        shift=float(np.sum(squares) / np.sum(discordant)) if any(discordant) else 1.0,
        moved=float(np.mean([np.count_nonzero(of) for of in shifts])),
        alike=Alike(*(float(np.mean(part)) for part in zip(*alike, strict=True))),
        p=p[len(p) // 2],  # the upper median: of two choices both have to be significant
    )


def _notes(
    items: int, groups: int, clusters: float, variance: float, measured: _Measured, choices: Balanced, detectable: float
) -> list[str]:
    notes = []
    if items < FEW:
        notes.append(f"INCONCLUSIVE: fewer than {FEW} pairs of answers, so no test and no interval")
    elif clusters < FEWEST_GROUPS:
        notes.append(f"INCONCLUSIVE: fewer than {FEWEST_GROUPS} independent groups, so no test and no interval")
    elif groups < items and measured.moved < _ROUGH:
        notes.append(
            f"wide interval: fewer than {_ROUGH} groups moved, which say little of how alike the items of a group are"
        )
    if groups < items and clusters < _UNSURE and not isnan(detectable):
        notes.append(
            f"detectable is rough: fewer than {_UNSURE} independent groups say little of how alike items of a group are"
        )
    if isnan(variance):
        notes.append("no standard error: a single group")
    elif not variance > _NONE:
        notes.append("no standard error: every item has the same difference")
    if items >= FEW and clusters >= FEWEST_GROUPS:
        several = len(choices.choices)
        median = (
            f"p is the median of {several} comparisons with equal numbers, and se and interval have their mean variance"
        )
        why = choices.note or ("unequal numbers of runs" if several > 1 else "")
        notes += [": ".join([why, *([median] if several > 1 else [])])] if why else []
    return notes


def _unseen(difference: float, sizes: Ints) -> str:
    """What nobody can rule out with so few groups of `sizes` (G,), or so unequal ones, although p is small: empty where
    a sample misses what would cancel the `difference` with a chance of at most .05."""
    chance = unseen_chance(difference, sizes)
    if chance <= ALPHA:
        return ""
    what = "large groups" if sizes.max() > 1 else "opposite items"
    return (
        f"{UNSEEN}{what} could cancel the difference, and a sample may miss them all ({points(cancelling(difference))} "
        f"% of the items are enough, missed with a chance of {100 * chance:.0f} %)"
    )
