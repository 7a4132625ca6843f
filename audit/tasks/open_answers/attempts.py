"""Every strategy on every item of groups that it never saw, and chance, which it has to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.result.audit_result import Settings
from hansproof.audit.tasks.open_answers.golds import Golds, Ints, f1
from hansproof.audit.tasks.open_answers.learners import Learner, crossfit
from hansproof.audit.tasks.open_answers.learnt_cues import NOTHING, Wordings, learners
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.tasks.open_answers.strategies import Strategy, alternatives, fixed_strategies

__all__ = ["Attempt", "Attempts", "attempt"]

Floats = NDArray[np.float64]

_RARE = 0.2
"""Strategies for numbers are tried if a larger share of the golds are numbers, those for words if more are not."""


@dataclass(frozen=True)
class Attempt:
    """One strategy on n items."""

    name: str
    description: str
    kind: Literal["fixed", "learnt"]
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
    numbers: bool
    """Whether strategies for numbers were tried, and those for words."""
    texts: bool


def attempt(readings: Sequence[Reading], golds: Golds, groups: Ints, settings: Settings) -> Attempts:
    """Try everything that suits the answers. `readings` and `groups` (n,) are in the order of the golds."""
    numbers, texts = float(golds.number.mean()) > _RARE, float(1 - golds.number.mean()) > _RARE
    wordings = Wordings(golds)
    fixed = _fixed(fixed_strategies(golds.decimals, numbers=numbers, texts=texts), readings, wordings)
    learning = learners(readings, golds, wordings, numbers=numbers, texts=texts)
    right, guesses = crossfit(learning, groups, wordings.right, settings, scheme="folds", splits=settings.splits)
    scored = _F1(golds, wordings)
    strategies = [
        Attempt(name, way.description, "fixed", wordings.right(given).astype(np.float64), given, scored.mean(given))
        for name, way, given in fixed
    ]
    strategies += [
        Attempt(way.name, way.description, "learnt", right[at], guesses[at], scored.mean(guesses[at]))
        for at, way in enumerate(learning)
    ]
    by_name = {way.name: way for way in learning}
    constant = _constant(golds, scored)
    guessing = _alternatives(readings, wordings, constant, scored)
    better = guessing.right.mean() > constant.right.mean()
    offered = sum(bool(alternatives(reading.question)) for reading in readings) if better else 0
    return Attempts(constant, guessing if better else constant, offered, strategies, wordings, by_name, numbers, texts)


def _constant(golds: Golds, scored: _F1) -> Attempt:
    """The most common answer, asked of the items that it was counted on.

    Counted on the training folds, it would be right less often than by chance where all answers are about as common:
    what training folds have most of is what the fold in question lacks. Every strategy would seem to beat it.
    """
    guesses = np.full(len(golds.accepted), golds.common, dtype=np.int64)
    right = golds.right(guesses).astype(np.float64)
    return Attempt("constant", "always the most common answer", "fixed", right, guesses, scored.mean(guesses))


def _alternatives(readings: Sequence[Reading], wordings: Wordings, constant: Attempt, scored: _F1) -> Attempt:
    """One of the k alternatives that a question offers, at random: right for 1/k of the item; else the constant."""
    offered = [[wordings.of(text) for text in alternatives(reading.question)] for reading in readings]
    given = [guesses or [int(constant.texts[at])] for at, guesses in enumerate(offered)]
    many = np.array([len(guesses) for guesses in given])
    item, guesses = np.repeat(np.arange(len(given)), many), np.concatenate([np.array(row) for row in given])
    right = np.bincount(item, weights=wordings.right(guesses, item)) / many
    f1s = np.bincount(item, weights=scored.of(guesses, item)) / many
    first = np.array([guesses[0] for guesses in given])
    return Attempt("alternatives", "one of the alternatives", "fixed", right, first, float(f1s.mean()))


def _fixed(
    ways: dict[str, Strategy], readings: Sequence[Reading], wordings: Wordings
) -> list[tuple[str, Strategy, Ints]]:
    """Name, strategy and guesses of what learns nothing.

    Without those that have no answer to any item, and those that are right where an earlier one is right.
    """
    rows = {name: np.array([wordings.of(way.give(reading)) for reading in readings]) for name, way in ways.items()}
    gold = np.append(wordings.gold, NOTHING)
    kept, seen = [], set()
    for name, guesses in rows.items():
        answers = gold[guesses]
        told = (answers if (answers >= 0).any() else guesses).tobytes()
        if (guesses != NOTHING).any() and told not in seen:
            seen.add(told)
            kept.append((name, ways[name], guesses))
    return kept


class _F1:
    """Mean token F1 of guesses. A gold number is matched or not, as in DROP (Dua et al. 2019)."""

    def __init__(self, golds: Golds, wordings: Wordings) -> None:
        self._accepted = [[number for number in row if number >= 0] for row in golds.accepted.tolist()]
        self._wordings, self._gold = wordings, wordings.gold.tolist()
        self._numbers = [key.startswith("#") for key in golds.keys]

    def mean(self, guesses: Ints) -> float:
        return float(self.of(guesses, np.arange(len(guesses))).mean())

    def of(self, guesses: Ints, items: Ints) -> Floats:
        """That of each guess for its item."""
        tokens = self._wordings.tokens
        scores = np.zeros(len(guesses))
        for at, (guess, item) in enumerate(zip(guesses.tolist(), items.tolist(), strict=True)):
            accepted = self._accepted[item]
            if guess != NOTHING and self._gold[guess] in accepted:
                scores[at] = 1.0
            elif guess != NOTHING and not self._numbers[accepted[0]]:
                scores[at] = f1(tokens(guess), [tokens(number) for number in accepted])
        return scores
