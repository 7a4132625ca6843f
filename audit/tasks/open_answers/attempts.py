"""Every strategy on every item of groups that it never saw, and its advantage over chance.

The advantage is kappa with the share that chance gets right in the place of expected agreement: (a - c) / (1 - c),
where a is the share that the strategy gets right. It is a smooth function of two means over the same items, so its
error is a sum of one contribution per item (the delta method), added up within groups. Interval, bound and p come from
that one standard error.

Grouped folds hide what can be learnt of one item of a template for another. So a strategy that remembers a template is
tried with its items parted by the folds, and what learns is taught anew without all texts that are similar.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.clusters import SPLITS, joined
from hansproof.audit.probes.kappas import number
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.tasks import StrategyResult, TemplateResult
from hansproof.audit.statistics.intervals import effective_groups, errors_of, simultaneous
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.statistics.shares import mean
from hansproof.audit.tasks.group_layout import GroupLayout
from hansproof.audit.tasks.open_answers.golds import NOTHING, Golds
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.tasks.open_answers.strategies import Strategy, by_template, crossfit, strategies
from hansproof.audit.texts.similarity import Partition
from hansproof.audit.verdict.rule import GROUPED_SHARE

__all__ = ["Attempts", "advantage_together", "attempt", "measure_templates", "measured"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_TEXTS = 4
"""Fewest texts of a template: that both items of a matched pair have one answer is a design, and they stay together."""


@dataclass(frozen=True)
class Attempts:
    """What V strategies and chance do on n items."""

    golds: Golds
    strategies: list[Strategy]
    """Those that have an answer to some item and differ from those before them."""
    right: Floats
    """(V, n) share of the splits in which each was right."""
    guesses: Ints
    """(V, n) numbers of their guesses in the first split; -1 for none."""
    constant: Floats
    """(n,) whether the most common answer of all items is right."""
    chance: Floats
    """(n,) the same, or the share of the alternatives that its question offers, whichever is right more often."""
    constant_f1: float
    """Mean token F1 of the two."""
    chance_f1: float
    offered: int
    """Items whose question offers alternatives, if one of these is chance; else 0."""

    def at(self, name: str) -> int:
        """The place of a strategy."""
        return next(at for at, way in enumerate(self.strategies) if way.name == name)


def attempt(readings: Sequence[Reading], golds: Golds, groups: Ints, settings: Settings) -> Attempts:
    """Try everything that suits the answers. `readings` and `groups` (n,) are in the order of the golds."""
    tried = strategies(readings, golds)
    right, guesses = crossfit(tried, groups, golds, settings, scheme="folds", splits=settings.splits)
    # Asked of the items that it was counted on. Counted on the training folds, it would be right less often than by
    # chance where all answers are about as common: what training folds have most of is what the fold in question lacks.
    constant, constant_f1 = _guessing([[golds.common]] * len(readings), golds)
    # One of the k alternatives that a question offers is right for 1/k of its item.
    offered = [[golds.of(text) for text in reading.alternatives] for reading in readings]
    chance, chance_f1 = _guessing([guesses or [golds.common] for guesses in offered], golds)
    if chance.mean() <= constant.mean():
        chance, chance_f1, offered = constant, constant_f1, []
    asked = sum(map(bool, offered))
    return Attempts(golds, tried, right, guesses, constant, chance, constant_f1, chance_f1, asked)


def _guessing(among: Sequence[Sequence[int]], golds: Golds) -> tuple[Floats, float]:
    """(n,) how often a random one of the guesses among which each item is answered is right, and its mean token F1."""
    many = np.array([len(guesses) for guesses in among])
    item, guesses = np.repeat(np.arange(len(among)), many), np.concatenate([np.array(row) for row in among])
    right, f1 = (
        np.bincount(item, weights=scores) / many for scores in (golds.right(guesses, item), golds.f1(guesses, item))
    )
    return right, float(f1.mean())


def measured(attempts: Attempts, groups: Ints, settings: Settings) -> list[StrategyResult]:
    """The strategies with their numbers, largest advantage first."""
    beyond = advantages(
        attempts.right,
        attempts.chance,
        groups,
        np.array([1.0 if way.kind == "fixed" else refitted(settings.folds) for way in attempts.strategies]),
        leak_alpha=settings.leak_alpha,
        random=seeded(settings.seed, "open-ended", "bounds"),
    )
    items = np.arange(len(groups))
    results = [
        StrategyResult(
            name=way.name,
            description=way.description,
            kind=way.kind,
            answered=float((guesses != NOTHING).mean()),
            exact=float(right.mean()),
            f1=float(attempts.golds.f1(guesses, items).mean()),
            **beyond.numbers(at),
        )
        for at, (way, guesses, right) in enumerate(
            zip(attempts.strategies, attempts.guesses, attempts.right, strict=True)
        )
    ]
    return sorted(results, key=lambda way: -2.0 if way.advantage is None else -way.advantage)


@dataclass(frozen=True)
class Advantages:
    """Of V strategies. No number is below -1, although (a - c) / (1 - c) would be where c is above one half."""

    value: Floats
    """(V,) (a - c) / (1 - c); NaN, as all other numbers are, if chance is always right."""
    low: Floats
    """(V,) ends of 95 % intervals over groups; infinite with fewer than two groups."""
    high: Floats
    bound: Floats
    """(V,) lower bounds that hold for all strategies at once, at the level of `leak_alpha`; NaN where unknown."""
    p: Floats
    """(V,) no better than chance, corrected for all strategies (max-T); twice the one-sided p, so at 2 `leak_alpha` the
    bound is 0, and no interval that includes 0 stands beside a p below .05. 1 where it cannot be tested."""

    def numbers(self, at: int) -> dict[str, Any]:
        """Those of one strategy, as records name them; None where undefined."""
        known = {"advantage": self.value, "low": self.low, "high": self.high, "bound": self.bound}
        return {**{name: number(values[at]) for name, values in known.items()}, "p_corrected": float(self.p[at])}


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
    room = 1 - base if base < 1 else np.nan
    value = (share - base) / room
    parts = ((right - share[:, None]) - (1 - value[:, None]) * (chance - base)) / room
    errors = errors_of(parts[:, None], groups, value[:, None], base, stretch=stretch)
    bound, p = simultaneous(value, errors, 1 - leak_alpha, random)
    low, high = errors.ends(value)
    # Where hits are few the normal interval ends too early, without any at 0: the score interval of the share does not.
    share_high = np.array([mean(row, np.ones(len(row)), groups).high for row in right])
    high = np.fmax(high, (share_high - base) / room)
    value, high, bound = (np.clip(numbers, -1.0, None) for numbers in (value, high, bound))
    return Advantages(value, low, high, bound, np.fmin(2 * np.nan_to_num(p, nan=1.0), 1.0))


def measure_templates(
    readings: Sequence[Reading],
    layout: GroupLayout,
    attempts: Attempts,
    partitions: Sequence[Partition],
    settings: Settings,
) -> TemplateResult | None:
    """The strategy that remembers templates; None where too few items are in a template.

    Templates are the groups, or else the clusters of similar wording that were not detected as groups, of four texts
    or more. Errors are added up over them.
    """
    ways: list[tuple[Literal["groups", "clusters"], Ints]] = [("groups", layout.groups)]
    ways += [("clusters", joined(layout.groups, part.index)) for part in partitions if part.alike == "template"]
    known = [layout.texts_in(index) >= _TEXTS for _, index in ways]
    at = next((at for at, inside in enumerate(known) if inside.mean() >= GROUPED_SHARE), None)
    if at is None:
        return None
    (how, index), inside = ways[at], known[at]
    learner = by_template(readings, attempts.golds, np.where(inside, index.astype(np.str_), "").tolist())
    right, _ = crossfit([learner], layout.same, attempts.golds, settings, scheme="random", splits=settings.splits)
    beyond = advantages(
        right, attempts.chance, index, np.array([refitted(settings.folds)]), leak_alpha=settings.leak_alpha,
        random=seeded(settings.seed, "open-ended", "templates"),
    )  # fmt: skip
    return TemplateResult(
        how=how,
        count=len(np.unique(index[inside])),
        effective=effective_groups(index),
        share=float(inside.mean()),
        exact=float(right.mean()),
        **beyond.numbers(0),
    )


def advantage_together(attempts: Attempts, settings: Settings) -> Callable[[str, Ints], float]:
    """What is left of the advantage of a strategy if it is taught with groups (n,) kept together, as a function."""
    base = float(attempts.chance.mean())

    def left(name: str, together: Ints) -> float:
        way, splits = attempts.strategies[attempts.at(name)], min(settings.splits, SPLITS)
        right, _ = crossfit([way], together, attempts.golds, settings, scheme="clusters", splits=splits)
        return (float(right.mean()) - base) / (1 - base)

    return left
