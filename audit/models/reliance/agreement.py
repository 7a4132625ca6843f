"""Agreement in error: do a model's wrong answers go with the probe's more than an innocent model's would?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.reliance.estimate import (
    GroupedEstimate,
    crossed,
    never_varies,
    recorded,
    stratified,
    within,
)
from hansproof.audit.models.reliance.reliance_records import ErrorAgreement

__all__ = ["UNKNOWN", "agreement_in_error", "undefined"]

# A wrong answer may tempt everybody, and the probe too: a distractor that looks right, or the true answer to an item
# whose gold is wrong. How much it does is told by the other models that are wrong on the same item: a model that is
# tempted as they are gives the probe's answer as often as they do, beyond what each likes to say anyway. But a strong
# model gives the true answer to a wrong gold more often than weak ones. So an innocent model may feel from none to
# twice of what the others show, and the end that says less of the model counts. What that comes to where nobody
# follows the probe is measured in `benchmarks/reliance`.

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

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
