"""Items with options of their own, as the search for rules sees them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import msgspec
import numpy as np

from hansproof.audit.benchmark import Benchmark, LeftOut
from hansproof.audit.probes.crossfit import Fitting
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.kappas import RefitWidening
from hansproof.audit.probes.logistic import REGULARISATIONS, prepare
from hansproof.audit.repair.option_rules import (
    BalancePositions,
    Filter,
    Match,
    OptionRule,
    Reorder,
    position_reading,
    strongest_choices,
)
from hansproof.audit.repair.records import StepKind
from hansproof.audit.repair.removal import LOOSELY, PAIR, Floats, Ints, ThinTemplates, choosing_items
from hansproof.audit.repair.search import Bools, Look, Rewrite, Subject
from hansproof.audit.result.audit_result import Settings, VectorResult
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.options.option_crossfit import OptionsDesign, crossfit, crossfit_folds
from hansproof.audit.tasks.options.option_kappas import measure
from hansproof.audit.tasks.options.option_result import is_clear
from hansproof.audit.tasks.options.option_rows import OptionPool, groups_in_pool, shown, usable_options
from hansproof.audit.tasks.options.views import AGAINST, ALONE, WORDS, View, tables, views
from hansproof.audit.texts.sentences import fold_text
from hansproof.audit.texts.similarity import number_by_first
from hansproof.audit.verdict.rule import GROUPED_SHARE

__all__ = ["OptionItems", "usable_items"]

_NAMES_AN_OPTION = re.compile(
    r"\b(?:options?|choices?|answers?|alternatives?|endings?)\s+\(?(?:[A-H]|\d)\b"
    r"|\b(?:first|second|third|fourth|fifth|last) (?:option|choice|answer|alternative|ending)\b"
)
"""`option B`, `the second choice`: such a text would name another option afterwards."""


def orders_of(bed: OptionsDesign, seed: int) -> list[list[int]]:
    """(n,) which option stands first, second, ... in each item, from 0.

    The options stand in the order of a hash of the seed, the question and their texts. An item stays as it is if an
    option speaks of other ones ("all of the above", "both A and C") or any of its texts names one by its letter or
    place.
    """
    pool = bed.pool
    above = bed.tables["question"].numbers["question-cues"][:, (*ALONE, *AGAINST).index(WORDS[0])]
    orders = []
    for item, (first, last) in enumerate(zip(pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True)):
        texts = pool.texts[first:last]
        fixed = above[first:last].any() or any(map(_NAMES_AN_OPTION.search, (pool.questions[item], *texts)))
        order = list(range(last - first))
        if not fixed:
            named = [f"{seed}\0{pool.questions[item]}\0{text}".encode("utf-8", "surrogatepass") for text in texts]
            order.sort(key=lambda place: blake2b(named[place], digest_size=16).digest())
        orders.append(order)
    return orders


_SPLITS, _PERMUTATIONS, _SCORING = 2, 199, 4
"""Splits and permutations of a look, and splits behind the scores by which items are matched, as for labels."""


def usable_items(benchmark: Benchmark, settings: Settings) -> Benchmark:
    """The items that an audit of options can use, and the others among those left out.

    Raises NotAssessedError as `audit.tasks.options.option_rows.usable_options` does.
    """
    options = usable_options(benchmark, settings)
    places = benchmark.places or benchmark.ids
    faulty = [LeftOut(places[number], fault) for number, fault in enumerate(options.faults) if fault]
    return replace(benchmark.taken(options.usable), left_out=(*benchmark.left_out, *faulty))


@dataclass(eq=False)
class OptionItems(Subject[OptionRule]):
    """The items of a benchmark, in the order of a pool, whose rows follow the order of their options."""

    benchmark: Benchmark
    bed: OptionsDesign
    """The options in their present order."""
    views: tuple[View, ...]
    """The counted ones."""
    settings: Settings
    order: list[int]
    groups: Ints
    same: Ints
    """(N,) a number for each text."""
    units: Ints
    """(N,) items with the same number are kept or removed together."""
    chosen: Bools
    orders: list[list[int]]
    """(N,) which option should stand first, second, ... in each item; empty if their order means nothing."""
    refusal: str = ""
    """Why the source cannot be written with these orders."""
    reordered: bool = False
    """Whether the options have these orders already."""

    @classmethod
    def of(
        cls, benchmark: Benchmark, settings: Settings, held_out: float, workers: int, rewrite: Rewrite
    ) -> OptionItems:
        """Group, part and count the items, all of which can be used. Raises InputError for too few groups to part."""
        options = benchmark.options
        assert options is not None
        pool = OptionPool.of(benchmark, options)
        texts = shown(benchmark, options, pool)
        groups = groups_in_pool(texts, pool, settings.groups).index
        small = np.bincount(groups)[groups] <= PAIR
        chosen = choosing_items(pool.strata, groups, held_out, settings.seed, benchmark.source)
        prepare()
        bed = OptionsDesign(pool, tables(pool, groups), Fitting(2, settings.seed, LOOSELY, workers=workers))
        orders = orders_of(bed, settings.seed) if options.ordered else []
        moving = {place: order for place, order in zip(pool.source, orders) if order != sorted(order)}
        items = cls(
            benchmark=benchmark,
            bed=bed,
            views=tuple(view for view in views(pool) if view.counted),
            settings=settings,
            order=pool.source,
            groups=groups,
            same=number_by_first(fold_text(text) for text in texts.prompts),
            units=np.where(small, groups, pool.n + np.arange(pool.n)),
            chosen=chosen,
            orders=orders,
        )
        if orders and items.position(chosen) is not None:
            items.refusal = rewrite(benchmark, moving) if moving else "the options speak of each other"
            items.not_reordered = items.refusal
        elif orders:
            items.refusal = "their position did not tell the right one at first"
        return items

    @property
    def pool(self) -> OptionPool:
        """The items and their options."""
        return self.bed.pool

    def look(self, rows: Bools) -> Look:
        """As `Subject` says."""
        return Look(self._measured(rows, self.groups, self.views))

    def kappa_of(self, rows: Bools, vector: str) -> float | None:
        """As `Subject` says."""
        return self._measured(rows, self.groups, [self._view(vector)])[0].matched

    def candidates(self, rows: Bools, look: Look, may: Callable[[StepKind], bool]) -> Iterator[OptionRule]:
        """As `Subject` says."""
        settings = self.settings
        reach = self.position(rows) if self.orders and may("positions") else None
        if reach is not None and not self.reordered and not self.refusal:
            yield Reorder()
        elif reach is not None and reach >= settings.threshold:
            yield BalancePositions()
        if look.is_suspect(settings):
            if may("cue"):
                yield from strongest_choices(self.bed, np.flatnonzero(rows), self.groups, settings)[:1]
            view = self._view(look.strongest_suspect(settings))
            if may("match"):
                yield Match(view)
            if may("filter"):
                yield Filter(view)
            return
        size = np.bincount(self.groups[rows])
        together = size[size > 1].sum() >= GROUPED_SHARE * rows.sum()
        # Do random folds see what grouped folds do not?
        if may("templates") and together and Look(self._measured(rows, self.same, self.views)).shows(settings):
            yield ThinTemplates()

    def applied(self, rule: OptionRule, rows: Bools, step: int) -> tuple[OptionItems, Bools]:
        """As `Subject` says."""
        return (self._with_orders() if isinstance(rule, Reorder) else self), rule.kept(self, rows, step)

    def is_enough(self, before: Bools, now: Bools) -> bool:
        """Whether each part still has a group for every fold."""
        parts = (now & self.chosen, now & ~self.chosen)
        return all(len(np.unique(self.groups[part])) >= self.settings.folds for part in parts)

    def part(self, rows: Bools) -> Benchmark:
        """As `Subject` says."""
        used = np.flatnonzero(rows).tolist()
        left = self.left(rows)
        mapping = replace(left.mapping, group="group of all items", sources=())
        return replace(left, groups=[str(self.groups[row]) for row in used], mapping=mapping)

    def left(self, rows: Bools) -> Benchmark:
        """As `Subject` says; the options stand in their present order."""
        pool, options = self.pool, self.benchmark.options
        assert options is not None
        texts, gold = list(options.texts), list(options.gold)
        for item, (first, last) in enumerate(zip(pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True)):
            texts[self.order[item]] = pool.texts[first:last]
            gold[self.order[item]] = int(pool.gold[item]) - first
        now = replace(self.benchmark, options=replace(options, texts=texts, gold=gold), choices=None, accepted=None)
        return now.taken([self.order[row] for row in np.flatnonzero(rows).tolist()])

    def moved(self, item: int) -> list[int] | None:
        """As `Subject` says."""
        order = self.orders[item] if self.reordered else []
        return None if order == sorted(order) else order

    def position(self, rows: Bools) -> float | None:
        """The kappa of the most common position among some of the items; None if it is small or may be chance."""
        items = np.flatnonzero(rows)
        bed, groups = self.bed.of(items), self._numbers(self.groups, items)
        random = seeded(self.settings.seed, "rules", "folds")
        fold = fold_numbers(bed.pool.strata, groups, self.settings.folds, random)
        reading = position_reading(bed, groups, fold)
        return reading.kappa if reading is not None and is_clear(reading) else None

    def scored(self, rows: Bools, view: View) -> tuple[Floats, Floats]:
        """By models of chosen `rows` that never saw the item: how likely each option is to be right (R,), and the share
        of splits in which the right one is the most likely (N,); 0 for other items.
        """
        chosen, others = rows & self.chosen, rows & ~self.chosen
        drawn = [self._folds(chosen, f"score {split}") for split in range(_SCORING)]
        inner = self._plainly(view, drawn)
        # Held-out items are left out by every split, so each is fitted on its own, on a random part of the chosen ones.
        every = [self._plainly(view, [np.where(others, 0, np.where(fold > 0, 1, -1))]) for fold in drawn]
        outer = np.mean([of[0] for of in every], axis=0), np.mean([of[1] for of in every], axis=0)
        own = chosen[self.pool.item]
        return np.where(own, inner[0], outer[0]), np.where(chosen, inner[1], outer[1])

    def _plainly(self, view: View, drawn: Sequence[Ints]) -> tuple[Floats, Floats]:
        plain = replace(self.bed, fitting=replace(self.bed.fitting, candidates=REGULARISATIONS[:1]))
        (scores,) = crossfit_folds(plain, [view], self.pool.gold, drawn)
        return scores.probabilities, scores.shares[:, self.pool.gold].mean(axis=0, dtype=np.float64)

    def _folds(self, rows: Bools, name: str) -> Ints:
        """(N,) the fold of each of `rows`, -1 for the others."""
        items, fold = np.flatnonzero(rows), np.full(len(rows), -1, dtype=np.int64)
        random = seeded(self.settings.seed, "harden", name)
        fold[items] = fold_numbers(
            self.pool.strata[items], self._numbers(self.groups, items), self.settings.folds, random
        )
        return fold

    def _with_orders(self) -> OptionItems:
        """The same items with their options in the wanted orders."""
        pool = self.pool
        rows = np.concatenate([first + np.array(order) for first, order in zip(pool.start.tolist(), self.orders)])
        new = np.empty_like(rows)
        new[rows] = np.arange(len(rows))
        turned = OptionPool(
            [pool.texts[row] for row in rows.tolist()], pool.questions, pool.start, new[pool.gold], pool.source
        )
        bed = OptionsDesign(turned, {name: table.of(rows) for name, table in self.bed.tables.items()}, self.bed.fitting)
        return replace(self, bed=bed, reordered=True)

    def _view(self, name: str) -> View:
        return next(view for view in self.views if view.name == name)

    def _measured(self, rows: Bools, together: Ints, views: Sequence[View]) -> tuple[VectorResult, ...]:
        """`views` on some of the items, with those of equal numbers `together` (N,) in one fold."""
        items = np.flatnonzero(rows)
        bed, groups = self.bed.of(items), self._numbers(self.groups, items)
        scores = crossfit(
            bed, views, bed.pool.gold, self._numbers(together, items), scheme="harden look",
            folds=self.settings.folds, splits=_SPLITS,
        )  # fmt: skip
        settings = msgspec.structs.replace(self.settings, permutations=_PERMUTATIONS)
        measured = measure(
            "grouped", bed.pool, groups, scores, settings, None, lambda strongest, null_sd: RefitWidening()
        )
        return tuple(measured.result.vectors)

    @staticmethod
    def _numbers(groups: Ints, items: Ints) -> Ints:
        """(m,) the groups of some items, numbered from 0."""
        return np.asarray(np.unique(groups[items], return_inverse=True)[1], dtype=np.int64)
