"""What of the difference between the parts the difficulty of the items does not explain.

Items that the probe predicts may be easier for every reader. Stratifying by how many other models are right does not
mend this: their answers measure difficulty with noise, and what the noise hides stays in the difference. Three models
or more tell noise from difficulty, because noise is each model's own and difficulty is common. So the other models are
halved; with a and b the shares of the halves that are right,

    right = beyond * (the probe is right) + s1 a + s2 a^2 + a constant for each gold answer (and topic) + noise

is fitted by two-stage least squares with b and b^2 as instruments for a and a^2, both ways round, averaged over
halvings that part every two models (or families: models of one family may share mistakes) at least once. Where there
are two families, one half is the model's own (`proxy_sides`). What a model without any advantage would show, because
answers follow no parabola exactly, is reckoned from fitted curves and taken off (`expected`). If answers follow a
common difficulty, to which each model has a sensitivity of its own, `beyond` is 0; a model that gives the probe's
answer on a share r of the items, beside others that do not, has r. Others that do push it down, and are left out in
rounds (`audit.reliance.rounds`). The halves are two proxies of a confounder that nobody sees; `proxies` has the
fit. What all models share cannot be told from difficulty, nor, unless the items declare their topics, what this model
is better at than the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.reliance.difficulty.curves import fitted_curves
from audit.reliance.difficulty.expected import expected_effect
from audit.reliance.estimate import GroupedEstimate
from audit.reliance.proxies import MEASURABLE, Rows, Side, effect_beyond, effective_degrees, shared
from audit.reliance.strata import within

__all__ = ["Beyond", "beyond", "halvings", "proxy_sides", "strata_of_others"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Beyond:
    """The difference beyond difficulty, and how well difficulty was measured."""

    estimate: GroupedEstimate | None
    measurable: float | None
    """What the halves have in common beyond the parts, in standard errors; None with fewer than two other models."""
    reason: str
    """Why there is no estimate; else empty."""


def beyond(
    right: Floats,
    others: Floats,
    halves: Sequence[Truths],
    probe_right: Floats,
    groups: Ints,
    strata: Ints,
    chance: float,
) -> Beyond:
    """The difference of `right` (n,) beyond difficulty; `others` (n, J) are other models, `halves` their proxies.

    `probe_right` (n,) is 1 where the probe is right; `strata` (n,) hold the gold answers, and the topics where items
    declare them. `chance` is the share of the items that guessing gets right.
    """
    if others.shape[1] < 2:
        return Beyond(None, None, "fewer than two other models: the difficulty of the items is not measured")
    contrast = within(probe_right, strata)
    if float(contrast @ contrast) < 1e-9:
        return Beyond(None, None, "the probe is right, or wrong, on all items with the same gold answer")
    rows = Rows(right, probe_right, strata, groups)
    if effective_degrees(contrast, np.unique(groups, return_inverse=True)[1]) < 1:
        return Beyond(None, None, "too few groups of items")
    if not halves:
        return Beyond(None, None, "the other models are one family: what they share is not told from difficulty")
    every = np.arange(len(right))
    sides = [
        Side(every, others[:, half].mean(axis=1) - 0.5, others[:, ~half].mean(axis=1) - 0.5, _several(half))
        for half in halves
    ]
    measurable = shared(rows, sides)
    if measurable < MEASURABLE:
        return Beyond(None, measurable, "the other models share no difficulty that stands out from noise")
    curves = fitted_curves(right, others, probe_right, strata, chance)
    estimate = effect_beyond(rows, sides, lambda power: expected_effect(curves, halves, power))
    reason = "" if estimate else "the difficulty of the items cannot be told from the parts"
    return Beyond(estimate, measurable, reason)


def proxy_sides(families: NDArray[np.str_], own: str) -> list[Truths]:
    """Which of the other models, of `families` (J,), are a proxy of difficulty while the rest are its instrument.

    Both ways round of each halving. But where there is a single family beside the model's `own`, its members may share
    mistakes, and halves of it would take these for difficulty. Then the own family is the proxy and the other the
    instrument, which knows nothing of the mistakes of the own one; the other way round does not hold. None if nobody
    else is of the own family, or nobody else is there.
    """
    if len(families) == 0:
        return []
    mine = families == own
    if len(np.unique(families[~mine])) == 1:
        return [mine] if mine.any() else []
    return [half for halving in halvings(np.unique(families, return_inverse=True)[1]) for half in (halving, ~halving)]


def halvings(families: Ints) -> Iterator[Truths]:
    """Halves of the models (J,) that keep families whole and part every two of them at least once.

    By the binary digits of the number of the family: three families have two halvings, eight have three. Models of a
    single family are halved one by one.
    """
    if len(np.unique(families)) < 2:
        families = np.arange(len(families))
    number = np.unique(families, return_inverse=True)[1]
    for digit in range(int(number.max()).bit_length()):
        yield np.asarray((number >> digit) & 1, dtype=np.bool_)


def _several(half: Truths) -> bool:
    return bool(min(half.sum(), (~half).sum()) > 1)


def strata_of_others(others: Floats) -> Ints:
    """(n,): how many of the other models (n, J) are right, rounded; models of several runs count by their mean."""
    return np.asarray(np.rint(others.sum(axis=1)), dtype=np.int64)
