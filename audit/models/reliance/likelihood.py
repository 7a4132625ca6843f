"""The logistic mixed model with an intercept of each item's own: likelihood, blocks and fit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_expit, logsumexp

from hansproof.audit.models.reliance.estimate import GroupedEstimate, of_items
from hansproof.audit.models.reliance.parts import PartedAnswers

__all__ = ["Answers", "Block", "Fit", "answers_of", "beside_others", "fitted", "plain"]

#     logit P(model j is right on item i) = constant of j and the gold answer + beta x_i + gamma d_i + sigma u_i
#
# x is 1 where the probe is right, d the item's difficulty, u standard normal. The integral over u is taken by adaptive
# Gauss-Hermite quadrature (Liu and Pierce 1994; Pinheiro and Bates 1995): with many answers to an item its posterior is
# too narrow for nodes that are the same for all. Derivatives are those of the integral (Louis 1982).

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(21)
_LOGGED: Final = np.log(_WEIGHTS / _WEIGHTS.sum()) + 0.5 * _NODES**2
"""The logarithm of the likelihood of an item is that of `scipy.integrate.quad` to 1e-5 up to a sigma of 3."""
_MODE_STEPS: Final = 30
"""To the mode of an item's intercept; the function is concave, and few are needed."""


class Block(NamedTuple):
    """Answers of J models to N items, with parameters of their own but for beta."""

    right: Floats
    """(N, J): 1 right, 0 wrong, between for the mean of several runs; 0 where `known` is."""
    known: Floats
    """(N, J): 1, or 0 for answers that are not there."""
    probe: Floats
    """(N,)"""
    difficulty: Floats | None
    """(N,)"""
    stratum: Ints
    """(N,): the number of the gold answer, from 0 to S - 1."""
    constants: Floats
    """(S, J, C): 1 where a model has a constant on items of a stratum."""
    groups: Ints
    """(N,)"""
    random: bool
    """Whether items have an intercept of their own; if not, sigma is 0."""

    @property
    def sloped(self) -> int:
        """How many parameters come before the constants: beta, and gamma and sigma if there are any."""
        return 1 + (self.difficulty is not None) + self.random

    @property
    def size(self) -> int:
        """How many parameters there are, P: beta, gamma, sigma, C constants."""
        return self.sloped + int(self.constants.shape[2])


class Likelihood(NamedTuple):
    """Of one block, by its P parameters."""

    value: float
    """The logarithm."""
    gradient: Floats
    """(P,)"""
    hessian: Floats
    """(P, P)"""


class _Integral(NamedTuple):
    """Of N items, at Q nodes each."""

    nodes: Floats
    """(N, Q): values of u."""
    posterior: Floats
    """(N, Q): their weights, given the answers."""
    residual: Floats
    """(N, Q, J)"""
    variance: Floats
    """(N, Q, J)"""
    logged: Floats
    """(N,)"""


def likelihood(block: Block, parameters: Floats) -> Likelihood:
    """The logarithm of the likelihood at (P,) `parameters`, with its first and second derivatives."""
    at = _integral(block, parameters)
    slopes = _by(block, at.nodes)
    total, spread = at.residual.sum(axis=2), at.variance.sum(axis=2)
    models, sloped = block.right.shape[1], block.sloped
    gradient, hessian = np.zeros(block.size), np.zeros((block.size, block.size))
    for stratum, constants in enumerate(block.constants):
        rows = np.flatnonzero(block.stratum == stratum)
        weight, by, variance = at.posterior[rows], slopes[rows], at.variance[rows]
        score = np.concatenate([by * total[rows, :, None], at.residual[rows]], axis=2)
        mean = np.einsum("nq,nqk->nk", weight, score)
        weighted = (score * weight[:, :, None]).reshape(-1, sloped + models)
        second = weighted.T @ score.reshape(-1, sloped + models) - mean.T @ mean
        held = weight * spread[rows]
        second[:sloped, :sloped] -= np.einsum("nq,nqk,nql->kl", held, by, by, optimize=True)
        mixed = np.einsum("nqk,nqj->kj", by * weight[:, :, None], variance, optimize=True)
        second[:sloped, sloped:] -= mixed
        second[sloped:, :sloped] -= mixed.T
        second[sloped:, sloped:] -= np.diag(np.einsum("nq,nqj->j", weight, variance, optimize=True))
        places = np.zeros((sloped + models, block.size))
        places[:sloped, :sloped] = np.eye(sloped)
        places[sloped:, sloped:] = constants
        gradient += places.T @ mean.sum(axis=0)
        hessian += places.T @ second @ places
    return Likelihood(float(at.logged.sum()), gradient, hessian)


def towards(block: Block, parameters: Floats, direction: Floats) -> tuple[Floats, Floats]:
    """What each item adds to the first and to minus the second derivative in a (P,) `direction`: (N,) and (N,)."""
    at = _integral(block, parameters)
    constants = (block.constants @ direction[block.sloped :])[block.stratum]
    eta = constants[:, None, :] + (_by(block, at.nodes) @ direction[: block.sloped])[:, :, None]
    score = (at.residual * eta).sum(axis=2)
    mean = (at.posterior * score).sum(axis=1)
    second = (at.posterior * (score**2 - (at.variance * eta**2).sum(axis=2))).sum(axis=1) - mean**2
    return mean, -second


def _by(block: Block, nodes: Floats) -> Floats:
    """(N, Q, K): what beta, gamma and sigma are multiplied by."""
    fixed = [block.probe] if block.difficulty is None else [block.probe, block.difficulty]
    columns = [np.broadcast_to(values[:, None], nodes.shape) for values in fixed]
    return np.stack([*columns, nodes] if block.random else columns, axis=2)


def _integral(block: Block, parameters: Floats) -> _Integral:
    eta = (block.constants @ parameters[block.sloped :])[block.stratum] + parameters[0] * block.probe[:, None]
    if block.difficulty is not None:
        eta = eta + parameters[1] * block.difficulty[:, None]
    sigma = float(parameters[block.sloped - 1]) if block.random else 0.0
    nodes, weights = _nodes(block, eta, sigma) if block.random else (np.zeros((len(eta), 1)), np.zeros((len(eta), 1)))
    every = eta[:, None, :] + sigma * nodes[:, :, None]
    share = expit(every)
    answers = (block.known[:, None, :] * (block.right[:, None, :] * every + log_expit(-every))).sum(axis=2) + weights
    logged = logsumexp(answers, axis=1)
    return _Integral(
        nodes,
        np.exp(answers - logged[:, None]),
        block.known[:, None, :] * (block.right[:, None, :] - share),
        block.known[:, None, :] * share * (1 - share),
        logged,
    )


def _nodes(block: Block, eta: Floats, sigma: float) -> tuple[Floats, Floats]:
    """(N, Q) nodes around the mode of each item's u, as wide as its curvature has it; the logarithm of the weights."""
    mode = np.zeros(len(eta))
    for _ in range(_MODE_STEPS):
        share = expit(eta + sigma * mode[:, None])
        curvature = 1 + sigma**2 * (block.known * share * (1 - share)).sum(axis=1)
        step = (sigma * (block.known * (block.right - share)).sum(axis=1) - mode) / curvature
        mode += np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-8:
            break
    share = expit(eta + sigma * mode[:, None])
    scale = 1 / np.sqrt(1 + sigma**2 * (block.known * share * (1 - share)).sum(axis=1))
    nodes = mode[:, None] + scale[:, None] * _NODES
    return nodes, _LOGGED - 0.5 * nodes**2 + np.log(scale)[:, None]


# Difficulty is the logit of the share of other models that are right, on which easiness adds up as ability does (Rasch
# 1960). It comes from models of other families alone: from all models but the one that answers, it would say who is
# right, because the wrong answers to an item have one more right answer beside them.

_CELLS: Final = 100
"""Constants up to which each model has one for each gold answer; with more, models and gold answers add up."""
_SHARED: Final = 0.9
"""Of the items that a family answered, what another model must have answered to tell their difficulty."""
_REPEATED: Final = 10
"""Items with two answers or more, below which nothing tells the spread of their intercepts."""


class Answers(NamedTuple):
    """What M models answered to the N items of a benchmark: the means over their styles and runs."""

    parted: PartedAnswers
    right: Floats
    """(N, M): NaN where there is no answer."""
    models: NDArray[np.str_]
    """(M,)"""
    families: NDArray[np.str_]
    """(M,)"""


def answers_of(parted: PartedAnswers) -> Answers:
    """Styles and runs of a model are one answer: they are no more independent than the answers of a copy."""
    models = list(dict.fromkeys(series.model for series in parted.series))
    columns, families = [], []
    for model in models:
        own = [place for place, series in enumerate(parted.series) if series.model == model]
        known = ~np.isnan(parted.right[:, own])
        total = np.where(known, parted.right[:, own], 0.0).sum(axis=1)
        count = known.sum(axis=1)
        columns.append(np.where(count > 0, total / np.maximum(count, 1), np.nan))
        families.append(parted.series[own[0]].family or model)
    return Answers(parted, np.stack(columns, axis=1), np.array(models), np.array(families))


def plain(answers: Answers, family: str | None = None, start: int = 0) -> list[Block]:
    """One block, of all models or those of a family, without the difficulty of the items; none without answers.

    `start` is the number of the first group, so that those of several benchmarks have different ones.
    """
    of = np.ones(len(answers.models), dtype=np.bool_) if family is None else answers.families == family
    return _block(answers, of, np.arange(len(answers.right)), None, start)


def beside_others(answers: Answers, family: str, left_out: Collection[str], start: int = 0) -> list[Block]:
    """The block of a family, with the difficulty that models of other families tell, but for those `left_out`.

    In a benchmark with a single family each model is a block, beside the others. None where nobody can tell.
    """
    mine = np.asarray(answers.families == family)
    blocks = []
    for of in [mine] if (~mine).any() else list(np.eye(len(mine), dtype=np.bool_)):
        answered = ~np.isnan(answers.right[:, of]).all(axis=1)
        if not answered.any():
            continue
        known = ~np.isnan(answers.right)
        others = ~of & ~np.isin(answers.models, list(left_out)) & (known[answered].mean(axis=0) >= _SHARED)
        rows = np.flatnonzero(answered & known[:, others].all(axis=1))
        if not others.any() or not len(rows):
            continue
        count = int(others.sum())
        share = (answers.right[np.ix_(rows, others)].sum(axis=1) + 0.5) / (count + 1)
        told = np.log(share / (1 - share))
        blocks += _block(answers, of, rows, told - told.mean(), start)
    return blocks


def _block(
    answers: Answers, of: NDArray[np.bool_], rows: NDArray[np.int64], difficulty: Floats | None, start: int
) -> list[Block]:
    """Models that are always right, or always wrong, with a gold answer say nothing there and are left out."""
    right = answers.right[np.ix_(rows, of)]
    stratum = np.unique(answers.parted.gold[rows], return_inverse=True)[1]
    strata = int(stratum.max(initial=-1)) + 1
    every, hits = np.zeros((strata, right.shape[1])), np.zeros((strata, right.shape[1]))
    np.add.at(every, stratum, ~np.isnan(right))
    np.add.at(hits, stratum, np.nan_to_num(right))
    varies = (hits > 1e-9) & (hits < every - 1e-9)
    if varies.sum() > _CELLS:
        models = np.asarray((hits.sum(axis=0) > 1e-9) & (hits.sum(axis=0) < every.sum(axis=0) - 1e-9))
        golds = np.asarray((hits.sum(axis=1) > 1e-9) & (hits.sum(axis=1) < every.sum(axis=1) - 1e-9))
        varies = (every > 0) & models & golds[:, None]
        constants = _added(varies)
    else:
        constants = np.zeros((*varies.shape, int(varies.sum())))
        constants[(*np.nonzero(varies), np.arange(int(varies.sum())))] = 1.0
    known = (~np.isnan(right) & varies[stratum]).astype(np.float64)
    kept = known.any(axis=1)
    if not kept.any():
        return []
    known = known[kept]
    return [
        Block(
            np.where(known > 0, right[kept], 0.0),
            known,
            answers.parted.probe_right[rows][kept],
            None if difficulty is None else difficulty[kept],
            stratum[kept],
            constants,
            answers.parted.groups[rows][kept] + start,
            random=bool((known.sum(axis=1) > 1).sum() >= _REPEATED),
        )
    ]


def _added(varies: NDArray[np.bool_]) -> Floats:
    """(S, J, C): a constant for each model, and one for each gold answer but the first."""
    golds, models = varies.shape
    constants = np.zeros((golds, models, models + golds - 1))
    constants[:, np.arange(models), np.arange(models)] = 1.0
    constants[np.arange(1, golds), :, models + np.arange(golds - 1)] = 1.0
    constants *= varies[:, :, None]
    return constants[:, :, constants.any(axis=(0, 1))]


# Blocks share the coefficient of the probe. Its error adds up the scores of a group, over all blocks of a benchmark,
# however they depend on each other (White 1982). So there are no intercepts of groups: the likelihood of each item is
# right whatever the items of a group have in common (a composite likelihood, Varin, Reid and Firth 2011).

_FIT_STEPS: Final = 100
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
    if not any(_contrast(block) for block in blocks):
        return Fit(None, "the probe is right, or wrong, on all items with the same gold answer")
    joint = _Joint(blocks)
    reached = minimize(
        joint.value, joint.beginning(), jac=joint.gradient, hess=joint.hessian, method="trust-exact",
        options={"gtol": 1e-5, "maxiter": _FIT_STEPS},
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
