"""What stands out from the line of all models: does what they show beyond difficulty go with how much they get right?

`beyond` takes it that the parts of the items differ in difficulty, and in nothing else that all models feel. Parts that
differ in the quality of their items give models an advantage, too. Where a gold answer is wrong, so are probe and good
models, and a weak one less often: the items on which the probe is wrong then hold more of these, and good models seem
to need the probe. Items that tell good models from weak ones better where the probe is right do the same; where it is
wrong, they do it to weak models. Each shows more, or less, the further its ability is from the mean of the others, and
nearly in proportion. So a line of `beyond` on accuracy through the other models says what quality does to a model of
such accuracy, and what stands out from it is the model's own.

All estimates are of the same groups of items, so weighted sums of what each group contributes to their errors have the
joint error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from audit.reliance.estimate import GroupedEstimate, contrast

__all__ = ["FEWEST_OTHERS", "Line", "Measured", "line_of_others"]

FEWEST_OTHERS: Final = 4
"""Through fewer models a line says hardly anything: through two it always goes."""


class Measured(NamedTuple):
    """A model on one benchmark."""

    accuracy: float
    beyond: GroupedEstimate


class Line(NamedTuple):
    """A line by weighted least squares through the other models of a benchmark."""

    slope: GroupedEstimate
    """By how much more models show beyond difficulty for each unit of accuracy."""
    deviation: GroupedEstimate
    """What the model shows more than the line at its own accuracy."""


def line_of_others(own: Measured, others: Sequence[Measured]) -> Line | None:
    """The line through J `others`, weighted by the precision of each, and how far `own` stands out from it.

    None with fewer than `FEWEST_OTHERS`, or if all of these are right equally often. Errors are above 0.
    """
    if len(others) < FEWEST_OTHERS:
        return None
    accuracy = np.array([each.accuracy for each in others])
    precision = np.array([each.beyond.se**-2.0 for each in others])
    weight = precision / precision.sum()
    centred = accuracy - weight @ accuracy
    squares = float(weight @ centred**2)
    if squares < 1e-12:
        return None
    by = weight * centred / squares
    at = weight + (own.accuracy - weight @ accuracy) * by
    estimates = [each.beyond for each in others]
    return Line(contrast(estimates, list(by)), contrast([own.beyond, *estimates], [1.0, *-at]))
