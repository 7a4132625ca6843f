"""Every strategy on every item of groups that it never saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.open_answers.golds import Golds, Ints, f1
from hansproof.audit.tasks.open_answers.learners import Constant, Learner
from hansproof.audit.tasks.open_answers.learnt_cues import NOTHING, Wordings, learners
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.tasks.open_answers.strategies import ARITHMETIC, COUNTING, SPANS, calculated
from hansproof.generators.errors import Progress

__all__ = ["CHOSEN", "Attempt", "Attempts", "attempt"]

Floats = NDArray[np.float64]

# The chosen strategy was right most often on the other folds, where those that learn were asked without both folds:
# choosing sees neither the items that are asked nor anything that was learnt from them.

CONSTANT, CHOSEN = "constant", "best in training"
_RARE = 0.2
"""Strategies for numbers are tried if a larger share of the golds are numbers, those for words if more are not."""


@dataclass(frozen=True)
class Attempt:
    """One strategy on n items."""

    name: str
    description: str
    kind: Literal["fixed", "learnt", "chosen"]
    right: Floats
    """(n,) share of the splits in which it was right."""
    texts: Ints
    """(n,) numbers of its guesses in the first split; -1 for none."""
    f1: float
    """Mean token F1 of these."""


@dataclass(frozen=True)
class Attempts:
    """The best constant, and every strategy that has an answer to some item and differs from those before it."""

    constant: Attempt
    """The most common answer of all items: what chance is to this audit, and never less than it is."""
    strategies: list[Attempt]
    """The chosen one last."""
    chosen: dict[str, int]
    """How often training folds chose each strategy, most often first."""
    wordings: Wordings
    learners: dict[str, Learner]
    """Those that learn, by name."""
    numbers: bool
    """Whether strategies for numbers were tried, and those for words."""
    texts: bool


def attempt(
    readings: Sequence[Reading], golds: Golds, groups: Ints, *, folds: int, splits: int, seed: int, progress: Progress
) -> Attempts:
    """Try everything that suits the answers. `readings` and `groups` (n,) are in the order of the golds."""
    numbers, texts = float(golds.number.mean()) > _RARE, float(1 - golds.number.mean()) > _RARE
    progress("trying strategies", 0, splits + 1)
    wordings = Wordings(golds)
    fixed = _fixed(readings, golds, wordings, numbers=numbers, texts=texts)
    learning: list[Learner] = [
        Constant(golds.accepted),
        *learners(readings, golds, wordings, numbers=numbers, texts=texts),
    ]
    gold = np.append(wordings.gold, NOTHING)  # the last is that of no guess
    fixed = _different(fixed, gold)
    still = (
        np.stack([golds.right(gold[guesses]) for _, _, guesses in fixed])
        if fixed
        else np.empty((0, len(groups)), dtype=np.bool_)
    )
    names = [CONSTANT, *[learner.name for learner in learning[1:]], *[name for name, _, _ in fixed]]
    right = np.zeros((len(learning) + 1, len(groups)))
    first = np.full((len(learning) + 1, len(groups)), NOTHING, dtype=np.int64)
    chosen: Counter[str] = Counter()
    for split in range(splits):
        fold = fold_numbers(np.zeros_like(groups), groups, folds, seeded(seed, "open-ended", "folds", split))
        run = _Split(learning, fold, folds, golds, gold)
        learnt, hits = run.outer()
        picks = run.picks(still)
        for held, pick in picks.items():
            chosen[names[pick]] += 1
            asked = fold == held
            guesses = learnt[pick] if pick < len(learning) else fixed[pick - len(learning)][2]
            right[-1, asked] += golds.right(gold[guesses[asked]], np.flatnonzero(asked))
            if split == 0:
                first[-1, asked] = guesses[asked]
        right[:-1] += hits
        if split == 0:
            first[:-1] = learnt
        progress("trying strategies", split + 2, splits + 1)
    right /= splits
    scored = _F1(golds, wordings)
    done = [
        Attempt(learner.name, learner.description, "learnt", right[at], first[at], scored.mean(first[at]))
        for at, learner in enumerate(learning)
        if at
    ]
    strategies = [
        Attempt(name, description, "fixed", still[at].astype(np.float64), guesses, scored.mean(guesses))
        for at, (name, description, guesses) in enumerate(fixed)
    ]
    described = "the strategy that was right most often in training, chosen anew for every fold"
    best = Attempt(CHOSEN, described, "chosen", right[-1], first[-1], scored.mean(first[-1]))
    return Attempts(
        _constant(golds, scored),
        [*strategies, *done, best],
        dict(chosen.most_common()),
        wordings,
        {way.name: way for way in learning},
        numbers,
        texts,
    )


def _constant(golds: Golds, scored: _F1) -> Attempt:
    """The most common answer, asked of the items that it was counted on.

    Counted on the training folds, it would be right less often than by chance where all answers are about as common:
    what training folds have most of is what the fold in question lacks. Every strategy would seem to beat it.
    """
    guesses = np.full(len(golds.accepted), golds.common, dtype=np.int64)
    right = golds.right(guesses).astype(np.float64)
    return Attempt(CONSTANT, "always the most common answer", "fixed", right, guesses, scored.mean(guesses))


class _Split:
    """One division into folds."""

    def __init__(self, learning: Sequence[Learner], fold: Ints, folds: int, golds: Golds, gold: Ints) -> None:
        self._taught = [learner.prepared(fold, folds) for learner in learning]
        self._fold, self._folds, self._golds, self._gold = fold, folds, golds, gold
        self._used = sorted(set(fold.tolist()))

    def outer(self) -> tuple[Ints, NDArray[np.bool_]]:
        """Guesses and whether they are right (L, n), each learnt without the item's own fold."""
        guesses = np.full((len(self._taught), len(self._fold)), NOTHING, dtype=np.int64)
        for held in self._used:
            asked = self._fold == held
            for at, taught in enumerate(self._taught):
                guesses[at, asked] = taught((held,))[asked]
        return guesses, np.stack([self._golds.right(self._gold[row]) for row in guesses])

    def picks(self, still: NDArray[np.bool_]) -> dict[int, int]:
        """For each fold the number of the strategy that was right most often on the others; learners come first."""
        hits = np.zeros((len(self._taught), self._folds))  # by the fold that the choice is for
        for pair in combinations(self._used, 2):
            for at, taught in enumerate(self._taught):
                guesses = self._gold[taught(pair)]
                for held, asked in (pair, pair[::-1]):
                    places = np.flatnonzero(self._fold == asked)
                    hits[at, held] += self._golds.right(guesses[places], places).sum()
        fixed = (
            np.stack([np.bincount(self._fold, weights=row, minlength=self._folds) for row in still])
            if len(still)
            else np.empty((0, self._folds))
        )
        others = fixed.sum(axis=1, keepdims=True) - fixed
        every = np.concatenate([hits, others])
        return {held: int(every[:, held].argmax()) for held in self._used}


def _fixed(
    readings: Sequence[Reading], golds: Golds, wordings: Wordings, *, numbers: bool, texts: bool
) -> list[tuple[str, str, Ints]]:
    """(name, description, numbers of the guesses) of what learns nothing."""
    rows: dict[str, list[int]] = {}
    described: dict[str, str] = {}
    decimals = golds.decimals
    if numbers:
        described |= {name: text for name, (text, _, _) in ARITHMETIC.items()}
        described |= {name: text for name, (text, _) in COUNTING.items()}
    if texts:
        described |= {name: text for name, (text, _) in SPANS.items()}
    for name in described:
        rows[name] = []
    for reading in readings:
        if numbers:
            values = [quantity.value for quantity in reading.numbers]
            for name in ARITHMETIC:
                rows[name].append(wordings.of_number(calculated(name, values, decimals)))
            for name, (_, count) in COUNTING.items():
                rows[name].append(wordings.of(str(count(reading))))
        if texts:
            for name, (_, pick) in SPANS.items():
                rows[name].append(wordings.of(pick(reading)))
    return [(name, text, np.array(rows[name], dtype=np.int64)) for name, text in described.items()]


def _different(fixed: list[tuple[str, str, Ints]], gold: Ints) -> list[tuple[str, str, Ints]]:
    """Without those that have no answer to any item, and those that are right where an earlier one is right."""
    kept, seen = [], set()
    for entry in fixed:
        answers = gold[entry[2]]
        told = (answers if (answers >= 0).any() else entry[2]).tobytes()
        if (entry[2] != NOTHING).any() and told not in seen:
            seen.add(told)
            kept.append(entry)
    return kept


class _F1:
    """Mean token F1 of guesses. A gold number is matched or not, as in DROP (Dua et al. 2019)."""

    def __init__(self, golds: Golds, wordings: Wordings) -> None:
        self._accepted = [[number for number in row if number >= 0] for row in golds.accepted.tolist()]
        self._wordings, self._gold = wordings, wordings.gold.tolist()
        self._numbers = [key.startswith("#") for key in golds.keys]

    def mean(self, guesses: Ints) -> float:
        tokens = self._wordings.tokens
        total = 0.0
        for guess, accepted in zip(guesses.tolist(), self._accepted, strict=True):
            if guess != NOTHING and self._gold[guess] in accepted:
                total += 1.0
            elif guess != NOTHING and not self._numbers[accepted[0]]:
                total += f1(tokens(guess), [tokens(number) for number in accepted])
        return total / len(guesses)
