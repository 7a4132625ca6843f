"""How often each model is right by how easy an item is, and how easy the items of both parts are.

The curves are logistic, each with a sensitivity of its own (Birnbaum 1968) and a constant for each stratum, and begin
at chance where that fits the answers better. How easy items are is free on a grid of nodes, for each part of the items
separately (Mislevy 1984): nothing is assumed of how the parts differ in difficulty. All is fitted by marginal maximum
likelihood (Bock and Aitkin 1981), with as many steps whatever the answers, so that no rounding error says when to stop.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit, logit

__all__ = ["Curves", "fitted_curves"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_NODES: Final = np.linspace(-4.0, 4.0, 17)
_BY: Final = np.stack([np.tile(_NODES, (2, 1)), np.repeat([[0.0], [1.0]], len(_NODES), axis=1)])
"""(2, 2, Q): what the slopes of curves are slopes of, in each part: easiness, and the part itself."""
_STEPS: Final = 25
"""Ten times as many change what is expected of a fit by at most .005, a tenth of its error."""
_PRECISION: Final = 0.5
"""How much it counts that sensitivities are 1, that constants are the model's own in all strata, and that the parts do
not differ: it keeps the curves finite of models that are right, or wrong, on all items of a stratum."""


class Curves(NamedTuple):
    """Shares of right answers in each of S strata, at each of Q nodes of easiness."""

    others: Floats
    """(J, S, Q)"""
    noise: Floats
    """(J,): the variance of an answer at a node, as a share of that of a single one; less for means of runs."""
    target: Floats
    """(S, Q): the model that is asked about, the same in both parts."""
    items: Floats
    """(S, 2, Q): how many items of stratum and part are expected at each node."""


class _Answers(NamedTuple):
    """Items with the same answers, together; P of them, by stratum and part."""

    others: Floats
    """(P, J)"""
    right: Floats
    """(P, 1)"""
    part: Ints
    """(P,): 1 where the probe is right."""
    items: Floats
    """(P,): their number."""
    strata: int
    blocks: list[tuple[int, int, slice]]
    """Which of them have each stratum and part."""


class _Models(NamedTuple):
    """M logistic curves with K slopes in common to all strata."""

    constants: Floats
    """(M, S)"""
    usual: Floats
    """(M,): what the constants were expected to be."""
    slopes: Floats
    """(M, K): by easiness and, if 2, what the model is better by in the part that the probe gets right."""

    def eta(self) -> Floats:
        """(M, S, 2, Q)"""
        sloped = np.tensordot(self.slopes, _BY[: self.slopes.shape[1]], axes=1)
        return np.asarray(self.constants[:, :, None, None] + sloped[:, None])


def fitted_curves(right: Floats, others: Floats, probe_right: Floats, strata: Ints, chance: float) -> Curves:
    """The curves of a model with the answers `right` (n,), and of J `others` (n, J); shares from 0 to 1.

    The model may be better in one part (`probe_right` (n,), 0 or 1): its curve is then the mean over both. `strata`
    (n,) are numbered in any way. `chance` is the share that guessing gets right.
    """
    answers = _together(right, others, probe_right, strata)
    tried = [(*_fitted_others(answers, floor), floor) for floor in dict.fromkeys((0.0, chance))]
    models, logged, _, floor = max(tried, key=lambda fit: fit[2])
    target, items = _fitted_target(answers, logged, floor)
    curves = floor + (1 - floor) * expit(models.eta()[:, :, 0])
    single = np.einsum("jsq,sq->j", curves * (1 - curves), items.sum(axis=1) / len(right))
    noise = 1 - (others * (1 - others)).mean(axis=0) / np.maximum(single, 1e-9)
    return Curves(curves, np.clip(noise, 0.0, 1.0), target, items)


def _together(right: Floats, others: Floats, probe_right: Floats, strata: Ints) -> _Answers:
    stratum = np.unique(strata, return_inverse=True)[1]
    at = 2 * stratum + (probe_right > 0.5)
    rows, items = np.unique(np.column_stack([at, np.clip(right, 0.0, 1.0), others]), axis=0, return_counts=True)
    cells, first, count = np.unique(rows[:, 0].astype(np.int64), return_index=True, return_counts=True)
    blocks = [
        (int(at) // 2, int(at) % 2, slice(int(start), int(start + size)))
        for at, start, size in zip(cells, first, count)
    ]
    part = rows[:, 0].astype(np.int64) % 2
    return _Answers(rows[:, 2:], rows[:, 1:2], part, items.astype(np.float64), int(stratum.max()) + 1, blocks)


def _fitted_others(answers: _Answers, floor: float) -> tuple[_Models, Floats, float]:
    """The curves; (P, Q) the logarithm of the likelihood of answers and node; and that of all answers."""
    models = _beginning(answers.others, answers, floor, slopes=1)
    weights = np.tile(np.exp(-0.5 * _NODES**2) / np.exp(-0.5 * _NODES**2).sum(), (2, 1))
    for _ in range(_STEPS):
        held = _posterior(_logged(answers.others, answers, models, floor) + np.log(weights)[answers.part], answers)[0]
        weights = _weights(held, answers.part)
        models = _improved(models, *_counted(answers.others, answers, held), floor)
    logged = _logged(answers.others, answers, models, floor) + np.log(weights)[answers.part]
    return models, logged, _posterior(logged, answers)[1]


def _fitted_target(answers: _Answers, others: Floats, floor: float) -> tuple[Floats, Floats]:
    """(S, Q) the curve in each stratum, and (S, 2, Q) the items at each node."""
    models = _beginning(answers.right, answers, floor, slopes=2)
    for _ in range(_STEPS):
        held = _posterior(others + _logged(answers.right, answers, models, floor), answers)[0]
        models = _improved(models, *_counted(answers.right, answers, held), floor)
    held = _posterior(others + _logged(answers.right, answers, models, floor), answers)[0]
    items = _counted(answers.right, answers, held)[0]
    share = items[:, 1].sum() / items.sum()
    wrong, right = (floor + (1 - floor) * expit(models.eta()[0, :, part]) for part in (0, 1))
    return (1 - share) * wrong + share * right, items


def _beginning(values: Floats, answers: _Answers, floor: float, slopes: int) -> _Models:
    share = answers.items @ values / answers.items.sum()
    usual = logit(np.clip((share - floor) / (1 - floor), 0.02, 0.98))
    return _Models(
        np.repeat(usual[:, None], answers.strata, axis=1), usual, np.tile([1.0, 0.0][:slopes], (len(usual), 1))
    )


def _logged(values: Floats, answers: _Answers, models: _Models, floor: float) -> Floats:
    """(P, Q): the logarithm of the likelihood of the `values` (P, M) at each node."""
    eta = models.eta()
    correct = np.log(floor + (1 - floor) * expit(eta)) if floor else log_expit(eta)
    wrong = np.log1p(-floor) + log_expit(-eta)
    logged = np.empty((len(values), len(_NODES)))
    for stratum, part, rows in answers.blocks:
        own = values[rows]
        logged[rows] = own @ correct[:, stratum, part] + (1 - own) @ wrong[:, stratum, part]
    return logged


def _posterior(logged: Floats, answers: _Answers) -> tuple[Floats, float]:
    """(P, Q): how many items are at each node; and the logarithm of the likelihood of all answers."""
    most = logged.max(axis=1, keepdims=True)
    held = np.exp(logged - most)
    total = held.sum(axis=1, keepdims=True)
    return held * (answers.items[:, None] / total), float(answers.items @ (np.log(total) + most)[:, 0])


def _weights(held: Floats, part: Ints) -> Floats:
    """(2, Q): the share of the nodes in each part; none is 0, whose logarithm is not finite."""
    totals = np.stack([held[part == which].sum(axis=0) for which in (0, 1)]) + 0.001
    return np.asarray(totals / totals.sum(axis=1, keepdims=True))


def _counted(values: Floats, answers: _Answers, held: Floats) -> tuple[Floats, Floats]:
    """(S, 2, Q) items at each node, and (M, S, 2, Q) how many of them each model gets right."""
    items = np.zeros((answers.strata, 2, len(_NODES)))
    hits = np.zeros((values.shape[1], *items.shape))
    for stratum, part, rows in answers.blocks:
        items[stratum, part] = held[rows].sum(axis=0)
        hits[:, stratum, part] = values[rows].T @ held[rows]
    return items, hits


def _improved(models: _Models, items: Floats, hits: Floats, floor: float) -> _Models:
    """One step of Fisher scoring; of the information only what slopes share with constants is not diagonal."""
    above = expit(models.eta())
    share = above / (floor + (1 - floor) * above)
    score = (hits - items * (floor + (1 - floor) * above)) * share
    known = items * (1 - floor) * above * (1 - above) * share
    by = _BY[: models.slopes.shape[1]]
    expected = np.array([1.0, 0.0])[: len(by)]
    first = score.sum(axis=(2, 3)) - _PRECISION * (models.constants - models.usual[:, None])
    second = np.tensordot(score.sum(axis=1), by, axes=((1, 2), (1, 2))) - _PRECISION * (models.slopes - expected)
    diagonal = known.sum(axis=(2, 3)) + _PRECISION
    mixed = np.tensordot(known, by, axes=((2, 3), (1, 2)))
    rest = np.tensordot(known.sum(axis=1), by[:, None] * by, axes=((1, 2), (2, 3))) + _PRECISION * np.eye(len(by))
    scaled = mixed / diagonal[:, :, None]
    slopes = np.linalg.solve(
        rest - np.einsum("msk,msl->mkl", scaled, mixed), (second - np.einsum("msk,ms->mk", scaled, first))[:, :, None]
    )[:, :, 0]
    constants = first / diagonal - np.einsum("msk,mk->ms", scaled, slopes)
    return models._replace(
        constants=models.constants + np.clip(constants, -1.0, 1.0), slopes=models.slopes + np.clip(slopes, -1.0, 1.0)
    )
