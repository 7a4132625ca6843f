"""What of the difference between the parts the difficulty of the items does not explain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit, logit

from hansproof.audit.models.reliance.estimate import (
    MEASURABLE,
    GroupedEstimate,
    Rows,
    Side,
    effect_beyond,
    effective_degrees,
    shared,
    within,
)

__all__ = ["Beyond", "beyond", "proxy_sides", "strata_of_others"]

# Logistic curves with a sensitivity each (Birnbaum 1968), by marginal maximum likelihood (Bock and Aitkin 1981), in as
# many steps whatever the answers, so that no rounding error says when to stop. How easy items are is free on a grid of
# nodes, for each part separately (Mislevy 1984): nothing is assumed of how the parts differ.

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
        totals = np.stack([held[answers.part == which].sum(axis=0) for which in (0, 1)])
        weights = (totals + 0.001) / (totals + 0.001).sum(
            axis=1, keepdims=True
        )  # no share is 0, which has no logarithm
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


# What the halves of the other models stand for is nearly, but not exactly, a straight line or a parabola of their
# shares. Where the parts differ much in difficulty, what is left does not shrink with the number of items; so it is
# taken off.


def expected_effect(curves: Curves, halves: Sequence[NDArray[np.bool_]], power: int) -> float:
    """The effect that a fit with `power` (1 a line, 2 a parabola) shows where there is none; the mean over `halves`.

    `halves` (J,) say which of the others are the proxy; the rest are its instrument. 0 where the fit is not determined.
    """
    part = _within(np.array([0.0, 1.0])[None, :, None], curves)
    response = _within(curves.target[:, None, :], curves)
    effects = []
    for half in halves:
        powers = range(1, (power if min(half.sum(), (~half).sum()) > 1 else 1) + 1)
        given, stands = (
            [part, *(_within(_moment(curves, which, k)[:, None, :], curves) for k in powers)] for which in (half, ~half)
        )
        products = np.array([[float((curves.items * x * y).sum()) for y in given] for x in stands])
        targets = np.array([float((curves.items * x * response).sum()) for x in stands])
        if abs(np.linalg.det(products / np.abs(products).max())) < 1e-12:
            return 0.0
        effects.append(float(np.linalg.solve(products, targets)[0]))
    return float(np.mean(effects))


def _moment(curves: Curves, which: NDArray[np.bool_], power: int) -> Floats:
    """(S, Q): the mean of (share of the models that are right, less a half) to the `power`, at each node."""
    curve = curves.others[which]
    mean = curve.mean(axis=0) - 0.5
    if power == 1:
        return np.asarray(mean)
    noise = (curves.noise[which, None, None] * curve * (1 - curve)).sum(axis=0) / int(which.sum()) ** 2
    return np.asarray(mean**2 + noise)


def _within(values: Floats, curves: Curves) -> Floats:
    """`values`, each of an item, less their mean within strata: (S, 2, Q)."""
    items = curves.items
    means = (items * values).sum(axis=(1, 2), keepdims=True) / items.sum(axis=(1, 2), keepdims=True)
    return np.asarray(values - means)


# Items that the probe predicts may be easier for every reader, and stratifying by how many other models are right hides
# part of that: their answers are noisy. Noise is each model's own and difficulty is common, so the other models are
# halved; with a and b the shares of the halves that are right,
#
#     right = beyond * (the probe is right) + s1 a + s2 a^2 + a constant for each gold answer (and topic) + noise
#
# is fitted by two-stage least squares with b and b^2 as instruments for a and a^2, both ways round, averaged over
# halvings that part every two models (or families: models of one family may share mistakes) at least once. Where there
# are two families, one half is the model's own (`proxy_sides`). If answers follow a common difficulty, to which each
# model has a sensitivity of its own, `beyond` is 0; a model that gives the probe's answer on a share r of the items,
# beside others that do not, has r. What all models share cannot be told from difficulty, nor, unless the items declare
# their topics, what this model is better at than the others.

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
        Side(
            every,
            others[:, half].mean(axis=1) - 0.5,
            others[:, ~half].mean(axis=1) - 0.5,
            bool(min(half.sum(), (~half).sum()) > 1),
        )
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


def strata_of_others(others: Floats) -> Ints:
    """(n,): how many of the other models (n, J) are right, rounded; models of several runs count by their mean."""
    return np.asarray(np.rint(others.sum(axis=1)), dtype=np.int64)
