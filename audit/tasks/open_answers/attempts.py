"""Every strategy on every item of groups that it never saw, and its advantage over chance.

The advantage is kappa with the share that chance gets right in the place of expected agreement: (a - c) / (1 - c),
where a is the share that the strategy gets right. It is a smooth function of two means over the same items, so its
error is a sum of one contribution per item (the delta method), added up within groups. Interval, bound and p come from
that one standard error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.kappas import number
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.tasks import StrategyResult
from hansproof.audit.statistics.intervals import Errors, degrees_of_freedom, effective_groups, simultaneous
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.open_answers.golds import NOTHING, Golds, Ints, Wordings
from hansproof.audit.tasks.open_answers.learners import Learner, crossfit, learners
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.tasks.open_answers.strategies import Strategy, alternatives, fixed_strategies

__all__ = ["Attempt", "Attempts", "advantages", "attempt", "measured", "refitted", "without_the_best"]

Floats = NDArray[np.float64]
Kind = Literal["fixed", "learnt"]

_FEW = 10
"""With hits in fewer groups than this, the normal interval ends too early: Clopper and Pearson's (1934) joins it."""


@dataclass(frozen=True)
class Attempt:
    """One strategy on n items."""

    name: str
    description: str
    kind: Kind
    right: Floats
    """(n,) share of the splits in which it was right."""
    texts: Ints
    """(n,) numbers of its guesses in the first split; -1 for none."""
    f1: float
    """Mean token F1 of these."""


@dataclass(frozen=True)
class Attempts:
    """Chance, and every strategy that has an answer to some item and differs from those before it."""

    constant: Attempt
    """The most common answer of all items."""
    chance: Attempt
    """The constant, or one of the alternatives that the question of an item offers, whichever is right more often."""
    offered: int
    """Items whose question offers alternatives, if one of these is chance; else 0."""
    strategies: list[Attempt]
    wordings: Wordings
    learners: dict[str, Learner]
    """Those that learn, by name."""


def attempt(readings: Sequence[Reading], golds: Golds, groups: Ints, settings: Settings) -> Attempts:
    """Try everything that suits the answers. `readings` and `groups` (n,) are in the order of the golds."""
    wordings, items = Wordings(golds), np.arange(len(groups))

    def of(
        name: str, text: str, kind: Literal["fixed", "learnt"], guesses: Ints, right: Floats | None = None
    ) -> Attempt:
        right = wordings.right(guesses).astype(np.float64) if right is None else right
        return Attempt(name, text, kind, right, guesses, float(wordings.f1(guesses, items).mean()))

    strategies = [of(name, way.description, "fixed", guesses) for name, way, guesses in _fixed(readings, wordings)]
    learning = learners(readings, wordings)
    right, first = crossfit(learning, groups, wordings.right, settings, scheme="folds", splits=settings.splits)
    strategies += [of(way.name, way.description, "learnt", first[at], right[at]) for at, way in enumerate(learning)]
    # Asked of the items that it was counted on. Counted on the training folds, it would be right less often than by
    # chance where all answers are about as common: what training folds have most of is what the fold in question lacks.
    constant = of("constant", "always the most common answer", "fixed", np.full(len(items), golds.common))
    guessing = _alternatives(readings, wordings, constant)
    better = guessing.right.mean() > constant.right.mean()
    offered = sum(bool(alternatives(reading.question)) for reading in readings) if better else 0
    by_name = {way.name: way for way in learning}
    return Attempts(constant, guessing if better else constant, offered, strategies, wordings, by_name)


def _alternatives(readings: Sequence[Reading], wordings: Wordings, constant: Attempt) -> Attempt:
    """One of the k alternatives that a question offers, at random: right for 1/k of the item; else the constant."""
    offered = [[wordings.of(text) for text in alternatives(reading.question)] for reading in readings]
    given = [guesses or [int(constant.texts[at])] for at, guesses in enumerate(offered)]
    many = np.array([len(guesses) for guesses in given])
    item, guesses = np.repeat(np.arange(len(given)), many), np.concatenate([np.array(row) for row in given])
    right, f1s = (
        np.bincount(item, weights=scores) / many
        for scores in (wordings.right(guesses, item), wordings.f1(guesses, item))
    )
    first = np.array([guesses[0] for guesses in given])
    return Attempt("alternatives", "one of the alternatives", "fixed", right, first, float(f1s.mean()))


def _fixed(readings: Sequence[Reading], wordings: Wordings) -> list[tuple[str, Strategy, Ints]]:
    """Name, strategy and guesses of what learns nothing.

    Without those that have no answer to any item, and those that are right where an earlier one is right.
    """
    kept, seen = [], set()
    for name, way in fixed_strategies(wordings.golds).items():
        guesses = np.array([wordings.of(way.give(reading)) for reading in readings])
        answers = wordings.gold[guesses]
        told = (answers if (answers >= 0).any() else guesses).tobytes()
        if (guesses != NOTHING).any() and told not in seen:
            seen.add(told)
            kept.append((name, way, guesses))
    return kept


def measured(attempts: Attempts, groups: Ints, settings: Settings) -> list[StrategyResult]:
    """The strategies with their numbers, largest advantage first."""
    tried = attempts.strategies
    beyond = advantages(
        np.stack([way.right for way in tried]),
        attempts.chance.right,
        groups,
        np.array([1.0 if way.kind == "fixed" else refitted(settings.folds) for way in tried]),
        leak_alpha=settings.leak_alpha,
        random=seeded(settings.seed, "open-ended", "bounds"),
    )
    results = [
        StrategyResult(
            name=way.name,
            description=way.description,
            kind=way.kind,
            answered=float((way.texts != NOTHING).mean()),
            exact=float(way.right.mean()),
            f1=way.f1,
            advantage=number(beyond.value[at]),
            low=number(beyond.low[at]),
            high=number(beyond.high[at]),
            bound=number(beyond.bound[at]),
            p_corrected=float(beyond.p[at]),
        )
        for at, way in enumerate(tried)
    ]
    return sorted(results, key=lambda way: -2.0 if way.advantage is None else -way.advantage)


@dataclass(frozen=True)
class Advantages:
    """Of V strategies. No number is below -1, although (a - c) / (1 - c) would be where c is above one half."""

    value: Floats
    """(V,) (a - c) / (1 - c); NaN, as all other numbers are, if chance is always right."""
    low: Floats
    """(V,) ends of 95 % intervals over groups; NaN with fewer than two groups."""
    high: Floats
    bound: Floats
    """(V,) lower bounds that hold for all strategies at once, at the level of `leak_alpha`."""
    p: Floats
    """(V,) no better than chance, corrected for all strategies (max-T); twice the one-sided p, so at 2 `leak_alpha` the
    bound is 0, and no interval that includes 0 stands beside a p below .05. 1 where it cannot be tested."""


def refitted(folds: int) -> float:
    """By how much the interval of what learns in so many folds is widened: the square root of 1 + folds / (folds - 1).

    Items scored by one fit share its chances. The variance over items knows nothing of that, and no estimate without
    bias exists (Bengio and Grandvalet 2004); the factor is Nadeau and Bengio's (2003).
    """
    return float(np.sqrt(1 + folds / (folds - 1)))


def advantages(
    right: Floats, chance: Floats, groups: Ints, stretch: Floats, *, leak_alpha: float, random: np.random.Generator
) -> Advantages:
    """The advantages of V strategies over chance.

    `right` (V, n) and `chance` (n,) are the shares, 0 to 1, in which each item is answered rightly, over splits or over
    guesses; `stretch` (V,) widens errors, 1 for what learns nothing.
    """
    share, base = right.mean(axis=1), float(chance.mean())
    count = int(groups.max()) + 1
    undefined = np.full(len(right), np.nan)
    if base >= 1:
        return Advantages(undefined, undefined, undefined, undefined, np.ones(len(right)))
    value = (share - base) / (1 - base)
    parts = ((right - share[:, None]) - (1 - value[:, None]) * (chance - base)) / (1 - base) / len(chance)
    influence: Floats = np.stack([np.bincount(groups, weights=row, minlength=count) for row in parts])
    together = (influence**2).sum(axis=1)
    degrees = degrees_of_freedom(groups, together, (parts**2).sum(axis=1))
    if count < 2 or degrees <= 0:
        return Advantages(np.maximum(value, -1.0), undefined, undefined, undefined, np.ones(len(right)))
    degrees = max(degrees, 1.0)
    se = np.sqrt(together * count / (count - 1)) * stretch
    se[(right == 1).all(axis=1)] = _never_wrong(groups, base, degrees)
    errors = Errors(influence, se, degrees, stretch)
    bound, p = simultaneous(value, errors, 1 - leak_alpha, random)
    half = errors.half_width()
    high = np.fmax(value + half, _few_hits(right, base, groups))
    value, low, high, bound = (np.clip(numbers, -1.0, 1.0) for numbers in (value, value - half, high, bound))
    return Advantages(value, low, high, bound, np.minimum(2 * p, 1.0))


def _never_wrong(groups: Ints, base: float, degrees: float) -> float:
    """Standard error whose 95 % interval begins where Clopper and Pearson's does, where no group has an error."""
    from scipy.stats import t

    return float((1 - 0.025 ** (1 / effective_groups(groups))) / (1 - base) / t.ppf(0.975, degrees))


def _few_hits(right: Floats, base: float, groups: Ints) -> Floats:
    """(V,) upper ends that hold where hits are few: those of Clopper and Pearson over the effective number of groups.

    NaN where more than a few groups have hits. Without a hit among 100 groups it is .036 before the share of chance is
    taken off.
    """
    from scipy.stats import beta

    trials = effective_groups(groups)
    few = np.array([(np.bincount(groups, weights=row) > 0).sum() < _FEW for row in right])
    hits = right.mean(axis=1) * trials
    top = beta.ppf(0.975, hits + 1, np.maximum(trials - hits, 1e-9))
    return np.where(few, (top - base) / (1 - base), np.nan)


def without_the_best(right: Floats, chance: Floats, clusters: Ints) -> float:
    """The smallest advantage (n,) that is left when one of the clusters (n,) is left out; NaN with a single one.

    What learns nothing is as good without the texts of a cluster as with them, so leaving clusters out of training
    shows nothing: this shows whether it works in one cluster alone.
    """
    size = np.bincount(clusters)
    if len(size) < 2:
        return float("nan")
    share = (right.sum() - np.bincount(clusters, weights=right)) / (len(right) - size)
    base = (chance.sum() - np.bincount(clusters, weights=chance)) / (len(right) - size)
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.nanmin(np.where(base < 1, (share - base) / (1 - base), np.nan)))
