"""Where model and probe are both wrong, do they give the same wrong answer more often than chance?

The difficulty of items makes models wrong; it does not make them give the probe's answer. So agreement in error is the
strongest sign of reliance that answers alone can show. It takes three answers or more: with two, whoever is wrong
agrees. A wrong answer that is tempting for its meaning tempts both, and also counts here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.reliance.estimate import Estimate, difference, of_items
from audit.reliance.records import ErrorAgreement

__all__ = ["agreement_in_error"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Texts = NDArray[np.str_]

FEWEST = 10
"""Items with both wrong below which nothing is said."""


def agreement_in_error(
    said: Texts, predicted: Texts, wrong: NDArray[np.bool_], gold: Ints, chance: Floats, groups: Ints, shared: bool
) -> tuple[ErrorAgreement, Estimate | None]:
    """Agreement among the items in which model and probe are both `wrong` (n,), less what is to be expected.

    With `shared` answers, sum over answers of the share of the model's wrong answers times that of the probe's, within
    each gold answer: agreement by marginals, as in Cohen's kappa. With options of each item's own, 1 / (k - 1), from
    `chance` = 1/k (n,); items with two options say nothing. All arrays are (n,).
    """
    use = wrong & (said != "") & (chance < 0.5 - 1e-9)
    same = (said == predicted)[use].astype(np.float64)
    count = len(same)
    if count < FEWEST:
        reason = f"both are wrong, with a known answer, on {count} items: fewer than {FEWEST}"
        return ErrorAgreement(items=count, agree=None, expected=None, excess=difference(None, reason)), None
    if shared:
        expected, influence = _by_marginals(said[use], predicted[use], gold[use], same)
    else:
        expected = chance[use] / (1 - chance[use])
        influence = same - expected - float((same - expected).mean())
    value = float((same - expected).mean())
    estimate = of_items(value, influence / count * np.sqrt(count / (count - 1)), groups[use], np.ones(count))
    agreed = float(same.mean())
    return ErrorAgreement(items=count, agree=agreed, expected=agreed - value, excess=difference(estimate)), estimate


def _by_marginals(said: Texts, predicted: Texts, gold: Ints, same: Floats) -> tuple[Floats, Floats]:
    """Expected agreement (n,) and what each item contributes to the error of the mean excess, by the delta method."""
    expected, influence = np.empty(len(said)), np.empty(len(said))
    for label in np.unique(gold):
        of = gold == label
        names, codes = np.unique(np.concatenate([said[of], predicted[of]]), return_inverse=True)
        count = int(of.sum())
        mine, probes = codes[:count], codes[count:]
        model = np.bincount(mine, minlength=len(names)) / count
        probe = np.bincount(probes, minlength=len(names)) / count
        chance = float(model @ probe)
        # Marginals of few items contain each item's own agreement, which takes 1 / n off the excess.
        inner = same[of].mean() - chance
        scale = count / max(count - 1, 1)
        expected[of] = same[of].mean() - inner * scale
        influence[of] = scale * (same[of] - model[probes] - probe[mine] + 2 * chance - same[of].mean())
    return expected, influence
