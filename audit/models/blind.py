"""How often blind strategies are right, each without seeing an answer that it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import isnan, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.matching import linked
from hansproof.audit.replies.scorers import own_subset
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
    nodes = sorted({(own_subset(item), item.group) for item in items})
    number = {node: place for place, node in enumerate(nodes)}
    own = [number[own_subset(item), item.group] for item in items]
    first_with: dict[tuple[str, str, frozenset[str]], int] = {}
    alike = [
        first_with.setdefault((own_subset(item), item.prompt, frozenset(item.choices or ())), node)
        for item, node in zip(items, own, strict=True)
    ]
    parts = linked(np.array([own, alike]).T).tolist()
    first: dict[int, str] = {}
    for part, (_, name) in zip(parts, nodes, strict=True):
        first.setdefault(part, name)
    return [first[parts[node]] for node in own]


def folds(groups: Sequence[str], places: Sequence[int], *, ahead: bool = False) -> list[BlindFold]:
    """Every place is asked once, by those who learned from all other parts; none with fewer than two groups.

    `groups` has the group of every item, `places` says which of them to cut. With `ahead` every part but the first is
    asked once, by those who learned from the parts before it (Dawid 1984): shares over folds stray further than their
    items say, because each answer is both learned from and asked for. Here each is judged by an answer that nothing
    before it depends on, so that the number right has exactly the distribution of guesses where nothing can be learned.
    """
    # Digests spread groups over the parts however their names are ordered: `easy-1`, ..., `hard-1`, ...
    names = sorted(
        {groups[place] for place in places}, key=lambda name: blake2b(name.encode("utf-8", "surrogatepass")).digest()
    )
    count = min(WAVES if ahead else FOLDS, len(names))
    part = {name: at * count // len(names) if ahead else at % count for at, name in enumerate(names)}
    of = [(place, part[groups[place]]) for place in places]
    return [
        BlindFold(
            [place for place, own in of if (own < number if ahead else own != number)],
            [place for place, own in of if own == number],
        )
        for number in range(int(ahead), count if len(names) > 1 else 0)
    ]


# A strategy that learns is measured out of sample, and tested on guesses learned from earlier parts only. It is scored
# on the items that it answers: one that is right wherever its cue stands gives the answers away there, however seldom
# that is. Only the shares in manifests count the others as wrong.

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
    tables: Floats
    """(3, 3, items): value, weight and whether there is an answer, out of sample, learned from earlier parts, and in
    sample; NaN where the item lacks the part or was not measured."""
    chance: Floats
    better: Better

    def result(self, places: Ints, groups: Ints, unanswered: bool) -> BlindResult | None:
        """On the items at `places` that it answers; with `unanswered` also on the others, but for p."""
        outside, ahead, inside = self.tables
        places = places[~np.isnan(inside[0, places])]
        if not len(places):
            return None
        learned, answered = places[~np.isnan(outside[0, places])], places[outside[2, places] == 1]
        # Without any answer all are wrong: p is 1.
        tested = places[ahead[2, places] == 1 if len(answered) else ~np.isnan(ahead[0, places])]
        measured, within = (learned, places) if unanswered else (answered, places[inside[2, places] == 1])
        whole = bool(self.strategy.target) or self.part == ANSWER
        values, weights, _ = outside[:, measured]
        inflation = CROSSED if self.strategy.learns else 1.0
        if whole:
            share = clustered(values.astype(np.bool_), groups[measured], inflation)
        else:
            share = mean(values, weights, groups[measured], inflation)
        total = float(inside[1, within].sum())
        known, heavy, _ = ahead[:, tested]
        sign = -1.0 if self.better == "lower" else 1.0
        p = beyond_chance(sign * known, heavy, sign * self.chance[tested], groups[tested], exact=whole)
        result = BlindResult(
            strategy=self.strategy.name,
            description=self.strategy.description,
            part=self.part,
            items=len(places),
            answered=len(answered),
            share=share,
            in_sample=float(inside[:2, within].prod(axis=0).sum()) / total if total else nan,
            chance=float(self.chance[within] @ inside[1, within]) / total if total else nan,
            p=nan if self.better == "neither" else p,
            p_holm=nan,
            better=self.better,
        )
        return replace(result, reason=_reason(result, len(places) - len(learned)))


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
    known: list[dict[Guess, Score]] = [{} for _ in items]
    groups = kept_together(items)
    parts = {target: _parts(items, target, groups, order) for target in {way.target for way in scorer.blind}}
    columns = []
    for done, strategy in enumerate(scorer.blind):
        progress("blind strategies", done, len(scorer.blind))
        target = strategy.target
        uniform = np.full(len(items), nan)
        for of in parts[target]:
            uniform[of.places] = of.uniform
        tables = [_worth(items, scorer, known, target, made) for made in _guessed(strategy, items, parts[target])]
        for part in tables[0]:
            luck = uniform if target else np.array([chance.get(part, nan) for chance in chances])
            better = scorer.measures[part].better if part in scorer.measures and not target else "higher"
            every = tables if strategy.learns else tables * 3
            columns.append(_Column(strategy, part, np.stack([each[part] for each in every]), luck, better))
    progress("blind strategies", len(scorer.blind), len(scorer.blind))
    numbers = np.unique(groups, return_inverse=True)[1].astype(np.int64)
    return Attempts(tuple(columns), numbers, np.argsort(np.array(order, dtype=np.int64)))


class _Part(NamedTuple):
    """The items of one subset that have what is to be guessed."""

    places: list[int]
    hidden: dict[int, Item]
    """Each as a strategy is asked about it: without its answer, or without the key that is to be guessed."""
    uniform: float
    """The chance of a uniform guess at the target."""
    folds: tuple[list[BlindFold], list[BlindFold], list[BlindFold]]
    """To learn from other parts, from earlier parts, and from all items, those asked for among them."""


def _parts(items: Sequence[Item], target: str, groups: Sequence[str], order: Sequence[int]) -> list[_Part]:
    subsets: dict[str, list[int]] = {}
    for place in order:
        if not target or _gold(items[place], target) is not None:
            subsets.setdefault(own_subset(items[place]), []).append(place)
    return [
        _Part(
            places,
            {place: _hidden(items[place], target) for place in places},
            1 / len({_gold(items[place], target) if target else None for place in places}),
            (folds(groups, places), folds(groups, places, ahead=True), [BlindFold(places, places)]),
        )
        for places in subsets.values()
    ]


def _guessed(strategy: BlindStrategy, items: Sequence[Item], parts: Sequence[_Part]) -> list[dict[int, Guess]]:
    """What one strategy guesses, by place: learned in each of the three ways, or a single time where it does not learn.

    Raises InputError where the strategy cannot take the metadata.
    """
    guesses: list[dict[int, Guess]] = [{} for _ in range(3 if strategy.learns else 1)]
    for part in parts:
        try:
            asked = {place: strategy.view(item) for place, item in part.hidden.items()}
            learned = {place: strategy.view(items[place]) for place in part.places} if strategy.learns else {}
            ways = part.folds if strategy.learns else ([BlindFold([], part.places)],)
            for into, way in zip(guesses, ways, strict=True):
                for old, new in way:
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
    if not target:
        return replace(item, answer=None)
    return replace(item, metadata={**item.metadata, target: None}) if target in item.metadata else item


def _worth(
    items: Sequence[Item],
    scorer: Scorer,
    known: Sequence[dict[Guess, Score]],
    target: str,
    guesses: Mapping[int, Guess],
) -> dict[str, Floats]:
    """By part: value, weight and whether there is an answer (3, items) of each guess; NaN without a guess.

    A guess at an item is scored once, however many strategies make it: `known` has the scores by item.
    """
    tables = {name: np.full((3, len(items)), nan) for name in ((target,) if target else (ANSWER, *scorer.measures))}
    for place, guess in guesses.items():
        given = guess is not None
        if target:
            tables[target][:, place] = guess == _gold(items[place], target), 1.0, given
            continue
        if guess not in known[place]:
            with fitting(items[place]):
                known[place][guess] = scorer.score(items[place], Reading(guess))
        score = known[place][guess]
        if score.right is not None:
            tables[ANSWER][:, place] = score.right, 1.0, given
        for measure in score.measures.keys() & tables.keys():
            tables[measure][:, place] = score.measures[measure].value, score.measures[measure].weight, given
    return tables


def _gold(item: Item, target: str) -> Guess:
    """The value to guess; None where the item has none."""
    return target_of(item, target) if target in item.metadata else None
