"""Simple rules that name an option, the rungs they stand on, and one choice per item from several of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.crossfit import Scores
from hansproof.audit.result.tasks import OptionRule
from hansproof.audit.shortcuts.ladder import RungWords
from hansproof.audit.shortcuts.shared_folds import most_often
from hansproof.audit.statistics.intervals import errors_of
from hansproof.audit.tasks.options.option_crossfit import chance_of, choice_kappa, chosen, influence
from hansproof.audit.tasks.options.option_rows import Floats, Ints, OptionPool
from hansproof.audit.tasks.options.views import AGAINST, ALONE
from hansproof.audit.texts.vectors import Vector

__all__ = [
    "COMMON_POSITION",
    "LENGTHS",
    "OPTIONS",
    "RUNGS",
    "constant_of",
    "of_rules",
    "rules_of",
    "rules_on",
    "rung",
    "scores_of",
]

COMMON_POSITION = "the most common position"

_HAVING = 0.05
"""Least share of the items that must have a position for it to get a rule of its own."""

_BY_VALUE = (
    ("length", "the longest (characters)", "characters", 1),
    ("length", "the shortest (characters)", "characters", -1),
    ("length", "the longest (words)", "words", 1),
    ("length", "the shortest (words)", "words", -1),
    ("wording", "the rarest words", "rarity", 1),
    ("wording", "the commonest words", "rarity", -1),
    ("overlap", "most like the question", "likeness to the question", 1),
    ("overlap", "least like the question", "likeness to the question", -1),
    ("overlap", "most like the other options", "likeness to the other options", 1),
    ("overlap", "least like the other options", "likeness to the other options", -1),
    ("wording", "“all of the above” and the like", "all or none of the above", 1),
    ("wording", "anything but “all of the above”", "all or none of the above", -1),
    ("wording", "without absolutes (always, never, only)", "absolutes", -1),
    ("wording", "with a hedge (may, often, most)", "hedges", 1),
    ("wording", "with a negation", "negations", 1),
)
"""Rung of the ladder, rule, the column by which it chooses, and whether the largest or the smallest value."""

LENGTHS = tuple(name for rung, name, _, _ in _BY_VALUE if rung == "length")
"""The rules of length."""

RUNGS = ("position", "length", "overlap", "wording", "repeats")
"""The rungs that choose an option without any fit, in their order. What is learnt stands alone on its rung: a choice
between rules must not rest on golds that one of them was learnt from."""


class Rule(NamedTuple):
    """What a rule prefers, before it is judged."""

    name: str
    scores: Floats
    """(R,) the highest of each item is chosen."""
    rung: str = ""
    """Of the ladder; none for a single position."""
    learnt: bool = False


def rules_of(pool: OptionPool, values: Floats, groups: Ints, fold: Ints, ordered: bool) -> list[OptionRule]:
    """Every rule on all items; `values` are those of `audit.tasks.options.views`, `groups` (n,) give the intervals.

    What is learnt (the most common position, the share of its other items in which an option is gold) is learnt on the
    items outside the `fold` (n,) of each item. A rule that tells no options apart is left out.
    """
    judged = [_judged(rule, pool, groups) for rule in rules_on(pool, values, fold, ordered)]
    return [rule for rule in judged if rule.applies]


def constant_of(pool: OptionPool, fold: Ints) -> tuple[float, float]:
    """(accuracy, kappa) of the most common position, learnt on the items outside the fold of each item."""
    hits = chosen(_position_scores(pool, fold), pool.start)[pool.gold]
    return float(hits.mean()), choice_kappa(hits, pool.size)


def rules_on(pool: OptionPool, values: Floats, fold: Ints, ordered: bool) -> list[Rule]:
    """Every rule with its scores; arguments as in `rules_of`."""
    rules = []
    if ordered:
        rules.append(Rule(f"{COMMON_POSITION} (learnt)", _position_scores(pool, fold), "position", learnt=True))
        for place in range(int(pool.size.max())):
            if (pool.size > place).mean() < _HAVING:
                break
            rules.append(Rule(f"option {chr(ord('A') + place)}", (pool.position == place).astype(np.float64)))
    names = (*ALONE, *AGAINST)
    rules += [Rule(name, sign * values[:, names.index(column)], on) for on, name, column, sign in _BY_VALUE]
    if len(set(pool.folded)) < len(pool.folded):
        rules.append(Rule("most often right elsewhere (learnt)", _gold_rates(pool, fold), "repeats", learnt=True))
    return rules


def _judged(rule: Rule, pool: OptionPool, groups: Ints) -> OptionRule:
    shares = chosen(rule.scores, pool.start)
    hits = shares[pool.gold]
    value = choice_kappa(hits, pool.size)
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


def _position_scores(pool: OptionPool, fold: Ints) -> Floats:
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


def _gold_rates(pool: OptionPool, fold: Ints) -> Floats:
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


OPTIONS = RungWords(
    {
        "constant": "guessing",
        "position": "position",
        "length": "length",
        "overlap": "likeness",
        "wording": "wording",
        "repeats": "repeated options",
        "ngram": "one n-gram",
        "format": "format",
        "readability": "readability",
        "unigrams": "unigrams of the option",
        "bigrams": "bigrams of the option",
        "others": "option and other options",
        "question": "option and question",
        "trees": "trees",
    },
    {
        "position": "the position of the option is enough",
        "length": "the length of the option is enough",
        "overlap": "how like the option is to the question or to the other options is enough",
        "wording": "the kind of words in the option (rare, hedged, absolute) is enough",
        "repeats": "how often the same option is right elsewhere is enough",
        "format": "the format of the option (case, lines, blanks, punctuation) is enough",
        "readability": "the readability and diversity of the option's words are enough",
        "unigrams": "single words of the option are enough",
        "bigrams": "words and pairs of words of the option are needed",
        "others": "the options compared with each other are needed",
        "question": "the words that option and question share are needed",
        "trees": "combinations of words are needed",
    },
    "option",
)

# The best of eight kappas is too large by what the choice gains. So a rung is the whole procedure, choice included.


def rung(name: str) -> Vector:
    """A rung of the ladder as if it were a view."""
    return Vector(name, OPTIONS.labels[name], "dense", "", 0, "", "option")


def scores_of(vector: Vector, pool: OptionPool, shares: NDArray[np.float32], picked: Sequence[str]) -> Scores:
    """Choices (S, R) of any kind as those of a view, so that they are measured like one."""
    predicted = np.zeros(shares.shape, dtype=np.int16)
    units, probabilities = np.arange(pool.n), np.zeros((shares.shape[1], 2))
    return Scores(vector, units, predicted, shares, probabilities, float("nan"), list(picked), 1)


def of_rules(name: str, pool: OptionPool, rules: Sequence[Sequence[Rule]], folds: Sequence[Ints]) -> tuple[Scores, str]:
    """The choices of the best rule of each training set, and the rule chosen most often.

    `rules` are those of each of the splits `folds`, in one order: a rule that is learnt differs from split to split.
    Ties go to the first rule.
    """
    out, picked = np.zeros((len(folds), len(pool.texts)), dtype=np.float32), []
    for split, (known, fold) in enumerate(zip(rules, folds, strict=True)):
        shares = np.stack([chosen(rule.scores, pool.start) for rule in known])
        hits = shares[:, pool.gold] - 1 / pool.size
        for number in np.unique(fold):
            best = int(np.argmax(np.round(hits[:, fold != number].mean(axis=1), 12)))
            rows = pool.rows_of(np.flatnonzero(fold == number))
            out[split, rows] = shares[best, rows]
            picked.append(known[best].name)
    return scores_of(rung(name), pool, out, picked), most_often(picked, [rule.name for rule in rules[0]])
