"""Where model and probe are both wrong, is the model's answer the probe's for no reason that other models have?

The difficulty of items makes models wrong; it does not make them give the probe's answer. But a wrong answer may tempt
everybody, for its meaning or its place, and the probe too. How much it tempts is told by the other models that are
wrong on the same item, and with noise, as difficulty is: each wrong answer of an item is a row, and whether the model
gives it is explained by whether the probe does, by the shares of two halves of the others (`proxies`), and by how often
the model gives that answer at all (with options of each item's own: that place). What all models share counts as
temptation. It takes three answers or more: with two, whoever is wrong agrees.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.reliance.estimate import GroupedEstimate, difference
from audit.reliance.proxies import MEASURABLE, Rows, Side, effect_beyond, shared
from audit.reliance.records import ErrorAgreement
from audit.reliance.strata import crossed, stratified, within

__all__ = ["UNKNOWN", "agreement_in_error"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEWEST = 10
"""Items with both wrong below which nothing is said."""
_UNMEASURED = (1.0, 1.5)
"""How much a model may feel of what tempts others, where that is not measured."""
UNKNOWN = -1
"""The number of an answer that is not known."""


def agreement_in_error(
    said: Ints,
    predicted: Ints,
    others: Sequence[Ints],
    halves: Sequence[NDArray[np.bool_]],
    wrong: NDArray[np.bool_],
    gold: Ints,
    options: Ints,
    groups: Ints,
) -> tuple[ErrorAgreement, GroupedEstimate | None]:
    """Agreement among the items in which model and probe are both `wrong` (n,), less what is to be expected.

    `said` and `predicted` (n,) number answers, or places of options, from 0. Each of the J `others` has its wrong
    answers (n, R) in R styles and runs, UNKNOWN where it is right or says nothing clear; `halves` (J,) say which of
    them are a proxy while the rest are its instrument. Items with two `options` (n,), and those on which no other model
    is wrong, say nothing.

    Where the halves of the others have no temptation in common that stands out from noise, the model is taken to feel
    it as the others do, or half as much again, whichever says less: that much of their share is subtracted.
    """
    both = wrong & (said != UNKNOWN) & (options > 2)
    answers = int(options.max(initial=0))
    own = np.flatnonzero(both)
    shares = [_share(answered[own], answers) for answered in others]
    told = np.any([known for _, known in shares], axis=0) if shares else np.zeros(len(own), dtype=bool)
    use = own[told]
    count = len(use)
    if len(others) < 2 or count < FEWEST:
        reason = (
            "fewer than two other models: which wrong answers tempt is not measured" if len(others) < 2
            else f"both are wrong, and another model, too, with known answers, on {count} items: fewer than {FEWEST}"
        )  # fmt: skip
        return ErrorAgreement(items=count, agree=None, expected=None, excess=difference(None, reason)), None
    item, answer = np.nonzero((np.arange(answers) < options[use][:, None]) & (np.arange(answers) != gold[use][:, None]))
    rows = Rows(
        response=(said[use][item] == answer).astype(np.float64),
        contrast=(predicted[use][item] == answer).astype(np.float64),
        strata=crossed(crossed(gold[use][item], options[use][item]), answer),
        groups=groups[use][item],
    )
    sides = [_side([(share[told], known[told]) for share, known in shares], half, item, answer) for half in halves]
    estimate = None
    if sides and shared(rows, sides) >= MEASURABLE:
        estimate = effect_beyond(rows, sides)
    if estimate is None:
        mean = _mean([(share[told], known[told]) for share, known in shares])[0][item, answer]
        tried = [
            stratified(rows.response - times * mean, rows.contrast, rows.groups, rows.strata) for times in _UNMEASURED
        ]
        estimate = min(
            (each for each in tried if each and each.se > 0), key=lambda each: each.value / each.se, default=None
        )
    agree = float((said[use] == predicted[use]).mean())
    if estimate is None:
        reason = "too few groups of items, or the probe gives the same wrong answer to all with the same gold answer"
        return ErrorAgreement(items=count, agree=agree, expected=None, excess=difference(None, reason)), None
    # An answer that is common with the same gold answer agrees by itself, whether or not it follows the probe.
    scale = float(np.square(within(rows.contrast, rows.strata)).sum()) / count
    expected = agree - scale * estimate.value
    return ErrorAgreement(items=count, agree=agree, expected=expected, excess=difference(estimate)), estimate


def _share(answered: Ints, answers: int) -> tuple[Floats, NDArray[np.bool_]]:
    """(n, A): the share of each answer among those of one model, and (n,) whether it has any."""
    counts = np.stack([(answered == answer).sum(axis=1) for answer in range(answers)], axis=1).astype(np.float64)
    total = counts.sum(axis=1)
    return counts / np.maximum(total, 1)[:, None], total > 0


def _mean(shares: Sequence[tuple[Floats, NDArray[np.bool_]]]) -> tuple[Floats, NDArray[np.bool_]]:
    """(n, A): the mean share over the models that are wrong, and (n,) whether there are any."""
    count = np.sum([known for _, known in shares], axis=0)
    return np.sum([share for share, _ in shares], axis=0) / np.maximum(count, 1)[:, None], count > 0


def _side(
    shares: Sequence[tuple[Floats, NDArray[np.bool_]]], half: NDArray[np.bool_], item: Ints, answer: Ints
) -> Side:
    """The rows of the items on which a model of either half is wrong."""
    (proxy, first), (instrument, second) = (
        _mean([share for share, member in zip(shares, half, strict=True) if member == which]) for which in (True, False)
    )
    use = np.flatnonzero((first & second)[item])
    at = item[use], answer[use]
    return Side(use, proxy[at], instrument[at], several=bool(min(half.sum(), (~half).sum()) > 1))
