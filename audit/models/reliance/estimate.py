"""A number with what every group of items adds to its error, and the difference between the parts among like items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.reliance.reliance_records import ClusteredEstimate, ErrorAgreement

__all__ = [
    "UNKNOWN",
    "GroupedEstimate",
    "agreement_in_error",
    "combined",
    "crossed",
    "never_varies",
    "of_items",
    "recorded",
    "stratified",
    "undefined",
    "upper_p",
    "within",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LEVEL = 0.025
"""Of each end of an interval."""
_NOTHING = 1e-9
"""Spread that is a rounding error."""


@dataclass(frozen=True)
class GroupedEstimate:
    """One number of one benchmark with G groups."""

    value: float
    contributions: Floats
    """(G,): what each group adds to the error; their squares add up to the variance."""
    degrees: float
    """Of freedom: the effective number of groups less one."""

    @property
    def se(self) -> float:
        """The standard error, if only groups are independent; above 0."""
        return float(np.sqrt(np.square(self.contributions).sum()))


def of_items(value: float, influence: Floats, groups: Ints, weight: Floats) -> GroupedEstimate | None:
    """The estimate from what each item (n,) contributes; `weight` (n,) says how much each item counts for it.

    Groups with a share h of the weight are scaled by 1 / (1 - h), because the fit follows them: the jackknife of
    MacKinnon, Nielsen and Webb (2023), to first order. Their effective number is Kish's (1965). None with fewer than
    two groups that count, where no error can be told, and where nothing varies.
    """
    count = int(groups.max()) + 1 if len(groups) else 0
    heavy = np.bincount(groups, weights=weight, minlength=count)
    total = float(heavy.sum())
    if total <= 0 or not math.isfinite(value):
        return None
    share = heavy / total
    effective = 1 / float(share @ share)
    if effective < 2 or share.max() > 0.5:
        return None
    estimate = GroupedEstimate(
        value, np.bincount(groups, weights=influence, minlength=count) / (1 - share), effective - 1
    )
    return estimate if estimate.se > _NOTHING else None


def combined(estimates: Sequence[GroupedEstimate]) -> GroupedEstimate | None:
    """The mean of estimates of different benchmarks, which share no item, weighted by precision; None without any.

    Degrees of freedom as Welch and Satterthwaite have them.
    """
    if not estimates:
        return None
    precision = np.array([estimate.se**-2 for estimate in estimates])
    share = precision / precision.sum()
    variances = share**2 / precision
    below = float((variances**2 / np.array([estimate.degrees for estimate in estimates])).sum())
    return GroupedEstimate(
        float(share @ [estimate.value for estimate in estimates]),
        np.concatenate([part * estimate.contributions for part, estimate in zip(share, estimates)]),
        float(variances.sum()) ** 2 / below,
    )


def recorded(estimate: GroupedEstimate | None, reason: str = "") -> ClusteredEstimate:
    """The record of an estimate, which is a difference of shares; undefined, with a reason, for None."""
    from scipy.stats import t

    if estimate is None:
        return ClusteredEstimate(estimate=None, reason=reason or "too few groups of items for an interval")
    half = float(t.isf(_LEVEL, estimate.degrees)) * estimate.se
    return ClusteredEstimate(
        estimate=estimate.value,
        se=estimate.se,
        low=max(estimate.value - half, -1.0),
        high=min(estimate.value + half, 1.0),
        degrees=estimate.degrees,
    )


def upper_p(estimate: GroupedEstimate) -> float:
    """Twice the one-sided p of a number above 0, at most 1: it is below .05 just where the 95 % interval is above 0."""
    from scipy.stats import t

    return min(1.0, 2 * float(t.sf(estimate.value / estimate.se, estimate.degrees)))


# With strata, it is the Mantel-Haenszel difference of shares, each stratum weighted by n1 n0 / (n1 + n0) (Mantel and
# Haenszel 1959; Cochran 1954): what least squares gives with a constant per stratum. The error is robust within groups.


def within(values: Floats, strata: Ints) -> Floats:
    """`values` (n,) less their means within `strata` (n,)."""
    held = np.unique(strata, return_inverse=True)[1]
    return np.asarray(values - (np.bincount(held, values) / np.bincount(held))[held])


def never_varies(values: Floats, strata: Ints) -> bool:
    """Whether `values` (n,) are the same within each of the `strata` (n,)."""
    return not len(values) or float(np.abs(within(values, strata)).max()) < _NOTHING


def crossed(first: Ints, second: Ints) -> Ints:
    """Strata (n,) of items that are alike in both."""
    held = np.unique(second, return_inverse=True)[1]
    return np.asarray(np.unique(first, return_inverse=True)[1] * (int(held.max(initial=0)) + 1) + held)


def stratified(right: Floats, probe_right: Floats, groups: Ints, strata: Ints) -> GroupedEstimate | None:
    """Mean of `right` where `probe_right` is 1 less that where it is 0, within `strata`; all (n,).

    Strata in which the probe is always right, or always wrong, say nothing. None if all do, with too few groups for an
    error, and where nothing varies.
    """
    contrast = within(probe_right, strata)
    squares = float(contrast @ contrast)
    if squares < _NOTHING:
        return None
    value = float(contrast @ right) / squares
    # A stratum's own mean is estimated from its n items, which makes its residuals too small by (n - 1) / n.
    same = np.unique(strata, return_inverse=True)[1]
    size = np.bincount(same)[same]
    residual = (within(right, strata) - value * contrast) * np.sqrt(size / np.maximum(size - 1, 1))
    return of_items(value, contrast * residual / squares, groups, contrast**2)


# Agreement in error: do a model's wrong answers go with the probe's more than an innocent model's would?
#

# A wrong answer may tempt everybody, and the probe too: a distractor that looks right, or the true answer to an item
# whose gold is wrong. How much it does is told by the other models that are wrong on the same item: a model that is
# tempted as they are gives the probe's answer as often as they do, beyond what each likes to say anyway. But a strong
# model gives the true answer to a wrong gold more often than weak ones. So an innocent model may feel from none to
# twice of what the others show, and the end that says less of the model counts. What that comes to where nobody
# follows the probe is measured in `benchmarks/reliance`.


FEWEST: Final = 10
"""Items with both wrong below which nothing is said."""
_FELT: Final = (0.0, 2.0)
"""How much an innocent model may feel of what tempts the others, as times of their share."""
UNKNOWN: Final = -1
"""The number of an answer that is not known."""


def undefined(reason: str, items: int = 0, agree: float | None = None) -> tuple[ErrorAgreement, None]:
    """An agreement in error that cannot be told, and why."""
    return ErrorAgreement(items=items, agree=agree, expected=None, excess=recorded(None, reason)), None


def agreement_in_error(
    said: Ints,
    predicted: Ints,
    others: Sequence[Ints],
    wrong: NDArray[np.bool_],
    gold: Ints,
    options: Ints,
    groups: Ints,
) -> tuple[ErrorAgreement, GroupedEstimate | None]:
    """Agreement among the items in which model and probe are both `wrong` (n,), less what is to be expected.

    `said` and `predicted` (n,) number answers, or places of options, from 0. Each of the J `others` has its wrong
    answers (n, R) in R styles and runs, UNKNOWN where it is right or says nothing clear. Items with two `options` (n,),
    and those on which no other model is wrong, say nothing.
    """
    both = np.flatnonzero(wrong & (said != UNKNOWN) & (options > 2))
    answers = int(options.max(initial=0))
    shares = [_share(answered[both], answers) for answered in others]
    known = np.array([of for _, of in shares], dtype=np.bool_).reshape(len(shares), len(both))
    told = known.any(axis=0)
    use = both[told]
    if len(use) < FEWEST:
        return undefined(f"the model, the probe and another model are all wrong on fewer than {FEWEST} items", len(use))
    agree = float((said[use] == predicted[use]).mean())
    item, answer = np.nonzero((np.arange(answers) < options[use][:, None]) & (np.arange(answers) != gold[use][:, None]))
    given = (said[use][item] == answer).astype(np.float64)
    probes = (predicted[use][item] == answer).astype(np.float64)
    strata = crossed(crossed(gold[use][item], options[use][item]), answer)
    if never_varies(given, strata):
        return undefined("its wrong answer is always the same with the same gold answer", len(use), agree)
    mean = (np.sum([share for share, _ in shares], axis=0) / np.maximum(known.sum(axis=0), 1)[:, None])[told]
    tried = [stratified(given - times * mean[item, answer], probes, groups[use][item], strata) for times in _FELT]
    estimate = min((each for each in tried if each), key=lambda each: each.value / each.se, default=None)
    # A model that always gives the probe's answer has no error by itself, but beside the others it has.
    if estimate is None or not (tried[0] or (given == probes).all()):
        return undefined(
            "too few groups of items, or the probe gives the same wrong answer to all with the same gold answer",
            len(use), agree,
        )  # fmt: skip
    # An answer that is common with the same gold answer agrees by itself, whether or not it follows the probe.
    scale = float(np.square(within(probes, strata)).sum()) / len(use)
    expected = agree - scale * estimate.value
    return ErrorAgreement(items=len(use), agree=agree, expected=expected, excess=recorded(estimate)), estimate


def _share(answered: Ints, answers: int) -> tuple[Floats, NDArray[np.bool_]]:
    """(n, A): the share of each answer among those of one model, and (n,) whether it has any."""
    counts = np.stack([(answered == answer).sum(axis=1) for answer in range(answers)], axis=1).astype(np.float64)
    total = counts.sum(axis=1)
    return counts / np.maximum(total, 1)[:, None], total > 0
