"""N items on their way to a repaired benchmark: what a look at them shows, and what labels and options share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.probes.crossfit import Fitting, Scores, crossfit_folds
from hansproof.audit.probes.folds import LOOSE, fold_numbers
from hansproof.audit.probes.kappas import measure
from hansproof.audit.probes.logistic import REGULARISATIONS, prepare
from hansproof.audit.probes.task import Task
from hansproof.audit.repair.records import StepKind
from hansproof.audit.result.audit_result import Settings, VectorResult
from hansproof.audit.result.record import or_least
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.texts.sentences import fold_text
from hansproof.audit.texts.similarity import number_by_first
from hansproof.audit.texts.vectors import Vector
from hansproof.audit.verdict.rule import GROUPED_SHARE
from hansproof.generators.errors import InputError

__all__ = [
    "FEWEST_BINS",
    "Bools",
    "Floats",
    "Ints",
    "Items",
    "Look",
    "Rule",
    "cap_of",
    "independent",
    "score_bins",
    "thin",
    "thin_to",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_TENTHS = 10
_FEWEST = 10
"""Fewest groups of each part: with fewer, neither could be cross-fitted."""


def choosing_items(y: Ints, groups: Ints, held_out: float, seed: int, source: str) -> Bools:
    """(N,) the items that rules are chosen on; about the share `held_out` is not among them.

    `y` and `groups` (N,) are numbers from 0: groups stay whole, and each part gets its share of every `y`. Raises
    InputError for too few groups to hold any out.
    """
    count = int(groups.max()) + 1
    if count * min(held_out, 1 - held_out) < _FEWEST:
        raise InputError(f"the items come in {count:,} groups, too few to hold {held_out:.0%} of them out", source)
    tenth = fold_numbers(y, groups, _TENTHS, seeded(seed, "harden", "held out"))
    return np.asarray(tenth >= max(1, round(held_out * _TENTHS)))


def cap_of(answers: int, kappa: float) -> float:
    """The share of the most common of k answers at which its uniform-chance kappa is `kappa`: 1/k + (1 - 1/k) kappa."""
    return 1 / answers + (1 - 1 / answers) * kappa


_LEAST = 0.8
"""An answer keeps at least so much of its share of the items: else it would be cheapest to drop it."""

_GRID = 201
"""Shares tried on the way from those of all items to equal ones, and as far away from them."""


def independent(counts: Ints, cap: float = 1.0) -> Ints:
    """A large table (S, Y) of integers below `counts` (form of a cue by answer) with the same answers in every form.

    For shares p of the answers, a form keeps the largest multiple of p below its counts. Tried are the shares of all
    items, those of every form, and steps towards equal ones, as far as no answer has more than the share `cap` nor
    less than 4/5 of its own: that keeps at least nine tenths of what the largest table would. Counts are rounded down;
    if all shares tried exceed `cap`, the answers are kept equal.
    """
    total = counts.sum(axis=0)
    if not total.any():
        return counts
    own = total / total.sum()
    equal = (total > 0) / (total > 0).sum()
    forms = np.unique(counts[counts.sum(axis=1) > 0], axis=0)
    steps = own + np.linspace(-1, 1, _GRID)[:, None] * (equal - own)
    tried = np.concatenate([[equal, own], forms / forms.sum(axis=1, keepdims=True), steps])
    fair = (tried.max(axis=1) <= cap + 1e-9) & (tried >= _LEAST * np.minimum(own, cap) - 1e-9).all(axis=1)
    best, most = np.zeros_like(counts), -1
    for shares in tried[fair] if fair.any() else tried[:1]:
        part = shares > 0
        room = (counts[:, part] / shares[part]).min(axis=1, keepdims=True)
        kept = np.floor(room * shares + 1e-9).astype(np.int64)
        if kept.sum() > most:
            best, most = kept, int(kept.sum())
    return best


def levelled(counts: Ints, cap: float) -> Ints:
    """The largest counts (Y,) below `counts` of which none is more than the share `cap` of their sum.

    All that are too many get the same number. With two answers or more and `cap` of at least 1/Y there is always one.
    """
    low, high = 0, int(counts.max())
    while low < high:  # the share of the largest never falls as `top` rises
        top = (low + high + 1) // 2
        kept = np.minimum(counts, top)
        low, high = (top, high) if kept.max() <= cap * kept.sum() else (low, top - 1)
    return np.minimum(counts, low)


def thin(gain: Floats, excess: NDArray[Any], cell: Ints, units: Ints, random: np.random.Generator) -> Bools:
    """Which of n items stay (n,), so that each cell loses its `excess` of `gain`, up to whole units.

    `gain` (n,) is what the removal of an item is good for, `cell` (n,) its cell, and `units` (n,) a number that the
    items of a matched set share: they stay or go together. A unit goes unless that would take from a cell something of
    which less than half is too much. Those with the largest gain per item go first, because then the fewest go; equal
    ones go at random, so that nothing but the cue changes: to remove the most predictable items would turn the cue
    round.
    """
    stays = np.ones(len(gain), dtype=np.bool_)
    excess = excess.astype(np.float64)
    unit = np.unique(units, return_inverse=True)[1]
    total, size = np.bincount(unit, gain), np.bincount(unit)
    layout = np.argsort(unit, kind="stable")
    start = np.searchsorted(unit[layout], np.arange(len(size) + 1))
    for number in np.lexsort((random.permutation(len(size)), -np.round(total / np.maximum(size, 1), 10))).tolist():
        if total[number] <= 0:
            break
        members = layout[start[number] : start[number + 1]]
        change = np.bincount(cell[members], gain[members], minlength=len(excess))
        above = change > 0
        if (excess[above] >= change[above] / 2).all():
            stays[members] = False
            excess -= change
    return stays


def thin_to(wanted: Ints, counts: Ints, cell: Ints, units: Ints, random: np.random.Generator) -> Bools:
    """Which of n items stay (n,), so that each cell has the number `wanted` of its `counts` (`thin`)."""
    excess = (counts - wanted).ravel()
    return thin((excess > 0)[cell].astype(np.float64), excess, cell, units, random)


_BIN, FEWEST_BINS, _MOST_BINS = 40, 3, 10
"""Items per bin of scores, and how many bins there are."""


def first_of_each(groups: Ints, rows: Bools, random: np.random.Generator) -> Bools:
    """(N,) a random item of every group among `rows`."""
    used = np.flatnonzero(rows)
    order = used[random.permutation(len(used))]
    stays = np.zeros_like(rows)
    stays[order[np.unique(groups[order], return_index=True)[1]]] = True
    return stays


def score_bins(score: Floats) -> Ints:
    """(n,) the bin of each item, from 0, with equally many items in each; ties go by their order."""
    count = int(np.clip(len(score) // _BIN, FEWEST_BINS, _MOST_BINS))
    rank = np.argsort(np.argsort(np.round(score, 10), kind="stable"), kind="stable")
    return np.asarray(rank * count // max(len(score), 1))


# Repairs take many looks, so a look has few splits and permutations, and fits loosely: the last digits of a weight show
# nothing. What is reported in the end are whole audits.

_LOOSELY = tuple(replace(how, tolerance=LOOSE) if how.penalty == "l1" else how for how in REGULARISATIONS)

_LOOK_SPLITS = 2
_PERMUTATIONS = 199
_SCORING = 4
"""Splits behind the scores by which items are matched."""

_EAGER = 4.0
"""The chosen items are fewer than all, and a weak cue is harder to see in them: alpha is so many times as large."""

_PAIR = 4
"""A group of at most so many items may be a matched set, which is kept or removed as a whole."""


@dataclass(frozen=True)
class Look:
    """What a look saw."""

    vectors: tuple[VectorResult, ...]
    """All counted vectors."""

    @property
    def strongest(self) -> VectorResult:
        """The vector with the largest matched kappa."""
        return max(self.vectors, key=lambda vector: or_least(vector.matched))

    def suspect(self, settings: Settings) -> VectorResult | None:
        """The strongest vector of those that may be wrong; None if nothing is."""
        alpha = min(_EAGER * settings.alpha, 0.5)
        significant = tuple(vector for vector in self.vectors if vector.significant(alpha))
        return Look(significant).strongest if significant else None

    def shows(self, settings: Settings) -> bool:
        """Whether a vector is significant, and the strongest reaches the threshold."""
        significant = any(vector.significant(settings.alpha) for vector in self.vectors)
        return significant and (self.strongest.matched or 0.0) >= settings.threshold


@dataclass(frozen=True)
class Rule:
    """One change: some items go, or the options of all of them are reordered."""

    kind: StepKind
    words: str
    """For the table of steps."""
    kept: Callable[[Bools, int], Bools]
    """Given rows (N,) of both parts and the number of the step: those that stay. Each part is treated alone."""
    reordered: Items | None = None
    """The items with their options reordered; None if the rule removes items."""


class Items(ABC):
    """N items, in an order that depends on their texts alone; `rows` and the like are (N,) truth values.

    Rules are chosen on one part of them and applied to both. Nobody changes items: rules say which stay.
    """

    steps: ClassVar[tuple[StepKind, ...]]
    """The kinds of steps that there are."""
    matching: ClassVar[str]
    """What the rule that matches items is called, before the name of a probe."""
    not_reordered: str = ""
    """Why options that should be reordered cannot be; empty if they can, or need not be."""

    def __init__(
        self,
        shown: Benchmark,
        order: list[int],
        groups: Ints,
        task: Task,
        vectors: Sequence[Vector],
        settings: Settings,
        held_out: float,
        workers: int,
    ) -> None:
        """`shown` are the N items as models see them, `order` their places in the source, `groups` (N,) are numbers.

        `vectors` are those that count. Raises InputError for too few groups to hold any out.
        """
        self.settings, self.order, self.groups, self.task, self.vectors = settings, order, groups, task, vectors
        self.strata = task.strata(task.gold)
        self._fitting = Fitting(settings.seed, _LOOSELY, workers=workers)
        self.chosen = choosing_items(self.strata, groups, held_out, settings.seed, shown.source)
        """(N,) the items that rules are chosen on; the others are held out."""
        self.units = np.where(self.matched_sets(), groups, len(groups) + np.arange(len(groups)))
        """(N,) items with the same number are kept or removed together."""
        self._texts = number_by_first(fold_text(text) for text in shown.prompts)
        prepare()

    # Where labels and options differ.

    @abstractmethod
    def cue(self, rows: Bools) -> Rule | None:
        """What removes the strongest cue that has a name; None without a significant one."""

    @abstractmethod
    def match(self, vector: str, rows: Bools, step: int) -> Bools:
        """The `rows` that stay so that the scores of a vector, by models that never saw the items, tell nothing."""

    @abstractmethod
    def uneven(self, rows: Bools, may: Callable[[StepKind], bool], *, suspect: bool) -> Iterator[Rule]:
        """What balances answers or positions, if they are uneven; `suspect` says whether a probe sees something."""

    @abstractmethod
    def left(self, rows: Bools) -> Benchmark:
        """Some of the items as anyone would read them: groups that nobody declared must be found again."""

    def matched_sets(self) -> Bools:
        """(N,) the items of small groups, which are kept or removed as a whole."""
        return np.asarray(np.bincount(self.groups)[self.groups] <= _PAIR)

    def is_enough(self, before: Bools, now: Bools) -> bool:
        """Whether `now` has enough left of the items `before`, in each part, to be cross-fitted."""
        parts = (now & self.chosen, now & ~self.chosen)
        return all(len(np.unique(self.groups[part])) >= self.settings.folds for part in parts)

    def moved(self, item: int) -> list[int] | None:
        """Which option of the source stands first, second, ... in an item now, from 0; None if none was moved."""
        return None

    # What they share.

    def part(self, rows: Bools) -> Benchmark:
        """Some of the items as a benchmark whose groups are declared to be those of all items."""
        left = self.left(rows)
        mapping = replace(left.mapping, group="group of all items", sources=())
        return replace(left, groups=[str(group) for group in self.groups[rows].tolist()], mapping=mapping)

    def measured(self, rows: Bools, together: Ints, vector: str = "") -> tuple[VectorResult, ...]:
        """Cross-fit one vector, or all counted ones, on `rows`; items of one number `together` (N,) share a fold."""
        vectors = [each for each in self.vectors if vector in ("", each.name)]
        folds = [self.folds(rows, together, f"look {split}") for split in range(_LOOK_SPLITS)]
        return self.judged(crossfit_folds(self.task, vectors, self._fitting, folds))

    def judged(self, scores: list[Scores]) -> tuple[VectorResult, ...]:
        """What a quick look says of some scores, without allowing for refitted probes."""
        quickly = msgspec.structs.replace(self.settings, permutations=_PERMUTATIONS)
        counted = {each.vector.name for each in scores}
        return tuple(measure("grouped", self.task, self.groups, scores, quickly, counted).result.vectors)

    def look(self, rows: Bools) -> Look:
        """What the counted vectors see in some of the items, with each group in one fold."""
        return Look(self.measured(rows, self.groups))

    def kappa_of(self, rows: Bools, vector: str) -> float | None:
        """The matched kappa of a vector, as a look at the same items has it."""
        return self.measured(rows, self.groups, vector)[0].matched

    def candidates(self, rows: Bools, look: Look, may: Callable[[StepKind], bool]) -> Iterator[Rule]:
        """The rules worth trying now, the cheapest first; none if nothing is wrong with `rows`, which are chosen items.

        `look` is the one at them, `may` says which kinds of steps may be taken.
        """
        suspect = look.suspect(self.settings)
        yield from self.uneven(rows, may, suspect=suspect is not None)
        if suspect is not None:
            cue = self.cue(rows) if may("cue") else None
            if cue is not None:
                yield cue
            vector, label = suspect.vector, suspect.label
            if may("match"):
                yield Rule("match", f"{self.matching} {label}", lambda rows, step: self.match(vector, rows, step))
            return
        size = np.bincount(self.groups[rows])
        together = size[size > 1].sum() >= GROUPED_SHARE * rows.sum()
        # Do folds that part templates, and only keep equal texts together, see what grouped folds do not?
        if may("templates") and together and Look(self.measured(rows, self._texts)).shows(self.settings):
            yield Rule(
                "templates",
                "keep one item of each template",
                lambda rows, step: first_of_each(self.groups, rows, self.random(step, "thin")),
            )

    def scored(self, rows: Bools, vector: str) -> Floats:
        """(R, k) out-of-fold probabilities of the rows of `task`, for `rows` of both parts, by models of the chosen
        ones: those that are held out by models that are each fitted on a random part of the groups. What other items
        get means nothing.
        """
        chosen, others = rows & self.chosen, rows & ~self.chosen
        drawn = [self.folds(chosen, self.groups, f"score {split}") for split in range(_SCORING)]
        # All splits of a fit must leave out the same items, so each is fitted on its own.
        values = np.mean(
            [self._fitted(vector, [np.where(others, 0, np.where(fold > 0, 1, -1))]) for fold in drawn], axis=0
        )
        own = self.task.rows(np.flatnonzero(chosen))
        values[own] = self._fitted(vector, drawn)[own]
        return np.asarray(values)

    def _fitted(self, vector: str, folds: Sequence[Ints]) -> Floats:
        """(R, k) out-of-fold probabilities of a vector. Each of `folds` (N,) is -1 for items that take no part."""
        plain = replace(self._fitting, candidates=REGULARISATIONS[:1])
        scores = crossfit_folds(self.task, [each for each in self.vectors if each.name == vector], plain, folds)[0]
        values = np.full((len(self.task.answers(self.task.gold)), self.task.k), np.nan)
        values[self.task.rows(scores.units)] = scores.probabilities
        return values

    def without_surplus(self, rows: Bools, step: int, kinds: Ints, answers: Ints, sizes: dict[int, int]) -> Bools:
        """The `rows` that stay if common answers lose items, until always giving one has half the threshold as kappa.

        `answers` (N,) are numbers from 0. Items of each of the `kinds` (N,) are treated alone; `sizes` says between how
        many answers they choose.
        """

        def stays(used: Ints, random: np.random.Generator) -> Bools:
            numbers, of = np.unique(kinds[used], return_inverse=True)
            width = int(answers.max()) + 1
            cell = of * width + answers[used]
            counts = np.bincount(cell, minlength=len(numbers) * width).reshape(-1, width)
            caps = [cap_of(sizes[number], self.settings.margin) for number in numbers.tolist()]
            wanted = np.stack([levelled(row, cap) for row, cap in zip(counts, caps, strict=True)])
            return thin_to(wanted, counts, cell, self.units[used], random)

        return self.in_each_part(rows, step, stays)

    def in_each_part(self, rows: Bools, step: int, stays: Callable[[Ints, np.random.Generator], Bools]) -> Bools:
        """(N,) the `rows` that stay, if `stays` says of the items (n,) of one part which of them (n,) do."""
        kept = rows.copy()
        for name, part in (("chosen", rows & self.chosen), ("held out", rows & ~self.chosen)):
            used = np.flatnonzero(part)
            if len(used):
                kept[used] = stays(used, self.random(step, name))
        return kept

    def folds(self, rows: Bools, together: Ints, name: str) -> Ints:
        """(N,) the fold of each of `rows`, -1 for the others."""
        fold = np.full(len(rows), -1, dtype=np.int64)
        held = np.unique(together[rows], return_inverse=True)[1]
        fold[rows] = fold_numbers(self.strata[rows], held, self.settings.folds, self.random(name))
        return fold

    def random(self, *stream: str | int) -> np.random.Generator:
        """A random stream of these repairs."""
        return seeded(self.settings.seed, "harden", *stream)
