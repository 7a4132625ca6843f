"""How often blind strategies are right: what can be had on these items without the ability that they ask for.

A strategy that learns is measured out of sample. Each subset is cut into five folds of whole groups (fewer where there
are fewer groups), and the items of a fold are answered by a strategy that learned from the other folds of the subset.
The folds follow from the names of the groups alone, so no random state and no order of the rows changes a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import nan

import numpy as np
from numpy.typing import NDArray

from audit.responses.shares import Estimate, clustered, mean
from generators.answering.blind import BlindStrategy, Guess, target_of
from generators.answering.misfit import MISFITS, fitting
from generators.answering.scorer import ANSWER, Better, Reading, Score, Scorer
from generators.errors import InputError
from generators.item import Item

__all__ = ["FOLDS", "Attempts", "BlindResult", "attempt", "measure_blind"]

FOLDS = 5
"""Parts into which the groups of a subset are cut; as many as there are groups where there are fewer."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class BlindResult:
    """How often one strategy is right on one part of the answers."""

    strategy: str
    description: str
    part: str
    """`scorer.ANSWER` for whole answers, the name of a measure, or the key of metadata that the strategy guesses."""
    items: int
    """Items that have this part."""
    answered: int
    """Of these, items to which the strategy gave an answer, out of sample where it learns."""
    share: Estimate
    """Share that is right, of a measure its weighted mean; out of sample for strategies that learn. Wilson's interval
    where no two items share a group, else a cluster-robust one; `Estimate.interval` says which."""
    in_sample: float
    """The same when the strategy learns from all items of a subset and answers them all."""
    chance: float
    """What a uniform guess is expected to get, of a target 1 / distinct values; NaN where it is undefined."""
    reason: str = ""
    """Why items could not be measured out of sample; empty where all were."""
    better: Better = "higher"
    """Whether a higher or a lower `share` is better; `neither` for a measure that only describes."""


@dataclass(frozen=True)
class _Column:
    """One strategy on one part, item by item."""

    strategy: BlindStrategy
    part: str
    outside: Floats
    """Value and weight (2, items) out of sample; NaN where the item lacks the part or was not measured."""
    inside: Floats
    """The same in sample."""
    chance: Floats
    answered: NDArray[np.bool_]
    better: Better

    def result(self, places: Ints, groups: Ints) -> BlindResult | None:
        places = places[~np.isnan(self.inside[0, places])]
        if not len(places):
            return None
        measured = places[~np.isnan(self.outside[0, places])]
        values, weights = self.outside[:, measured]
        if not len(measured):
            share = Estimate(0, 0, nan, nan, nan)
        elif self.strategy.target or self.part == ANSWER:
            share = clustered(values.astype(np.bool_), groups[measured])
        else:
            share = mean(values, weights, groups[measured])
        lacking = len(places) - len(measured)
        total = float(self.inside[1, places].sum())
        return BlindResult(
            strategy=self.strategy.name,
            description=self.strategy.description,
            part=self.part,
            items=len(places),
            answered=int(self.answered[measured].sum()),
            share=share,
            in_sample=float(self.inside[:, places].prod(axis=0).sum()) / total if total else nan,
            chance=float(self.chance[places] @ self.inside[1, places]) / total if total else nan,
            reason=f"{lacking:,} items are in subsets with fewer than two groups" if lacking else "",
            better=self.better,
        )


@dataclass(frozen=True)
class Attempts:
    """The guesses of all strategies, scored item by item; `results` sums them up for any part of the items."""

    columns: tuple[_Column, ...]
    groups: Ints
    """The group of each item, as a number."""
    rank: Ints
    """The place of each item in the order of their ids."""

    def results(self, places: Sequence[int] | None = None) -> list[BlindResult]:
        """Strategy by strategy, on the items at `places`, or on all of them; parts that no item has are left out."""
        chosen = np.arange(len(self.groups)) if places is None else np.array(places, dtype=np.int64)
        # Sums in one order, so that not even the last bit depends on the order of the rows.
        chosen = chosen[np.argsort(self.rank[chosen])]
        results = (column.result(chosen, self.groups) for column in self.columns)
        return [result for result in results if result is not None]


def measure_blind(items: Sequence[Item], scorer: Scorer) -> list[BlindResult]:
    """How often each blind strategy of `scorer` is right on `items`: whole answers first, then measures.

    Strategies learn within each subset, from whole groups other than those that they answer; a subset with fewer than
    two groups cannot be measured out of sample, and `BlindResult.reason` says so. On few items that are balanced by
    design, what was learned is slightly worse than chance, because each answer kept back is rarer among the others.
    Raises InputError where a strategy needs a key that the metadata lacks.
    """
    return attempt(items, scorer).results()


def attempt(items: Sequence[Item], scorer: Scorer) -> Attempts:
    """The guesses of every blind strategy of `scorer`, scored; see `measure_blind`."""
    # Sorted, so that strategies see the same sequence whatever the order of the rows.
    order = sorted(range(len(items)), key=lambda place: items[place].id)
    subsets: dict[str, list[int]] = {}
    for place in order:
        subsets.setdefault(str(items[place].metadata["subset"]), []).append(place)
    chances = [scorer.chance(item) for item in items]
    worth = _Worth(items, scorer)
    columns = []
    for strategy in scorer.blind:
        outside, inside, uniform = _guessed(strategy, items, list(subsets.values()))
        answered = np.array([outside.get(place) is not None for place in range(len(items))], dtype=np.bool_)
        for part in (strategy.target,) if strategy.target else (ANSWER, *scorer.measures):
            known = uniform if strategy.target else [chance.get(part, nan) for chance in chances]
            table = worth.table(part, strategy, outside)
            learnt = worth.table(part, strategy, inside) if strategy.learns else table
            better = scorer.measures[part].better if part in scorer.measures and not strategy.target else "higher"
            columns.append(_Column(strategy, part, table, learnt, np.array(known), answered, better))
    numbers = {name: number for number, name in enumerate(sorted({item.group for item in items}))}
    groups = np.array([numbers[item.group] for item in items], dtype=np.int64)
    return Attempts(tuple(columns), groups, np.argsort(np.array(order, dtype=np.int64)))


def _guessed(
    strategy: BlindStrategy, items: Sequence[Item], subsets: Sequence[Sequence[int]]
) -> tuple[dict[int, Guess], dict[int, Guess], list[float]]:
    """Guesses out of sample and in sample by place, and the chance of a uniform guess at the target, item by item."""
    outside: dict[int, Guess] = {}
    inside: dict[int, Guess] = {}
    uniform = [nan] * len(items)
    for places in subsets:
        if strategy.target:
            places = [place for place in places if _gold(items[place], strategy.target) is not None]
            values = {_gold(items[place], strategy.target) for place in places}
            for place in places:
                uniform[place] = 1 / len(values)
        if not strategy.learns:
            outside |= _guesses(strategy, items, (), places)
            continue
        inside |= _guesses(strategy, items, places, places)
        for learned, asked in _folds(items, places):
            outside |= _guesses(strategy, items, learned, asked)
    return outside, inside, uniform


class _Worth:
    """What guesses are worth. A guess at an item is scored once, however many strategies make it."""

    def __init__(self, items: Sequence[Item], scorer: Scorer) -> None:
        self.items = items
        self.scorer = scorer
        self.known: list[dict[Guess, Score]] = [{} for _ in items]

    def table(self, part: str, strategy: BlindStrategy, guesses: Mapping[int, Guess]) -> Floats:
        """Value and weight (2, items) of each guess at one part; NaN without a guess or without that part."""
        table = np.full((2, len(self.items)), nan)
        for place, guess in guesses.items():
            if strategy.target:
                table[:, place] = guess == _gold(self.items[place], part), 1.0
                continue
            score = self._score(place, guess)
            if part != ANSWER and part in score.measures:
                table[:, place] = score.measures[part].value, score.measures[part].weight
            elif part == ANSWER and score.right is not None:
                table[:, place] = score.right, 1.0
        return table

    def _score(self, place: int, guess: Guess) -> Score:
        known = self.known[place]
        if guess not in known:
            with fitting(self.items[place]):
                known[guess] = self.scorer.score(self.items[place], Reading(guess))
        return known[guess]


def _gold(item: Item, target: str) -> Guess:
    """The value to guess; None where the item has none."""
    return target_of(item, target) if target in item.metadata else None


def _folds(items: Sequence[Item], places: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """(places to learn from, places to answer) of each fold; none with fewer than two groups."""
    # Digests spread groups over the folds however their names are ordered: `easy-1`, ..., `hard-1`, ...
    names = sorted(
        {items[place].group for place in places},
        key=lambda name: blake2b(name.encode("utf-8", "surrogatepass")).digest(),
    )
    if len(names) < 2:
        return []
    fold = {name: number % FOLDS for number, name in enumerate(names)}
    return [
        (
            [place for place in places if fold[items[place].group] != number],
            [place for place in places if fold[items[place].group] == number],
        )
        for number in range(min(FOLDS, len(names)))
    ]


def _guesses(
    strategy: BlindStrategy, items: Sequence[Item], learned: Sequence[int], asked: Sequence[int]
) -> dict[int, Guess]:
    try:
        answers = strategy.answers([items[place] for place in learned], [items[place] for place in asked])
    except MISFITS as error:
        lacks = isinstance(error, KeyError)
        what = f"needs metadata.{error.args[0]}, which an item lacks" if lacks else f"cannot take metadata: {error}"
        raise InputError(
            f"the blind strategy {strategy.name!r} {what}", f"item {items[asked[0]].id!r} and others"
        ) from error
    return dict(zip(asked, answers, strict=True))
