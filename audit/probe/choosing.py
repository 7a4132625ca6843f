"""Which model each outer fold gets, and what a refit of it begins with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.probe.logistic import Model, Regularisation, carried

__all__ = ["Choice", "Rivals", "chosen_in_pairs"]


@dataclass(frozen=True)
class Rivals:
    """The candidates, fitted without two folds."""

    models: list[Model]
    columns: NDArray[np.int32]
    """What the weights of the models belong to."""
    kappas: Callable[[int], list[float]]
    """The kappa of each model on one of these two folds."""


@dataclass(frozen=True)
class Choice:
    """The regularisation for one outer fold, and the model that was the best on its validation fold."""

    how: Regularisation
    kappa: float
    """NaN if nothing was chosen."""
    model: Model | None
    columns: NDArray[np.int32]

    def start(self, columns: NDArray[np.int32]) -> NDArray[np.float64] | None:
        """The weights that a refit on `columns` begins with: its rows include those that the model was fitted on."""
        if self.model is None or not self.how.linear:
            return None
        return carried(self.model.weights, self.columns, columns)


def chosen_in_pairs(
    used: Sequence[int], candidates: Sequence[Regularisation], fitted: Callable[[int, int], Rivals]
) -> dict[int, Choice]:
    """What is chosen for each outer fold; the first candidate if there are only two folds.

    Folds validate each other in pairs, so that one set of fits serves both; an odd last one pairs with the first.
    """
    if len(used) < 3 or len(candidates) == 1:
        return dict.fromkeys(used, Choice(candidates[0], float("nan"), None, np.empty(0, dtype=np.int32)))
    choices: dict[int, Choice] = {}
    for place in range(0, len(used), 2):
        outer, other = used[place], used[(place + 1) % len(used)]
        rivals = fitted(outer, other)
        for outside, validation in ((outer, other), (other, outer)):
            if outside in choices:
                continue
            kappas = rivals.kappas(validation)
            best = int(np.argmax(kappas))
            choices[outside] = Choice(candidates[best], kappas[best], rivals.models[best], rivals.columns)
    return choices
