"""Simple rules that name an option: the longest, the odd one out, the most common position. How far does each go?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.options.choosing import chance_of, chosen, influence, kappa
from audit.options.cues import AGAINST, ALONE
from audit.options.items.pool import Pool
from audit.options.numbers.scheme import Constant
from audit.result.tasks import OptionRule
from audit.statistics.intervals import errors_of

__all__ = ["COMMON_POSITION", "Rule", "constant_of", "rules_of", "rules_on"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

COMMON_POSITION = "the most common position"

_HAVING = 0.05
"""Least share of the items that must have a position for it to get a rule of its own."""

_BY_VALUE = (
    ("the longest (characters)", "characters", 1),
    ("the shortest (characters)", "characters", -1),
    ("the longest (words)", "words", 1),
    ("the shortest (words)", "words", -1),
    ("the rarest words", "rarity", 1),
    ("the commonest words", "rarity", -1),
    ("most like the question", "likeness to the question", 1),
    ("least like the question", "likeness to the question", -1),
    ("most like the other options", "likeness to the other options", 1),
    ("least like the other options", "likeness to the other options", -1),
    ("“all of the above” and the like", "all or none of the above", 1),
    ("anything but “all of the above”", "all or none of the above", -1),
    ("without absolutes (always, never, only)", "absolutes", -1),
    ("with a hedge (may, often, most)", "hedges", 1),
    ("with a negation", "negations", 1),
)


class Rule(NamedTuple):
    """What a rule prefers, before it is judged."""

    name: str
    scores: Floats
    """(R,) the highest of each item is chosen."""
    learnt: bool = False


def rules_on(pool: Pool, values: Floats, fold: Ints, ordered: bool) -> list[Rule]:
    """Every rule with its scores; arguments as in `rules_of`."""
    return list(_rules(pool, values, fold, ordered))


def rules_of(pool: Pool, values: Floats, groups: Ints, fold: Ints, ordered: bool) -> list[OptionRule]:
    """Every rule on all items; `values` are those of `audit.options.cues`, `groups` (n,) give the intervals.

    What is learnt (the most common position, the share of its other items in which an option is gold) is learnt on the
    items outside the `fold` (n,) of each item. A rule that tells no options apart is left out.
    """
    judged = [_judged(rule, pool, groups) for rule in _rules(pool, values, fold, ordered)]
    return [rule for rule in judged if rule.applies]


def constant_of(pool: Pool, fold: Ints) -> Constant:
    """How far the most common position goes, learnt on the items outside the fold of each item."""
    hits = chosen(_position_scores(pool, fold), pool.start)[pool.gold]
    return Constant(float(hits.mean()), kappa(hits, pool.size))


def _rules(pool: Pool, values: Floats, fold: Ints, ordered: bool) -> Iterator[Rule]:
    if ordered:
        yield Rule(f"{COMMON_POSITION} (learnt)", _position_scores(pool, fold), learnt=True)
        for place in range(int(pool.size.max())):
            if (pool.size > place).mean() < _HAVING:
                break
            yield Rule(f"option {chr(ord('A') + place)}", (pool.position == place).astype(np.float64))
    names = (*ALONE, *AGAINST)
    for name, column, sign in _BY_VALUE:
        yield Rule(name, sign * values[:, names.index(column)])
    if len(set(pool.folded)) < len(pool.folded):
        yield Rule("most often right elsewhere (learnt)", _gold_rates(pool, fold), learnt=True)


def _judged(rule: Rule, pool: Pool, groups: Ints) -> OptionRule:
    shares = chosen(rule.scores, pool.start)
    hits = shares[pool.gold]
    value = kappa(hits, pool.size)
    spread = errors_of([influence(hits, pool.size)[None]], groups, np.array([[value]]), chance_of(pool.size))
    half = float(spread.half_width()[0])
    told = np.maximum.reduceat(shares, pool.start[:-1]) * pool.size > 1 + 1e-9
    return OptionRule(
        rule=rule.name,
        applies=int(told.sum()),
        accuracy=float(hits.mean()),
        kappa=value,
        low=max(value - half, -1.0) if np.isfinite(half) else None,
        high=min(value + half, 1.0) if np.isfinite(half) else None,
        learnt=rule.learnt,
    )


def _position_scores(pool: Pool, fold: Ints) -> Floats:
    """(R,) how many golds of other folds stand at the place of each option, over the items that have such a place."""
    most, scores = int(pool.size.max()), np.zeros(len(pool.texts))
    gold_place = pool.position[pool.gold]
    for number in np.unique(fold):
        seen = fold != number
        golds = np.bincount(gold_place[seen], minlength=most)
        having = np.array([(pool.size[seen] > place).sum() for place in range(most)])
        rows = pool.rows_of(np.flatnonzero(~seen))
        scores[rows] = (golds / np.maximum(having, 1))[pool.position[rows]]
    return scores


def _gold_rates(pool: Pool, fold: Ints) -> Floats:
    """(R,) in which share of its occurrences in other folds each option is gold, shrunk to chance by one occurrence."""
    ids = pool.same
    count, chance = int(ids.max()) + 1, float((1 / pool.size).mean())
    y, row_fold, scores = pool.answers(pool.gold), fold[pool.item], np.zeros(len(ids))
    for number in np.unique(fold):
        seen = row_fold != number
        times = np.bincount(ids[seen], minlength=count)
        golds = np.bincount(ids[seen], weights=y[seen], minlength=count)
        held = np.flatnonzero(~seen)
        scores[held] = ((golds + chance) / (times + 1))[ids[held]]
    return scores
