"""Lines of a report: the scores of items, subsets, conditions, slices and matched groups, beside guessing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.blind import BlindResult, attempt
from hansproof.audit.models.matching import Conditions, Values, cuts_by, in_order, matched_by, slice_name
from hansproof.audit.notation import NO_REPLY
from hansproof.audit.replies.judged_reply import Outcome
from hansproof.audit.replies.scorers import own_subset
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
        subsets = {name: family.find(name) for name in conditions} if family else {}
        self._items, self._declared = items, {name: subset for name, subset in subsets.items() if subset}
        self._keys = [(own_subset(item), matched_by(item)) for item in items]
        self._needed: dict[_Group, tuple[str, ...]] = {}
        """The conditions that a group is compared in: those that its family declares, or else all that it has."""
        for subset, groups in conditions.items():
            contrast = self._declared[subset].matched if subset in self._declared else None
            for name, own in groups.items():
                if contrast is not None:
                    self._needed[subset, name] = (contrast.original, *contrast.perturbed)
                elif subset not in self._declared and len(own) > 1:
                    self._needed[subset, name] = tuple(own)

    def of(self, places: Sequence[int], marks: _Marks) -> Matched:
        """The groups of the items at `places`."""
        groups: dict[_Group, list[int]] = {}
        for place in places if self._needed else ():
            if self._keys[place] in self._needed:
                groups.setdefault(self._keys[place], []).append(place)
        right, mixed, names, incomplete = [], [], [], 0
        for group, members in groups.items():
            # Of an unknown subset, conditions in which nothing is right are not compared.
            open_ = {self._items[at].condition for at in members if not marks.answerable[at]}
            needed = [each for each in self._needed[group] if group[0] in self._declared or each not in open_]
            matched = [at for at in members if marks.answerable[at] and self._items[at].condition in needed]
            if not matched or len(needed) < 2:
                continue
            if sorted(self._items[at].condition for at in matched) != sorted(needed):
                incomplete += 1
                continue
            right.append(bool(marks.right[matched].all()))
            mixed.append(not right[-1] and bool(marks.right[matched].any()))
            names.append(self._items[matched[0]].group)
        if not right:
            return Matched(None, None, incomplete)
        # Subsets may share groups: one puzzle in two vocabularies.
        clusters = np.unique(names, return_inverse=True)[1]
        return Matched(clustered(np.array(right), clusters), clustered(np.array(mixed), clusters), incomplete)


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
        every: Sequence[Item],
        counted: Sequence[int],
        skipped: Collection[int],
        family: Dataset | None,
        scorer: Scorer,
        conditions: Conditions,
        progress: Progress = unwatched,
    ) -> None:
        """Of `every` item of the benchmark, which has these `conditions`, those at the places `counted`.

        Parts stand in the order in which the benchmark has them, so that it is the same for all models. Items at the
        places `skipped` are left out for want of a reply; a part that has no others still gets a line.
        """
        items = [every[place] for place in counted]
        self.scorer, self.progress = scorer, progress
        self.matched = MatchedGroups(items, family, conditions)
        self.groups = np.unique([item.group for item in items], return_inverse=True)[1]
        self.attempts = attempt(items, scorer, progress)
        self.chances: list[Mapping[str, float]] = []
        for item in items:
            with fitting(item):
                self.chances.append(scorer.chance(item))
        self.lacking: Counter[tuple[str, str]] = Counter()
        self.cuts: list[tuple[str, dict[str, list[int]]]] = []
        self._measured: dict[bytes, tuple[BlindResult, ...]] = {}
        seen: list[list[list[int]]] = []
        numbers, left_out = {place: at for at, place in enumerate(counted)}, {*skipped}
        for by, key in cuts_by(family).items():
            cut: dict[Values, list[int]] = {}
            for place, item in enumerate(every):
                if (values := key(item)) is not None:
                    part = cut.setdefault(values, [])
                    if place in numbers:
                        part.append(numbers[place])
                    self.lacking[by, slice_name(values)] += place in left_out
            order = cut if by in cuts_by() else in_order(cut)
            named = {slice_name(values): cut[values] for values in order}
            # All items have a line even where none is left.
            kept = {name: own for name, own in named.items() if own or by == "all" or self.lacking[by, name]}
            # A cut like one before it is left out.
            parts = sorted(kept.values())
            if parts and (parts not in seen or by in ("all", "subset")):
                seen.append(parts)
                self.cuts.append((by, kept))

    def of(self, outcomes: Sequence[Outcome], model: str = "") -> Iterator[Line]:
        """The lines of one `model`, whose outcomes are in the order of the items."""
        done, every = 0, sum(len(cut) for _, cut in self.cuts)
        marks = _Marks.of(outcomes, self.scorer)
        for by, cut in self.cuts:
            for name, places in cut.items():
                self.progress(f"scoring {model}".strip(), done, every)
                done += 1
                yield self._line(by, name, np.array(places, dtype=np.int64), marks, self.matched.of(places, marks))
        self.progress(f"scoring {model}".strip(), every, every)

    def _line(self, by: str, name: str, places: Places, marks: _Marks, matched: Matched) -> Line:
        if (same := places.tobytes()) not in self._measured:  # it holds whatever a model replies
            self._measured[same] = tuple(self.attempts.results(places))
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
            blind=self._measured[same],
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
