"""Lines of a report: the scores of items, subsets, conditions, slices and matched groups, beside guessing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.blind import BlindResult, attempt
from hansproof.audit.models.matching import Conditions, conditions_of, in_order, matched_by, slice_name, values_of
from hansproof.audit.notation import NO_REPLY
from hansproof.audit.replies.judged_reply import Outcome
from hansproof.audit.replies.scorers import subset_of
from hansproof.audit.statistics.shares import Estimate, clustered, mean, standard_error
from hansproof.generators.answering.scorer import ANSWER, Scorer, best_of, fitting
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import Progress, unwatched
from hansproof.generators.item import Item

__all__ = ["Line", "Lines"]

# A number about some conditions is made of the groups with exactly one item of each of them, asked and not left out for
# want of a reply. An effect (`effects`) is about two conditions; these numbers are about all that the group has.

_Group = tuple[str, str]
"""A subset, and what its items are matched by."""


class Matched(NamedTuple):
    """The matched groups of some items."""

    right: Estimate | None
    """Those with every item right; None where there is no such group."""
    flips: Estimate | None
    """Those in which some answers are right and others wrong."""
    incomplete: int
    """Further groups with an item that counts, but not exactly one of each condition: not among these items, asked
    twice, or left out for want of a reply."""


class MatchedGroups:
    """Which of some items are matched with others, whatever a model replies."""

    def __init__(self, items: Sequence[Item], family: Dataset | None, conditions: Conditions) -> None:
        """`conditions` are those of all items of the benchmark, of which `items` may be a part."""
        self._family = family
        self._conditions = conditions
        several = {
            (subset, name)
            for subset, groups in conditions.items()
            for name, own in groups.items()
            if (family.subsets[subset].matched if family and subset in family.subsets else len(own) > 1)
        }
        keys = [(str(item.metadata["subset"]), matched_by(item)) for item in items] if several else []
        self._of: dict[int, _Group] = {place: key for place, key in enumerate(keys) if key in several}

    def of(self, places: Sequence[int], outcomes: Sequence[Outcome]) -> Matched:
        """The groups of the items at `places`, to which these are the `outcomes`."""
        groups: dict[_Group, list[Outcome]] = {}
        open_: dict[_Group, set[str]] = {}
        for place, outcome in zip(places, outcomes, strict=True) if self._of else ():
            if (group := self._of.get(place)) is None:
                continue
            if outcome.score.right is None:
                open_.setdefault(group, set()).add(outcome.item.condition)
            else:
                groups.setdefault(group, []).append(outcome)
        right, mixed, names, incomplete = [], [], [], 0
        for group, members in groups.items():
            conditions = self._contrasted(group, open_.get(group, set()))
            matched = [outcome for outcome in members if outcome.item.condition in conditions]
            if not matched:
                continue
            if sorted(outcome.item.condition for outcome in matched) != sorted(conditions):
                incomplete += 1
                continue
            right.append(all(outcome.right for outcome in matched))
            mixed.append(len({outcome.right for outcome in matched}) > 1)
            names.append(members[0].item.group)
        if not right:
            return Matched(None, None, incomplete)
        # Subsets may share groups: one puzzle in two vocabularies.
        clusters = np.unique(names, return_inverse=True)[1]
        return Matched(clustered(np.array(right), clusters), clustered(np.array(mixed), clusters), incomplete)

    def _contrasted(self, group: _Group, open_: Collection[str]) -> tuple[str, ...]:
        """The conditions that are compared; of an unknown subset, those that the group has, if there are several
        without the `open_` ones, in which nothing is right."""
        subset, name = group
        if self._family is None or subset not in self._family.subsets:
            conditions = tuple(each for each in self._conditions[subset][name] if each not in open_)
            return conditions if len(conditions) > 1 else ()
        contrast = self._family.subsets[subset].matched
        return (contrast.original, *contrast.perturbed) if contrast else ()


_OPEN = "some answers are open, so that guessing has no chance level, or the weights add up to 0"


@dataclass(frozen=True)
class Line:
    """The scores of some items together."""

    by: str
    """`all`, `subset`, `condition`, or the keys of a slice: `set, n`."""
    name: str
    """Which of them: `S-3`, `original`, `E, 4`; empty for all."""
    items: int
    missing: int
    """Items without a reply; wrong wherever an answer can be right."""
    unclear: int
    """Replies that give no clear answer; wrong wherever an answer can be right."""
    right: Estimate | None
    """Items with the whole answer right: Wilson's interval, or a cluster-robust one where items share a group. None
    where no item has a right answer."""
    replied: Estimate | None
    """The same of the items with a reply: unclear ones are wrong, missing ones are left out. None without any."""
    clear: Estimate | None
    """The same of the items with a clear reply: unclear and missing ones are left out. None without any."""
    measures: dict[str, Estimate]
    """Measure -> its weighted mean over the items that have it, with an interval that is robust to groups."""
    groups: int
    """Groups of items that belong together."""
    matched: Estimate | None
    """Of the groups with exactly one item of each condition of their contrast (in a family that is not registered, of
    the groups whose items all differ in condition), those with every item right; None where there is no such group. A
    group of which an item was not asked, is left out for want of a reply, or is elsewhere, is none of them: see
    `matched`."""
    chance: dict[str, float]
    """`answer` or a measure -> what a uniform guess is expected to get; NaN where answers are open."""
    undefined: dict[str, str]
    """`answer` or a measure -> why its chance is undefined; without those whose chance is defined."""
    se: float
    """The clustered standard error of the share that is right (`shares.standard_error`); NaN where it is undefined."""
    flips: Estimate | None
    """Of the groups of `matched`, those in which some answers are right and others wrong: the change of condition
    changed whether the answer is right. None where there is no such group."""
    incomplete: int
    """Further groups that count in neither of the two (`Matched`)."""
    blind: tuple[BlindResult, ...]
    """How far each blind strategy of the family gets on exactly these items; it learns within each subset."""
    skipped: int
    """Further items of this part without a reply; left out on request, they are in no number."""
    note: str
    """Why there are no numbers: all items of this part are left out. Empty where there are some."""

    def measured_blind(self, part: str = ANSWER) -> list[BlindResult]:
        """The strategies that were measured on `part`."""
        return [result for result in self.blind if result.part == part and result.share.total]

    def best_blind(self, part: str = ANSWER) -> BlindResult | None:
        """The best strategy on `part` (the first of equals); None where none was measured or no value is better.

        It is picked on the very items that it is shown for, so its share is too good on average: by at most
        sqrt(2 ln k) standard errors for the best of k without a difference, however they depend on each other
        (Boucheron, Lugosi and Massart 2013).
        """
        measured = self.measured_blind(part)
        better = measured[0].better if measured else "higher"
        return best_of(measured, lambda result: result.worth, better)


Places = NDArray[np.int64]


class _Marks(NamedTuple):
    """What became of the replies of one model, item by item."""

    answerable: NDArray[np.bool_]
    right: NDArray[np.bool_]
    missing: NDArray[np.bool_]
    unclear: NDArray[np.bool_]
    measures: dict[str, NDArray[np.float64]]
    """Measure -> values and weights (2, items); NaN where an item does not have it."""

    @classmethod
    def of(cls, outcomes: Sequence[Outcome], scorer: Scorer) -> _Marks:
        table = [(each.score.right is not None, each.right, each.missing, each.unclear) for each in outcomes]
        marks = np.array(table, dtype=np.bool_).reshape(-1, 4).T
        measures = {measure: np.full((2, len(outcomes)), nan) for measure in scorer.measures}
        for place, each in enumerate(outcomes):
            for measure, made in each.score.measures.items():
                measures[measure][:, place] = made.value, made.weight
        answerable, right, missing, unclear = marks
        return cls(answerable, right, missing, unclear, measures)


class Lines:
    """The parts of some items that get a line each, with what holds there whatever a model replies."""

    def __init__(
        self,
        items: Sequence[Item],
        family: Dataset | None,
        scorer: Scorer,
        conditions: Conditions | None = None,
        every: Sequence[Item] | None = None,
        skipped: Sequence[Item] = (),
        progress: Progress = unwatched,
    ) -> None:
        """`conditions` are those of the matched groups, of which `items` may be a part (`conditions_of`); parts stand
        in the order in which `every` item of the benchmark has them, so that it is the same for all models. `skipped`
        are those of them that are left out for want of a reply; a part that has no others still gets a line."""
        self.items = items
        self.every = items if every is None else every
        self.skipped = skipped
        self.matched = MatchedGroups(items, family, conditions_of(items) if conditions is None else conditions)
        self.family = family
        self.scorer = scorer
        self.groups = np.unique([item.group for item in items], return_inverse=True)[1]
        self.attempts = attempt(items, scorer, progress)
        self.progress = progress
        self.chances: list[Mapping[str, float]] = []
        for item in items:
            with fitting(item):
                self.chances.append(scorer.chance(item))
        self.cuts = list(self._cuts())
        self.lacking = Counter(
            (by, name) for item in skipped for by, key in self._keys() if (name := key(item)) is not None
        )
        self._measured: dict[tuple[str, str], tuple[BlindResult, ...]] = {}

    def _cuts(self) -> Iterator[tuple[str, dict[str, list[int]]]]:
        """(`subset`, name -> places of its items), ...; a cut like one before it is left out."""
        seen: list[list[list[int]]] = []
        for by, cut in self._every_cut():
            parts = sorted(cut.values())
            if parts and (parts not in seen or by in ("all", "subset")):
                seen.append(parts)
                yield by, cut

    def _every_cut(self) -> Iterator[tuple[str, dict[str, list[int]]]]:
        for by, key in self._named():
            # All items have a line even where none is left.
            yield by, self._cut(key) or ({"": []} if by == "all" else {})
        for keys in self.family.slices if self.family else ():
            cut = self._cut(partial(values_of, keys=keys))
            yield ", ".join(keys), {slice_name(values): cut[values] for values in in_order(cut)}

    def _named(self) -> list[tuple[str, Callable[[Item], str]]]:
        return [("all", lambda item: ""), ("subset", subset_of), ("condition", lambda item: item.condition)]

    def _keys(self) -> list[tuple[str, Callable[[Item], str | None]]]:
        """By what items are cut, and the name of an item's part; None where it is in none."""

        def sliced(keys: Sequence[str], item: Item) -> str | None:
            values = values_of(item, keys)
            return None if values is None else slice_name(values)

        slices = self.family.slices if self.family else ()
        return [*self._named(), *((", ".join(keys), partial(sliced, keys)) for keys in slices)]

    def _cut(self, key: Callable[[Item], Hashable]) -> dict[Any, list[int]]:
        """Key -> the places of its items, in order of first occurrence; items whose key is None are in no part.

        Parts of which nothing was asked are left out; one whose items are all skipped has no places.
        """
        cut: dict[Any, list[int]] = {key(item): [] for item in self.every}
        for place, item in enumerate(self.items):
            cut[key(item)].append(place)
        lacking = {key(item) for item in self.skipped}
        return {value: places for value, places in cut.items() if value is not None and (places or value in lacking)}

    def of(self, outcomes: Sequence[Outcome], model: str = "") -> Iterator[Line]:
        """The lines of one `model`, whose outcomes are in the order of the items."""
        same: Line | None = None
        done, every = 0, sum(len(cut) for _, cut in self.cuts)
        marks = _Marks.of(outcomes, self.scorer)
        for by, cut in self.cuts:
            for name, places in cut.items():
                self.progress(f"scoring {model}".strip(), done, every)
                done += 1
                if same is not None and len(places) == len(self.items):
                    # The one subset there is: all items again.
                    yield replace(same, by=by, name=name, skipped=self.lacking[by, name])
                    continue
                matched = self.matched.of(places, [outcomes[place] for place in places])
                line = self._line(by, name, np.array(places, dtype=np.int64), marks, matched)
                same = line if by == "all" else same
                yield line
        self.progress(f"scoring {model}".strip(), every, every)

    def _blind(self, by: str, name: str, places: Places) -> tuple[BlindResult, ...]:
        """What blind strategies reach on a part, whatever a model replies."""
        if (by, name) not in self._measured:
            self._measured[by, name] = tuple(self.attempts.results(places))
        return self._measured[by, name]

    def _line(self, by: str, name: str, places: Places, marks: _Marks, matched: Matched) -> Line:
        given, measures, chance = places[~marks.missing[places]], {}, {}
        answerable = places[marks.answerable[places]]
        if len(answerable):
            chance[ANSWER] = _average(self._chances(ANSWER, answerable), [1.0] * len(answerable))
        for measure, (values, weights) in marks.measures.items():
            held = places[~np.isnan(values[places])]
            if len(held):
                measures[measure] = mean(values[held], weights[held], self.groups[held])
                chance[measure] = _average(self._chances(measure, held), weights[held].tolist())
        right = self._right(places, marks)
        values, groups = marks.right[answerable].astype(np.float64), self.groups[answerable]
        unclear = int(marks.unclear[places].sum())
        replied = right if len(given) == len(places) else self._right(given, marks)
        return Line(
            by=by,
            name=name,
            items=len(places),
            missing=len(places) - len(given),
            unclear=unclear,
            right=right,
            replied=replied,
            clear=self._right(given[~marks.unclear[given]], marks) if unclear else replied,
            measures=measures,
            groups=len(np.unique(self.groups[places])),
            matched=matched.right,
            chance=chance,
            undefined={part: _OPEN for part, value in chance.items() if isnan(value)},
            se=standard_error(values, groups),
            flips=matched.flips,
            incomplete=matched.incomplete,
            blind=self._blind(by, name, places),
            skipped=self.lacking[by, name],
            note="" if len(places) else NO_REPLY,
        )

    def _chances(self, part: str, places: Places) -> list[float]:
        return [self.chances[place].get(part, nan) for place in places.tolist()]

    def _right(self, places: Places, marks: _Marks) -> Estimate | None:
        """The share of the items at `places` that is right; None where no answer to them can be."""
        held = places[marks.answerable[places]]
        return clustered(marks.right[held], self.groups[held]) if len(held) else None


def _average(values: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted mean; NaN where the weights are 0 or a value that counts is NaN."""
    counted = [(value, weight) for value, weight in zip(values, weights, strict=True) if weight]
    total = sum(weight for _, weight in counted)
    return sum(value * weight for value, weight in counted) / total if total else nan
