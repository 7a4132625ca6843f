"""The coefficient of the probe by maximum likelihood, in one or several blocks of answers at once.

Blocks share the coefficient of the probe; constants, the slope of difficulty and the spread of the items are each
block's own. Its error knows which items belong to a group, and that blocks of one benchmark share its items: the scores
of a group are added up, however they depend on each other (White 1982). So there are no intercepts of groups: whatever
items of a group have in common, the likelihood of each item is right (a composite likelihood, Varin, Reid and Firth
2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.reliance.estimate import GroupedEstimate, of_items
from audit.reliance.mixed.likelihood import Block, Likelihood, likelihood, towards

__all__ = ["Fit", "fitted"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_STEPS: Final = 100
_REMAINING: Final = 1e-4
"""How far from the maximum a fit may end, as the squared distance in standard errors of all parameters together."""
_FARTHEST: Final = 15.0
"""Logits: a coefficient beyond is on its way to infinity."""
_WIDEST: Final = 4.0
"""Logits: the standard deviation of items stays about there where models that answer alike would have it grow without
end. Nearly all items are then right, or wrong, for all."""
_WALL: Final = 100.0
"""How steep the likelihood falls beyond; in a normal density that of a standard deviation of a tenth of a logit."""


class Fit(NamedTuple):
    """Where the likelihood of B blocks is largest."""

    estimate: GroupedEstimate | None
    """The coefficient of the probe, in logits; None with a `reason`."""
    reason: str = ""
    parameters: tuple[Floats, ...] = ()
    """B times (P,), as `likelihood` has them."""
    value: float = float("nan")
    """The logarithm of the likelihood."""
    information: float = float("nan")
    """About the coefficient, were the intercepts of items all that answers have in common."""


def fitted(blocks: Sequence[Block]) -> Fit:
    """Groups with the same number, in one block or several, are the same; blocks without an answer do no harm.

    Undefined, with a reason, where the probe is right, or wrong, on all items with the same gold answer, where answers
    are separated by it, and without convergence.
    """
    from scipy.optimize import minimize

    if not any(_contrast(block) for block in blocks):
        return Fit(None, "the probe is right, or wrong, on all items with the same gold answer")
    joint = _Joint(blocks)
    reached = minimize(
        joint.value, joint.beginning(), jac=joint.gradient, hess=joint.hessian, method="trust-exact",
        options={"gtol": 1e-5, "maxiter": _STEPS},
    )  # fmt: skip
    at = np.asarray(reached.x)
    parameters = joint.parted(at)
    gradient, information = -joint.gradient(at), joint.hessian(at)
    if abs(at[0]) > _FARTHEST:
        return Fit(None, "the answers are separated: all right where the probe is, or all wrong where it is not")
    rest = np.linalg.lstsq(information[1:, 1:], np.column_stack([information[1:, 0], gradient[1:]]), rcond=None)[0]
    known = float(information[0, 0] - information[0, 1:] @ rest[:, 0])
    away = float(gradient[1:] @ rest[:, 1]) + (float(gradient[0] - information[0, 1:] @ rest[:, 1])) ** 2 / known
    if not (known > 1e-6 * information[0, 0] and 0 <= away < _REMAINING):
        return Fit(None, "the fit did not converge")
    directions = joint.parted(np.concatenate([[1.0], -rest[:, 0]]))
    parts = [towards(block, own, way) for block, own, way in zip(blocks, parameters, directions)]
    # Constants are fitted, too, which makes scores too small: by (n - 1) / n of the n items with a gold answer.
    sizes = [np.bincount(block.stratum)[block.stratum] for block in blocks]
    score = np.concatenate([own * np.sqrt(size / np.maximum(size - 1, 1)) for (own, _), size in zip(parts, sizes)])
    weight = np.maximum(np.concatenate([own for _, own in parts]), 0.0)
    groups = np.concatenate([block.groups for block in blocks])
    estimate = of_items(float(at[0]), score / known, groups, weight)
    reason = "" if estimate else "too few groups of items for an interval"
    return Fit(estimate, reason, tuple(parameters), -joint.value(at), known)


class _Joint:
    """Minus the likelihood of all blocks by the coefficient that they share, then the other parameters of each."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._ends = np.cumsum([1, *(block.size - 1 for block in blocks)])
        self._at: Floats | None = None
        self._of: list[Likelihood] = []

    def beginning(self) -> Floats:
        """Constants at the logits of the shares that models get right; items spread by one."""
        return np.concatenate([[0.0], *(_beginning(block) for block in self._blocks)])

    def parted(self, at: Floats) -> list[Floats]:
        """What belongs to each block, with the shared one first."""
        return [np.concatenate([at[:1], at[low:high]]) for low, high in zip(self._ends, self._ends[1:])]

    def value(self, at: Floats) -> float:
        return -sum(each.value for each in self._held(at))

    def gradient(self, at: Floats) -> Floats:
        every = [each.gradient for each in self._held(at)]
        return -np.concatenate([[sum(each[0] for each in every)], *(each[1:] for each in every)])

    def hessian(self, at: Floats) -> Floats:
        joined = np.zeros((len(at), len(at)))
        for each, low, high in zip(self._held(at), self._ends, self._ends[1:]):
            joined[0, 0] -= each.hessian[0, 0]
            joined[0, low:high] = joined[low:high, 0] = -each.hessian[0, 1:]
            joined[low:high, low:high] = -each.hessian[1:, 1:]
        return joined

    def _held(self, at: Floats) -> list[Likelihood]:
        if self._at is None or not np.array_equal(at, self._at):
            self._at = np.array(at)
            self._of = [_bounded(block, own) for block, own in zip(self._blocks, self.parted(self._at))]
        return self._of


def _bounded(block: Block, at: Floats) -> Likelihood:
    """The likelihood, which falls where items would be wider than they may."""
    own = likelihood(block, at)
    place = block.sloped - 1
    beyond = abs(at[place]) - _WIDEST if block.random else 0.0
    if beyond <= 0:
        return own
    own.gradient[place] -= _WALL * beyond * np.sign(at[place])
    own.hessian[place, place] -= _WALL
    return own._replace(value=own.value - 0.5 * _WALL * beyond**2)


def _beginning(block: Block) -> Floats:
    """All parameters but the shared one."""
    weight = block.constants[block.stratum]
    answers, right = (np.einsum("nj,njc->c", values, weight) for values in (block.known, block.right))
    share = np.clip((right + 0.5) / (answers + 1.0), 0.02, 0.98)
    constants = np.log(share / (1 - share)) / max(float(block.constants.sum(axis=2).max(initial=1.0)), 1.0)
    slopes = [0.0] * (block.difficulty is not None) + [1.0] * block.random
    return np.concatenate([slopes, constants])


def _contrast(block: Block) -> bool:
    """Whether the probe is right on some and wrong on other items with the same gold answer."""
    within = [block.probe[block.stratum == stratum] for stratum in range(len(block.constants))]
    return any(np.ptp(values) > 0 for values in within if len(values))
