"""How much the answers to one problem vary over its surface forms: names, numbers or sentences varied one at a time.

A family says so (`Contrast.forms`). Who reasons gets all forms of a problem right or all of them wrong, so the
variance within problems is what a model owes to the surface. The spread of the accuracy over sets that hold one form of
each problem is that of GSM-Symbolic (Mirzadeh et al. 2024).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from audit.answers.judging.outcome import Outcome
from generators.dataset import Dataset

__all__ = ["ALL", "Spread", "measured_spread", "spreads"]

ALL = "all"
_NUMBER = re.compile(r"-\d+$", re.ASCII)


@dataclass(frozen=True)
class Spread:
    """Answers to several forms of the same problems; accuracies are shares from 0 to 1."""

    subset: str
    varied: str
    """What is varied: `names`; `all` for all forms together."""
    forms: tuple[str, ...]
    """The conditions, the original first."""
    problems: int
    """Groups with exactly one item of each form and at least one reply; a missing reply is wrong."""
    accuracy: float
    """Over all forms; NaN without problems."""
    lowest: float
    """Accuracy of the form with the lowest one."""
    highest: float
    deviation: float
    """Standard deviation of the accuracy over the forms, n - 1."""
    within: float
    """Variance within problems: the mean over problems of k p (1 - p) / (k - 1), where p is the share of the k forms
    that are right. 0 where every problem is right or wrong in all its forms."""
    independent: float
    """What it would be if the answers to the forms of a problem had nothing to do with each other: a (1 - a), where a
    is `accuracy`."""
    mixed: float
    """Share of the problems of which some forms are right and others wrong."""
    cochran_q: float
    """Cochran's Q: are all forms equally often right? NaN where no problem is mixed."""
    p: float
    """Its p, chi-square with one degree of freedom less than there are forms (Cochran 1950)."""


def spreads(outcomes: Sequence[Outcome], family: Dataset | None) -> list[Spread]:
    """The spread over all forms of each subset that has any, then over each thing that is varied with the original.

    Subsets without a reply, and None for a family that is not registered, have none.
    """
    every: list[Spread] = []
    if family is None:
        return every
    answers: dict[str, dict[str, dict[str, list[Outcome]]]] = {}
    for outcome in outcomes:
        groups = answers.setdefault(str(outcome.item.metadata["subset"]), {})
        groups.setdefault(outcome.item.group, {}).setdefault(outcome.item.condition, []).append(outcome)
    for subset, groups in answers.items():
        for varied, forms in _varied(family, subset):
            told = [[group.get(form, []) for form in forms] for group in groups.values()]
            whole = [[items[0] for items in group] for group in told if all(len(items) == 1 for items in group)]
            asked = [group for group in whole if not all(each.missing for each in group)]
            if asked:
                rights = np.array([[each.right for each in group] for group in asked], dtype=np.bool_)
                every.append(measured_spread(rights, subset, varied, forms))
    return every


def measured_spread(rights: NDArray[np.bool_], subset: str, varied: str, forms: Sequence[str]) -> Spread:
    """The spread of `rights` (problems, forms), True where the answer is right; there are at least two forms."""
    problems, count = rights.shape
    by_form = rights.mean(axis=0)
    shares = rights.mean(axis=1)
    accuracy = float(rights.mean())
    statistic = _cochran_q(rights)
    return Spread(
        subset=subset,
        varied=varied,
        forms=tuple(forms),
        problems=problems,
        accuracy=accuracy,
        lowest=float(by_form.min()),
        highest=float(by_form.max()),
        deviation=float(by_form.std(ddof=1)),
        within=float((shares * (1 - shares)).mean() * count / (count - 1)),
        independent=accuracy * (1 - accuracy),
        mixed=float(((shares > 0) & (shares < 1)).mean()),
        cochran_q=statistic,
        p=nan if isnan(statistic) else float(stats.chi2.sf(statistic, count - 1)),
    )


def _cochran_q(rights: NDArray[np.bool_]) -> float:
    """(k - 1) (k sum of squared column totals - T^2) / (k T - sum of squared row totals); NaN where that is 0 / 0."""
    count = rights.shape[1]
    rows, columns = rights.sum(axis=1, dtype=np.int64), rights.sum(axis=0, dtype=np.int64)
    total = int(rows.sum())
    below = count * total - int((rows**2).sum())
    return (count - 1) * (count * int((columns**2).sum()) - total**2) / below if below else nan


def _varied(family: Dataset, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is varied, and the forms: all of them first. Nothing where the family has no forms there."""
    contrast = family.subsets[name].contrast if name in family.subsets else None
    if contrast is None or not contrast.forms:
        return
    kinds: dict[str, list[str]] = {}
    for condition in contrast.perturbed:
        kinds.setdefault(_NUMBER.sub("", condition), []).append(condition)
    yield ALL, (contrast.original, *contrast.perturbed)
    for kind, conditions in kinds.items():
        yield kind, (contrast.original, *conditions)
