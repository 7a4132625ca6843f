"""Item response models for few models and many items: the items are random, the abilities of the models are not.

Bock and Aitkin (1981) integrate over persons, because they have many, and estimate each item. Benchmarks are the other
way round: three to a hundred models answer hundreds of items, so that an item's parameters are all but unknown, and
abilities are well known. So the sides are exchanged: the two parameters of an item are integrated over a grid, under
normal priors that the benchmark itself estimates, and abilities are fitted by EM. (girth and py-irt integrate over, or
vary, persons under fixed priors; with ten models their slopes run to the bounds.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, gammaln, logsumexp

__all__ = ["Fit", "Golds", "dependence_weights", "fit_curves", "suspect_golds"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_ITERATIONS: Final = 40
_SETTLED: Final = 1e-3
"""Change of the abilities at which the fit ends."""
_CHUNK: Final = 2_000
"""Items that are worked on at once, which bounds memory."""
_LEAST_SPREAD: Final = 0.3
"""Of a prior: with few models, maximum likelihood would let it vanish."""
_ABILITY_SPREAD: Final = 3.0
"""Of the prior of abilities, in logits: only one that gets all items right would not be finite without it."""


@dataclass(frozen=True)
class Curves:
    """A grid of G curves, P(right) = 1 / (1 + exp(-(slope * ability + ease))), with their prior."""

    slope: Floats
    """(G,)"""
    ease: Floats
    """(G,): the logit of a right answer of an average model."""
    prior: Floats
    """(G,): logarithms, which sum to 1 as probabilities."""

    @classmethod
    def over(cls, slopes: Floats, many: int = 25) -> Curves:
        """Every slope with so many eases from -6 to 6, before a benchmark was seen."""
        eases = np.linspace(-6, 6, many)
        slope, ease = (axis.ravel() for axis in np.meshgrid(slopes, eases, indexing="ij"))
        return cls(slope, ease, np.zeros(0)).centred(float(np.median(slopes)), 1.0, 0.0, 2.0)

    def centred(self, slope: float, slope_spread: float, ease: float, ease_spread: float) -> Curves:
        """The same curves under independent normal priors with these means and standard deviations."""
        logs = -0.5 * (((self.slope - slope) / slope_spread) ** 2 + ((self.ease - ease) / ease_spread) ** 2)
        return replace(self, prior=logs - logsumexp(logs))

    def learnt(self, mass: Floats) -> Curves:
        """The same curves under the priors that fit the posterior `mass` (G,) of all items best (the M-step)."""
        share = mass / mass.sum()
        moments = []
        for axis in (self.slope, self.ease):
            mean = float(share @ axis)
            moments += [mean, max(float(np.sqrt(share @ (axis - mean) ** 2)), _LEAST_SPREAD)]
        return self.centred(*moments)

    def logs(self, ability: Floats) -> tuple[Floats, Floats]:
        """(S, G) twice: the logarithms of a right and of a wrong answer."""
        logit = ability[:, None] * self.slope + self.ease
        return -np.logaddexp(0, -logit), -np.logaddexp(0, logit)


_SLOPES: Final = np.linspace(-2, 4, 25)
_RISING: Final = np.linspace(0.25, 3.75, 8)
"""Slopes of an answer that is right; they and 17 eases are enough to integrate over."""


@dataclass(frozen=True)
class Fit:
    """N items and S models under one or two parameters."""

    ability: Floats
    """(S,): mean 0; with two parameters standard deviation 1."""
    slope: Floats
    """(N,): posterior means; 1 under one parameter."""
    slope_se: Floats
    """(N,): posterior standard deviations."""
    ease: Floats
    ease_se: Floats
    expected: Floats
    """(N, S): the posterior mean of P(right)."""


def _slices(count: int) -> Iterator[slice]:
    """Parts of `count` items."""
    return (slice(start, start + _CHUNK) for start in range(0, count, _CHUNK))


def fit_curves(right: Floats, weights: Floats, *, slopes: bool = True) -> Fit:
    """One or, with `slopes`, two parameters of each item, as posterior means.

    `right` (N, S) is 1, 0 or NaN where a model was not asked; `weights` (S,) say how much of an independent model each
    one is. Deterministic. The grid has 25 eases, so that a difficulty beyond 6 logits is one of 6.
    """
    curves = Curves.over(_SLOPES if slopes else np.ones(1))
    ability = _start(right, scaled=slopes)
    for _ in range(_ITERATIONS):
        log_right, log_wrong = curves.logs(ability)
        mass, hits, misses = np.zeros(len(curves.slope)), np.zeros(log_right.shape), np.zeros(log_right.shape)
        for part in _slices(len(right)):
            posterior = _posterior(right[part], weights, log_right, log_wrong, curves.prior)
            mass += posterior.sum(axis=0)
            hits += (right[part] == 1).T.astype(np.float64) @ posterior
            misses += (right[part] == 0).T.astype(np.float64) @ posterior
        moved = _moved(ability, curves, hits, misses, scaled=slopes)
        curves, change, ability = curves.learnt(mass), float(np.abs(moved - ability).max()), moved
        if change < _SETTLED:
            break
    log_right, log_wrong = curves.logs(ability)
    posteriors = [_posterior(right[part], weights, log_right, log_wrong, curves.prior) for part in _slices(len(right))]
    values = []
    for axis in (curves.slope, curves.ease):
        mean = np.concatenate([each @ axis for each in posteriors])
        square = np.concatenate([each @ axis**2 for each in posteriors])
        values += [mean, np.sqrt(np.maximum(square - mean**2, 0))]
    expected = np.concatenate([each @ np.exp(log_right).T for each in posteriors])
    slope, slope_se, ease, ease_se = values
    return Fit(ability, slope, slope_se, ease, ease_se, expected)


def _start(right: Floats, *, scaled: bool) -> Floats:
    hits, asked = np.nansum(right, axis=0), (~np.isnan(right)).sum(axis=0)
    return _standardised(np.log((hits + 0.5) / (asked - hits + 0.5)), scaled=scaled)


def _standardised(ability: Floats, *, scaled: bool) -> Floats:
    centred = ability - ability.mean()
    spread = float(centred.std())
    return np.asarray(centred / spread if scaled and spread > 0 else centred)


def _posterior(right: Floats, weights: Floats, log_right: Floats, log_wrong: Floats, prior: Floats) -> Floats:
    """(n, G): of the curve of each item."""
    logs = ((right == 1) * weights) @ log_right + ((right == 0) * weights) @ log_wrong + prior
    return np.asarray(np.exp(logs - logsumexp(logs, axis=1, keepdims=True)))


def _moved(ability: Floats, curves: Curves, hits: Floats, misses: Floats, *, scaled: bool) -> Floats:
    """(S,): abilities after three steps of Newton's on the expected log likelihood."""
    asked = hits + misses
    for _ in range(3):
        p = expit(ability[:, None] * curves.slope + curves.ease)
        first = ((hits - asked * p) * curves.slope).sum(axis=1) - ability / _ABILITY_SPREAD**2
        second = (asked * p * (1 - p) * curves.slope**2).sum(axis=1) + 1 / _ABILITY_SPREAD**2
        ability = ability + np.clip(first / second, -1, 1)
    return _standardised(ability, scaled=scaled)


# Models of one family err together, and ten of them are no ten witnesses.

_NOISE: Final = 3.0
"""Standard errors below which a correlation counts as none."""
_FAMILY: Final = 0.5
"""The least correlation of the errors of two models that are declared to be one family, or are one model."""


def dependence_weights(right: Floats, expected: Floats, families: Ints) -> Floats:
    """(S,): how much of an independent model each is, 1 over the sum of its correlations with all, itself included.

    Correlations are those of standardised residuals, right less `expected` (N, S); one within the noise of N items
    counts as none. Models with the same number in `families` are taken for correlated by half at least.
    """
    spread = np.sqrt(np.maximum(expected * (1 - expected), 1e-3))
    residual = np.where(np.isnan(right), 0.0, (right - expected) / spread)
    # Once a benchmark has estimated its items, residuals sum to about 0 over models, as if all disagreed a little.
    norms = np.sqrt((residual**2).sum(axis=0))
    alike = (residual.T @ residual) / np.maximum(np.outer(norms, norms), 1e-12)
    alike[alike < _NOISE / np.sqrt(max(len(right), 1))] = 0.0
    same = families[:, None] == families
    alike = np.where(same, np.maximum(alike, _FAMILY), alike)
    np.fill_diagonal(alike, 1.0)
    return np.asarray(1 / alike.sum(axis=1))


# Which answer is the right one? Each hypothesis says which answer abler models give more often; how the others divide
# among the remaining answers is Dirichlet-multinomial, so that an attractive wrong answer is no surprise.

_ALPHAS: Final = (0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.5, 4.0, 8.0)
"""Concentrations of wrong answers that are tried: the smaller, the more alike the wrong answers to an item are."""
_EVEN: Final = 5.0
"""Concentration of how models divide between two answers that are equally right: about half and half."""
_DOUBT: Final = (0.5, 9.5)
"""Beta prior of the share of wrong golds: as if half of ten items had been."""
_AMBIGUOUS: Final = 0.02
"""Prior share of ambiguous items. Answers cannot tell it: EM makes it .03 to .15 where none is, because a wrong answer
that tempts half of the models looks like a second right one."""


@dataclass(frozen=True)
class Golds:
    """What the answers of S models say of the golds of N items."""

    wrong: Floats
    """(N,): the posterior that another answer is the right one."""
    other: Ints
    """(N,): which one most likely is; -1 where there is no other."""
    ambiguous: Floats
    """(N,): the posterior that the gold and another answer are equally right."""
    share_wrong: float
    """The prior share of wrong golds, as the benchmark itself has it."""


def suspect_golds(said: Ints, gold: Ints, options: Ints, ability: Floats, weights: Floats) -> Golds:
    """Posteriors of wrong golds, under a share that EM estimates from the benchmark itself, and of ambiguous items.

    `said` (N, S) numbers the answers from 0 below `options` (N,), negative where there is no clear one; `gold` (N,) is
    numbered likewise; `ability` (S,) is that of `fit_curves`. Meant for three options or more. After Dawid and Skene
    (1979), with one curve for all models in place of a table of confusion for each.
    """
    most = int(options.max())
    curves = Curves.over(_RISING, 17)
    voices = np.stack([((said == place) * weights) for place in range(most)], axis=1)  # (N, K, S)
    counts = voices.sum(axis=2)
    known = np.arange(most) < options[:, None]
    is_gold = np.arange(most) == gold[:, None]
    golden = np.take_along_axis(voices, gold[:, None, None], axis=1)  # (N, 1, S)
    single, double = (_Likelihoods.of(each, voices.sum(axis=1), curves, ability) for each in (voices, voices + golden))
    shares = np.array([0.95 - _AMBIGUOUS, 0.05, _AMBIGUOUS])
    for _ in range(_ITERATIONS):
        before, marginals = shares, (single.marginal(curves.prior), double.marginal(curves.prior))
        tried = (_hypotheses(counts, known, is_gold, options, marginals, alpha) for alpha in _ALPHAS)
        _, share = max((_weighed(logs, shares, options) for logs in tried), key=lambda pair: pair[0])
        doubted = (float(share[1].sum()) + _DOUBT[0]) / (len(said) + sum(_DOUBT))
        shares = np.array([1 - doubted - _AMBIGUOUS, doubted, _AMBIGUOUS])
        curves = curves.learnt(single.mass(share[0] + share[1], curves.prior) + double.mass(share[2], curves.prior))
        if float(np.abs(shares - before).max()) < _SETTLED:
            break
    wrong, ambiguous = share[1].sum(axis=1), share[2].sum(axis=1)
    likeliest = np.where(ambiguous > wrong, share[2].argmax(axis=1), share[1].argmax(axis=1))
    other = np.where(options > 1, likeliest, -1).astype(np.int64)
    return Golds(wrong, other, ambiguous, float(shares[1]))


class _Likelihoods(NamedTuple):
    """Of N items, K answers and G curves: that just the models which give an answer give the right one."""

    scaled: Floats
    """(N, K, G): 1 at the likeliest curve."""
    most: Floats
    """(N, K): the log likelihood of that curve."""

    @classmethod
    def of(cls, right: Floats, everyone: Floats, curves: Curves, ability: Floats) -> _Likelihoods:
        """Of weighted voices for each answer (N, K, S), and of `everyone` who answers (N, S)."""
        log_right, log_wrong = curves.logs(ability)
        logs = right @ (log_right - log_wrong) + (everyone @ log_wrong)[:, None]
        most = logs.max(axis=2)
        return cls(np.exp(logs - most[:, :, None]), most)

    def marginal(self, prior: Floats) -> Floats:
        """(N, K): the log likelihood, integrated over the curves under a prior of logarithms."""
        return np.asarray(np.log(self.scaled @ np.exp(prior)) + self.most)

    def mass(self, share: Floats, prior: Floats) -> Floats:
        """(G,): the posterior mass of the curves, where each answer has its `share` (N, K) in being right."""
        weight = share / (self.scaled @ np.exp(prior))
        return np.asarray(np.einsum("nk,nkg->g", weight, self.scaled) * np.exp(prior))


def _hypotheses(
    counts: Floats, known: Bools, is_gold: Bools, options: Ints, marginals: tuple[Floats, Floats], alpha: float
) -> Floats:
    """(3, N, K): log likelihoods that the gold, another answer or both are right; -inf where there is no such answer.

    A Dirichlet-multinomial over m answers with counts c: log G(m alpha) - log G(m alpha + sum c) + sum of
    log G(alpha + c) - log G(alpha), G being the gamma function; counts are weighted, so that they need not be whole.
    """
    single, double = marginals
    own = np.where(known, gammaln(alpha + counts) - gammaln(alpha), 0.0)
    total, every = counts.sum(axis=1, keepdims=True), own.sum(axis=1, keepdims=True)
    at_gold = (counts * is_gold).sum(axis=1, keepdims=True)
    own_gold = (own * is_gold).sum(axis=1, keepdims=True)

    def spread(answers: Floats, said: Floats, sums: Floats) -> Floats:
        answers = np.maximum(answers, 1)
        return np.asarray(gammaln(answers * alpha) - gammaln(answers * alpha + said) + sums)

    left = (options[:, None] - 1).astype(np.float64)
    alone = single + spread(left, total - counts, every - own)
    halves = (
        gammaln(2 * _EVEN) - gammaln(2 * _EVEN + counts + at_gold)
        + gammaln(_EVEN + counts) + gammaln(_EVEN + at_gold) - 2 * gammaln(_EVEN)
    )  # fmt: skip
    both = double + halves + spread(left - 1, total - counts - at_gold, every - own - own_gold)
    others = known & ~is_gold
    return np.stack([
        np.where(is_gold, alone, -np.inf), np.where(others, alone, -np.inf), np.where(others, both, -np.inf)
    ])  # fmt: skip


def _weighed(logs: Floats, shares: Floats, options: Ints) -> tuple[float, Floats]:
    """The log evidence of all items, and their posteriors (3, N, K): each hypothesis has its prior, which its answers
    share."""
    each = np.stack([np.ones(len(options)), options - 1.0, options - 1.0])
    weighted = logs + (np.log(shares)[:, None] - np.log(np.maximum(each, 1)))[:, :, None]
    total = logsumexp(weighted, axis=(0, 2), keepdims=True)
    return float(total.sum()), np.exp(weighted - total)
