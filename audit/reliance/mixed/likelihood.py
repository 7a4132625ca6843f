"""The likelihood of answers under a logistic mixed model with an intercept of each item's own, and its derivatives.

    logit P(model j is right on item i) = constant of j and the gold answer + beta x_i + gamma d_i + sigma u_i

x is 1 where the probe is right, d the item's difficulty, and u is standard normal. The integral over u is taken by
Gauss-Hermite quadrature around the item's own mode (adaptive: Liu and Pierce 1994; Pinheiro and Bates 1995): with many
answers to an item its posterior is too narrow for nodes that are the same for all. Derivatives are those of the
integral (Louis 1982).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit, logsumexp

__all__ = ["Block", "Likelihood", "likelihood", "towards"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(21)
_LOGGED: Final = np.log(_WEIGHTS / _WEIGHTS.sum()) + 0.5 * _NODES**2
"""The logarithm of the likelihood of an item is that of `scipy.integrate.quad` to 1e-5 up to a sigma of 3."""
_STEPS: Final = 30
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
    for _ in range(_STEPS):
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
