"""Every strategy on every item of groups that it never saw, and chance, which it has to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.result.audit_result import Settings
from hansproof.audit.tasks.open_answers.golds import NOTHING, Golds, Ints, Wordings
from hansproof.audit.tasks.open_answers.learners import Learner, crossfit, learners
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.tasks.open_answers.strategies import Strategy, alternatives, fixed_strategies

__all__ = ["Attempt", "Attempts", "attempt"]

Floats = NDArray[np.float64]
Kind = Literal["fixed", "learnt"]


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
