"""How often blind strategies are right, each without seeing an answer that it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import isnan, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from hansproof.audit.statistics.permutation import holm
from hansproof.audit.statistics.shares import Estimate, beyond_chance, clustered, mean
from hansproof.generators.answering.scorer import (
    ANSWER,
    MISFITS,
    Better,
    BlindStrategy,
    Guess,
    Reading,
    Score,
    Scorer,
    fitting,
    target_of,
)
from hansproof.generators.errors import InputError, Progress, unwatched
from hansproof.generators.item import Item

__all__ = ["BlindResult", "attempt", "measure_blind", "worth"]

# Parts are made of whole groups, and groups that share a text are one. They follow from the names of the groups alone,
# so no random state, no order of the rows and no process changes them.

FOLDS = 5
"""Parts into which the groups of a subset are cut; as many as there are groups where there are fewer."""
WAVES = 10
"""The same for strategies that learn from earlier parts only."""


class BlindFold(NamedTuple):
    """Places of items."""

    learned: list[int]
    asked: list[int]


def kept_together(items: Sequence[Item]) -> list[str]:
    """For each item the name of its group; of groups that share a text in one subset, the first of their names.

    Items share a text where prompt and options are the same, in whatever order the options stand.
    """
    nodes = sorted({(str(item.metadata["subset"]), item.group) for item in items})
    number = {node: place for place, node in enumerate(nodes)}
    first_with: dict[tuple[str, str, frozenset[str]], int] = {}
    own = [number[str(item.metadata["subset"]), item.group] for item in items]
    joined = [
        first_with.setdefault((str(item.metadata["subset"]), item.prompt, frozenset(item.choices or ())), node)
        for item, node in zip(items, own, strict=True)
    ]
    links = coo_array((np.ones(len(own)), (own, joined)), shape=(len(nodes), len(nodes)))
    parts = connected_components(links, directed=False)[1].tolist()
    first: dict[int, str] = {}
    for part, (_, name) in zip(parts, nodes, strict=True):
        first.setdefault(part, name)
    return [first[parts[node]] for node in own]


def folds(groups: Sequence[str], places: Sequence[int]) -> list[BlindFold]:
    """Every place is asked once, by those who learned from all other parts; none with fewer than two groups.

    `groups` has the group of every item, `places` says which of them to cut.
    """
    names = _spread({groups[place] for place in places})
    part = {name: number % FOLDS for number, name in enumerate(names)}
    of = [(place, part[groups[place]]) for place in places]
    return [
        BlindFold([place for place, own in of if own != number], [place for place, own in of if own == number])
        for number in range(min(FOLDS, len(names)) if len(names) > 1 else 0)
    ]


def waves(groups: Sequence[str], places: Sequence[int]) -> list[BlindFold]:
    """Every part but the first is asked once, by those who learned from the parts before it (Dawid 1984).

    Shares over folds stray further than their items say, because each answer is both learned from and asked for. Of
    waves each is judged by an answer that nothing before it depends on, so that the number right has exactly the
    distribution of guesses where nothing can be learned.
    """
    names = _spread({groups[place] for place in places})
    count = min(WAVES, len(names))
    part = {name: number * count // len(names) for number, name in enumerate(names)}
    of = [(place, part[groups[place]]) for place in places]
    return [
        BlindFold([place for place, own in of if own < number], [place for place, own in of if own == number])
        for number in range(1, count)
    ]


def _spread(names: set[str]) -> list[str]:
    # Digests spread groups over the parts however their names are ordered: `easy-1`, ..., `hard-1`, ...
    return sorted(names, key=lambda name: blake2b(name.encode("utf-8", "surrogatepass")).digest())


# A strategy that learns is measured out of sample (`folds`), and tested on guesses learned from earlier parts only
# (`waves`). It is scored on the items that it answers: one that is right wherever its cue stands gives the answers away
# there, however seldom that is. Only the shares in manifests count the others as wrong.

CROSSED = 1 + FOLDS / (FOLDS - 1)
"""How much further the share of a strategy that learned over folds strays than its items say, as variances: 1 + FOLDS
times (asked / learned) after Nadeau and Bengio (2003), as no estimate without bias exists (Bengio and Grandvalet 2004).
In simulations of useless strategies the factor was 1.4 to 2.1, so the intervals are a little too wide. For a constant
on balanced answers it was .2 to .4: there the interval is far too wide."""

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
    """Share of the answered that is right, of a measure their weighted mean; out of sample for strategies that learn.
    Wilson's interval where no two items share a group, else a cluster-robust one; `Estimate.interval` says which. For
    strategies that learn the variance is multiplied by `CROSSED`."""
    in_sample: float
    """The same when the strategy learns from all items of a subset."""
    chance: float
    """What a uniform guess is expected to get on the same items, of a target 1 / distinct values; NaN where it is
    undefined."""
    p: float
    """One-sided p: does it beat chance on what it answers? See `shares.beyond_chance`; where it learns, on guesses
    learned from earlier parts of the subset, which has the exact size. 1 where it answers nothing; NaN where it is
    undefined."""
    p_holm: float
    """p after Holm's correction (1979) over all strategies and parts measured on the same items."""
    reason: str = ""
    """Why a number is undefined, or items could not be measured out of sample; empty where all is well."""
    better: Better = "higher"
    """Whether a higher or a lower `share` is better; `neither` for a measure that only describes."""

    @property
    def worth(self) -> float:
        """What it gets on all items if it guesses where it has no answer (an open answer is never guessed).

        It says which strategy is best: a single lucky answer is worth little.
        """
        return worth(self.share.share, self.answered / self.items, self.chance)


def worth(share: float, reach: float, chance: float) -> float:
    """The share that is right if the part `reach` has `share` and the rest `chance`, 0 where that is NaN."""
    return reach * share + (1 - reach) * (0.0 if isnan(chance) else chance)


@dataclass(frozen=True)
class _Column:
    """One strategy on one part, item by item."""

    strategy: BlindStrategy
    part: str
    outside: Floats
    """Value, weight and whether there is an answer (3, items) out of sample; NaN where the item lacks the part or was
    not measured."""
    ahead: Floats
    """The same for guesses learned from earlier parts; NaN in the first part."""
    inside: Floats
    """The same in sample."""
    chance: Floats
    better: Better

    def result(self, places: Ints, groups: Ints, unanswered: bool) -> BlindResult | None:
        """On the items at `places` that it answers; with `unanswered` also on the others, but for p."""
        places = _measured(self.inside, places)
        if not len(places):
            return None
        learned = _measured(self.outside, places)
        answered = _answered(self.outside, learned)
        measured, within = (learned, places) if unanswered else (answered, _answered(self.inside, places))
        ahead = _measured(self.ahead, places)
        # Without any answer all are wrong: p is 1.
        tested = ahead if not len(answered) else _answered(self.ahead, ahead)
        whole = bool(self.strategy.target) or self.part == ANSWER
        values, weights, _ = self.outside[:, measured]
        known, heavy, _ = self.ahead[:, tested]
        inflation = CROSSED if self.strategy.learns else 1.0
        if whole:
            share = clustered(values.astype(np.bool_), groups[measured], inflation)
        else:
            share = mean(values, weights, groups[measured], inflation)
        total = float(self.inside[1, within].sum())
        result = BlindResult(
            strategy=self.strategy.name,
            description=self.strategy.description,
            part=self.part,
            items=len(places),
            answered=len(answered),
            share=share,
            in_sample=float(self.inside[:2, within].prod(axis=0).sum()) / total if total else nan,
            chance=float(self.chance[within] @ self.inside[1, within]) / total if total else nan,
            p=self._p(known, heavy, self.chance[tested], groups[tested], whole),
            p_holm=nan,
            better=self.better,
        )
        return replace(result, reason=_reason(result, len(places) - len(learned)))

    def _p(self, values: Floats, weights: Floats, chances: Floats, groups: Ints, exact: bool) -> float:
        """One-sided p for being better than chance; NaN for a measure that only describes."""
        if self.better == "neither":
            return nan
        if self.better == "lower":
            values, chances = -values, -chances
        return beyond_chance(values, weights, chances, groups, exact=exact)


def _measured(table: Floats, places: Ints) -> Ints:
    kept: Ints = places[~np.isnan(table[0, places])]
    return kept


def _answered(table: Floats, places: Ints) -> Ints:
    kept: Ints = places[table[2, places] == 1]
    return kept


def _reason(result: BlindResult, lacking: int) -> str:
    reasons = [f"{lacking:,} items are in subsets with fewer than two groups"] if lacking else []
    if not result.answered:
        reasons = reasons or ["it answers none of these items"]
    elif isnan(result.chance):
        reasons.append("chance and p are undefined: some answers are open, so that guessing has no chance level")
    elif result.better == "neither":
        reasons.append("p is undefined: no value of this measure is better than another")
    elif isnan(result.p) and not lacking:
        reasons.append("p is undefined: nothing varies, or the weights add up to 0")
    return "; ".join(reasons)


@dataclass(frozen=True)
class Attempts:
    """The guesses of all strategies, scored item by item; `results` sums them up for any part of the items."""

    columns: tuple[_Column, ...]
    groups: Ints
    """What each item belongs to, as a number: its group, or groups that share a text."""
    rank: Ints
    """The place of each item in the order of their ids."""

    def results(self, places: Sequence[int] | Ints | None = None, *, unanswered: bool = False) -> list[BlindResult]:
        """Strategy by strategy, on the items at `places`, or on all of them; parts that no item has are left out.

        With `unanswered` the items that a strategy does not answer count, too, as wrong; not for p.
        """
        chosen = np.arange(len(self.groups)) if places is None else np.array(places, dtype=np.int64)
        # Sums in one order, so that not even the last bit depends on the order of the rows.
        chosen = chosen[np.argsort(self.rank[chosen])]
        every = (column.result(chosen, self.groups, unanswered) for column in self.columns)
        results = [result for result in every if result is not None]
        corrected = holm(np.array([result.p for result in results])).tolist()
        return [replace(result, p_holm=p) for result, p in zip(results, corrected, strict=True)]


def measure_blind(items: Sequence[Item], scorer: Scorer, *, unanswered: bool = False) -> list[BlindResult]:
    """How often each blind strategy of `scorer` is right on `items`: whole answers first, then measures.

    With `unanswered` the items that a strategy does not answer count, too, as wrong: the shares of manifests.

    Strategies learn within each subset, from whole groups other than those that they answer; a subset with fewer than
    two groups cannot be measured out of sample, and `BlindResult.reason` says so. On few items that are balanced by
    design, what was learned is slightly worse than chance, because each answer kept back is rarer among the others.
    Raises InputError where a strategy needs a key that the metadata lacks.
    """
    return attempt(items, scorer).results(unanswered=unanswered)


def attempt(items: Sequence[Item], scorer: Scorer, progress: Progress = unwatched) -> Attempts:
    """The guesses of every blind strategy of `scorer`, scored; see `measure_blind`."""
    # Sorted, so that strategies see the same sequence whatever the order of the rows.
    order = sorted(range(len(items)), key=lambda place: items[place].id)
    chances = [scorer.chance(item) for item in items]
    worth = _Worth(items, scorer)
    groups = kept_together(items)
    targets = {way.target for way in scorer.blind}
    hidden = {target: [_hidden(item, target) for item in items] for target in targets}
    parts = {target: _parts(items, target, groups, order) for target in targets}
    columns = []
    for done, strategy in enumerate(scorer.blind):
        progress(_STAGE, done, len(scorer.blind))
        target = strategy.target
        guesses = _guessed(strategy, items, hidden[target], parts[target])
        outside = worth.tables(strategy, guesses.outside)
        ahead = worth.tables(strategy, guesses.ahead) if strategy.learns else outside
        inside = worth.tables(strategy, guesses.inside) if strategy.learns else outside
        for part in outside:
            known = guesses.uniform if target else [chance.get(part, nan) for chance in chances]
            better = scorer.measures[part].better if part in scorer.measures and not target else "higher"
            columns.append(_Column(strategy, part, outside[part], ahead[part], inside[part], np.array(known), better))
    progress(_STAGE, len(scorer.blind), len(scorer.blind))
    numbers = np.unique(groups, return_inverse=True)[1].astype(np.int64)
    return Attempts(tuple(columns), numbers, np.argsort(np.array(order, dtype=np.int64)))


_STAGE = "blind strategies"


class _Part(NamedTuple):
    """The items of one subset that have what is to be guessed, by place."""

    places: list[int]
    uniform: float
    """The chance of a uniform guess at the target."""
    folds: list[BlindFold]
    waves: list[BlindFold]


def _parts(items: Sequence[Item], target: str, groups: Sequence[str], order: Sequence[int]) -> list[_Part]:
    subsets: dict[str, list[int]] = {}
    for place in order:
        subsets.setdefault(str(items[place].metadata["subset"]), []).append(place)
    parts = []
    for every in subsets.values():
        places, values = every, set[Guess]()
        if target:
            places = [place for place in every if _gold(items[place], target) is not None]
            values = {_gold(items[place], target) for place in places}
        if places:
            parts.append(_Part(places, 1 / max(len(values), 1), folds(groups, places), waves(groups, places)))
    return parts


class _Guesses(NamedTuple):
    """What one strategy guesses, by place."""

    outside: dict[int, Guess]
    """Learned from other parts."""
    ahead: dict[int, Guess]
    """Learned from earlier parts."""
    inside: dict[int, Guess]
    """Learned from all items, those asked for among them."""
    uniform: list[float]
    """The chance of a uniform guess at the target, item by item."""


def _guessed(
    strategy: BlindStrategy, items: Sequence[Item], hidden: Sequence[Item], parts: Sequence[_Part]
) -> _Guesses:
    """Raises InputError where the strategy cannot take the metadata."""
    guesses = _Guesses({}, {}, {}, [nan] * len(items))
    for part in parts:
        for place in part.places:
            guesses.uniform[place] = part.uniform
        try:
            asked = {place: strategy.view(hidden[place]) for place in part.places}
            if not strategy.learns:
                given = strategy.guesses((), [*asked.values()])
                guesses.outside.update(zip(asked, given, strict=True))
                continue
            learned = {place: strategy.view(items[place]) for place in part.places}
            every = [(guesses.inside, BlindFold(part.places, part.places))]
            every += [(guesses.outside, fold) for fold in part.folds]
            every += [(guesses.ahead, fold) for fold in part.waves]
            for into, (old, new) in every:
                given = strategy.guesses([learned[place] for place in old], [asked[place] for place in new])
                into.update(zip(new, given, strict=True))
        except MISFITS as error:
            lacks = isinstance(error, KeyError)
            what = f"needs metadata.{error.args[0]}, which an item lacks" if lacks else f"cannot take metadata: {error}"
            raise InputError(
                f"the blind strategy {strategy.name!r} {what}", f"item {items[part.places[0]].id!r} and others"
            ) from error
    return guesses


def _hidden(item: Item, target: str) -> Item:
    """The item as a strategy is asked about it: without its answer, or without the key that is to be guessed."""
    if not target:
        return replace(item, answer=None)
    return replace(item, metadata={**item.metadata, target: None}) if target in item.metadata else item


class _Worth:
    """What guesses are worth. A guess at an item is scored once, however many strategies make it."""

    def __init__(self, items: Sequence[Item], scorer: Scorer) -> None:
        self.items = items
        self.scorer = scorer
        self.known: list[dict[Guess, Score]] = [{} for _ in items]

    def tables(self, strategy: BlindStrategy, guesses: Mapping[int, Guess]) -> dict[str, Floats]:
        """By part: value, weight and whether there is an answer (3, items) of each guess; NaN without a guess."""
        target = strategy.target
        names = (target,) if target else (ANSWER, *self.scorer.measures)
        rows: dict[str, list[tuple[int, float, float, bool]]] = {name: [] for name in names}
        for place, guess in guesses.items():
            given = guess is not None
            if target:
                rows[target].append((place, guess == _gold(self.items[place], target), 1.0, given))
                continue
            if guess not in self.known[place]:
                with fitting(self.items[place]):
                    self.known[place][guess] = self.scorer.score(self.items[place], Reading(guess))
            score = self.known[place][guess]
            if score.right is not None:
                rows[ANSWER].append((place, score.right, 1.0, given))
            for measure, made in score.measures.items():
                if measure in rows:
                    rows[measure].append((place, made.value, made.weight, given))
        tables = {}
        for name, made_rows in rows.items():
            tables[name] = np.full((3, len(self.items)), nan)
            if made_rows:
                known = np.array(made_rows, dtype=np.float64).T
                tables[name][:, known[0].astype(np.int64)] = known[1:]
        return tables


def _gold(item: Item, target: str) -> Guess:
    """The value to guess; None where the item has none."""
    return target_of(item, target) if target in item.metadata else None
