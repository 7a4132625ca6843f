"""Items with options of their own: what is seen in them, how they are reordered, what cuts a choice down to chance."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from hansproof.audit.benchmark import MOST, Benchmark, LeftOut, Options
from hansproof.audit.notation import drawn
from hansproof.audit.probes.crossfit import Scores
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.repair.items import Bools, Floats, Ints, Items, Rule, score_bins, thin
from hansproof.audit.repair.records import StepKind
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.shortcuts.short_rules import FEWEST_ITEMS, LEVELS
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.options.multiple_choice import MultipleChoice
from hansproof.audit.tasks.options.option_crossfit import OptionTask, choice_kappa, chosen, largest_within
from hansproof.audit.tasks.options.option_rows import OptionPool, groups_in_pool, shown, usable_options
from hansproof.audit.tasks.options.option_shortcuts import is_clear, judged, rules_on, scores_of, within_items
from hansproof.audit.tasks.options.views import AGAINST, ALONE, CUES, UNCOUNTED, WORDS, tables, views
from hansproof.audit.tasks.shape import assess

__all__ = ["OptionItems"]

_NAMES_AN_OPTION = re.compile(
    r"\b(?:options?|choices?|answers?|alternatives?|endings?)\s+\(?(?:[A-H]|\d)\b"
    r"|\b(?:first|second|third|fourth|fifth|last) (?:option|choice|answer|alternative|ending)\b"
)
"""`option B`, `the second choice`: such a text would name another option afterwards."""


def orders_of(bed: OptionTask, seed: int) -> list[list[int]]:
    """(n,) which option stands first, second, ... in each item, from 0.

    The options stand in the order of a hash of the seed, the question and their texts. An item stays as it is if an
    option speaks of other ones ("all of the above", "both A and C") or any of its texts names one by its letter or
    place.
    """
    pool = bed.pool
    above = _rule_values(bed)[:, (*ALONE, *AGAINST).index(WORDS[0])]
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


class OptionItems(Items):
    """The items of a benchmark with options, in the order of a pool, whose rows follow the order of their options."""

    steps = ("positions", "cue", "match", "templates")
    matching = "match the items on the choice of"
    assess = staticmethod(partial(assess, MultipleChoice))

    @staticmethod
    def usable(benchmark: Benchmark, settings: Settings) -> Benchmark:
        """The items that an audit of options can use, and the others among those left out.

        Raises NotAssessedError as `audit.tasks.options.option_rows.usable_options` does.
        """
        options = usable_options(benchmark, settings)
        places = benchmark.places or benchmark.ids
        faulty = [LeftOut(places[number], fault) for number, fault in enumerate(options.faults) if fault]
        return replace(benchmark.taken(options.usable), left_out=(*benchmark.left_out, *faulty))

    def __init__(self, benchmark: Benchmark, settings: Settings, held_out: float, workers: int) -> None:
        """Group, part and count the items, all of which can be used. Raises InputError for too few groups to part."""
        options = benchmark.options
        assert options is not None
        self._benchmark = benchmark
        pool = OptionPool.of(benchmark, options)
        texts = shown(benchmark, options, pool)
        groups = groups_in_pool(texts, pool, settings.groups).index
        vectors = [view for view in views(pool) if view.name != UNCOUNTED]
        task = OptionTask(tables(pool, groups), pool)
        super().__init__(texts, pool.source, groups, task, vectors, settings, held_out, workers)
        self.task: OptionTask = task  # the options stand in their present order
        self._orders = orders_of(self.task, settings.seed) if options.ordered else []
        """(N,) which option should stand first, second, ... in each item; empty if their order means nothing."""
        self._reordered = False
        self._may_reorder = bool(self._orders) and self.position(self.chosen) is not None
        if self._may_reorder:
            self.not_reordered = _why_not(options, benchmark.prompts, self._orders)

    def left(self, rows: Bools) -> Benchmark:
        """As `Items` says; the options stand in their present order."""
        pool, options = self.task.pool, self._benchmark.options
        assert options is not None
        texts, gold = list(options.texts), list(options.gold)
        for item, (first, last) in enumerate(zip(pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True)):
            texts[self.order[item]] = pool.texts[first:last]
            gold[self.order[item]] = int(pool.gold[item]) - first
        now = replace(self._benchmark, options=replace(options, texts=texts, gold=gold), choices=None, accepted=None)
        return now.taken([self.order[row] for row in np.flatnonzero(rows).tolist()])

    def moved(self, item: int) -> list[int] | None:
        """As `Items` says."""
        order = self._orders[item] if self._reordered else []
        return None if order == sorted(order) else order

    def uneven(self, rows: Bools, may: Callable[[StepKind], bool], *, suspect: bool) -> Iterator[Rule]:
        """As `Items` says: to reorder options costs no item, so it is tried first."""
        pool = self.task.pool
        size, position = pool.size, pool.position[pool.gold]
        sizes = range(2, MOST + 1)
        reach = self.position(rows) if self._orders and may("positions") else None
        if reach is not None and self._may_reorder and not self._reordered and not self.not_reordered:
            yield Rule("positions", "reorder the options", lambda rows, step: rows, self._in_their_orders())
        elif reach is not None and reach >= self.settings.threshold:
            yield Rule(
                "positions",
                "balance the positions of the right options",
                lambda rows, step: self.without_surplus(rows, step, size, position, dict(zip(sizes, sizes))),
            )

    def cue(self, rows: Bools) -> Rule | None:
        """A way to choose an option without the question is right as often as chance afterwards."""
        choice = strongest_choice(self, rows)
        if choice is None:
            return None
        gain, words = self._gain(choice.scores), f"cut the choice of {choice.name} down to chance"
        return Rule("cue", words, lambda rows, step: self._cut(rows, step, gain, np.zeros_like))

    def match(self, vector: str, rows: Bools, step: int) -> Bools:
        """What a probe chooses is right as often as chance, however certain it is."""
        scores, start = np.nan_to_num(self.scored(rows, vector)[:, 1]), self.task.pool.start
        total = np.add.reduceat(scores, start[:-1])
        certain = largest_within(scores, start) / np.where(total > 0, total, 1.0)
        return self._cut(rows, step, self._gain(scores), lambda used: score_bins(certain[used]))

    def position(self, rows: Bools) -> float | None:
        """The kappa of the most common position among some of the items, learnt outside the fold of each; None if it is
        small or may be chance.
        """
        items = np.flatnonzero(rows)
        bed, groups = self.task.taken(items), _numbered(self.groups[items])
        fold = fold_numbers(bed.pool.strata, groups, self.settings.folds, seeded(self.settings.seed, "rules", "folds"))
        common = judged(rules_on(bed.pool, _rule_values(bed), fold, ordered=True)[0], bed.pool, groups)
        return common.kappa if is_clear(common) else None

    def _gain(self, scores: Floats) -> Floats:
        """(N,) by how much the option with the highest of the `scores` (R,) is right beyond chance."""
        pool = self.task.pool
        return np.asarray(chosen(scores, pool.start)[pool.gold] - 1 / pool.size)

    def _cut(self, rows: Bools, step: int, gain: Floats, cells: Callable[[Ints], Ints]) -> Bools:
        """Choices that are right beyond chance go in each part of `rows`; `cells` gives the cells of some items."""

        def stays(used: Ints, random: np.random.Generator) -> Bools:
            cell = cells(used)
            return thin(gain[used], np.bincount(cell, gain[used]), cell, self.units[used], random)

        return self.in_each_part(rows, step, stays)

    def _in_their_orders(self) -> OptionItems:
        """The same items with their options in the wanted orders."""
        pool = self.task.pool
        rows = np.concatenate([first + np.array(order) for first, order in zip(pool.start.tolist(), self._orders)])
        new = np.empty_like(rows)
        new[rows] = np.arange(len(rows))
        texts = [pool.texts[row] for row in rows.tolist()]
        turned = OptionPool(texts, pool.questions, pool.start, new[pool.gold], pool.source)
        items = copy(self)
        items._reordered = True
        items.task = replace(
            self.task, pool=turned, tables={name: table.of(rows) for name, table in self.task.tables.items()}
        )
        return items


def _why_not(options: Options, prompts: Sequence[str], orders: Sequence[list[int]]) -> str:
    """Why the items cannot be written with their options in other orders, as a clause; empty if they can."""
    if list(options.questions) != list(prompts):
        return "the prompts print the options"
    if all(order == sorted(order) for order in orders):
        return "the options speak of each other"
    if any(len(text) == 1 and text.isalpha() for texts in options.texts for text in texts):
        return "some options are letters, which the letter of the right one could be taken for"
    return ""


class Chooser(NamedTuple):
    """A way to choose an option without the question."""

    name: str
    """What it chooses: `the longest (characters)`."""
    scores: Floats
    """(R,) the option with the highest score of its item is chosen."""


def strongest_choice(items: OptionItems, rows: Bools) -> Chooser | None:
    """What chooses the right option among `rows` significantly more often than chance, with the largest kappa; or None.

    Rules that are learnt, and positions, are not considered; p is corrected for all rules (max-T), and that of an
    n-gram for all n-grams (Bonferroni).
    """
    task, used = items.task, np.flatnonzero(rows)
    pool = task.pool
    known = rules_on(pool, _rule_values(task), np.zeros(pool.n, dtype=np.int64), ordered=False)
    choices = [Chooser(rule.name, rule.scores) for rule in known if not rule.learnt]
    held, taken = pool.rows_of(used), pool.taken(used)

    def scored(choice: Chooser) -> Scores:
        shares = chosen(choice.scores[held], taken.start)[None].astype(np.float32)
        view = replace(CUES, name=choice.name, label=choice.name)
        return replace(scores_of(view, taken, shares, []), units=used)

    judged = items.judged([scored(choice) for choice in choices])
    guilty = [choice for choice, of in zip(choices, judged, strict=True) if of.significant(items.settings.alpha)]
    ngram = _strongest_ngram(task, used, _numbered(items.groups[used]), items.settings.alpha)
    guilty += [ngram] if ngram is not None else []

    def reach(choice: Chooser) -> float:
        return choice_kappa(chosen(choice.scores, pool.start)[pool.gold[used]], pool.size[used])

    best = max(guilty, key=reach, default=None)
    return best if best is not None and reach(best) > 0 else None


def _rule_values(bed: OptionTask) -> Floats:
    return bed.tables["question"].numbers["rules"]


def _numbered(groups: Ints) -> Ints:
    """The groups of some items, numbered from 0."""
    return np.asarray(np.unique(groups, return_inverse=True)[1], dtype=np.int64)


def _strongest_ngram(bed: OptionTask, items: Ints, groups: Ints, alpha: float) -> Chooser | None:
    """To look for the n-gram with the largest |z| within items, or to avoid it; None unless it is significant.

    Items count by the inverse of the size of their group, so that a template of a hundred items is one observation.
    `groups` (m,) are those of the m `items`.
    """
    pool = bed.pool.taken(items)
    rows, table = bed.pool.rows_of(items), bed.tables["option"]
    weight = sp.csr_matrix(1.0 / np.bincount(groups)[groups])
    best: tuple[float, str, int] | None = None
    tests = 0
    for level in LEVELS:
        presence = table.presence(level)
        off, variance = within_items(presence[rows].astype(np.float64), pool)
        telling = np.flatnonzero(
            np.bincount(variance.indices[variance.data > 1e-12], minlength=presence.shape[1]) >= FEWEST_ITEMS
        )
        if not len(telling):
            continue
        tests += len(telling)
        moved = (weight @ off[:, telling]).toarray()[0]
        spread = (weight.multiply(weight) @ variance[:, telling]).toarray()[0]
        z = np.round(moved / np.sqrt(spread), 8)
        at = int(np.abs(z).argmax())
        if best is None or abs(z[at]) > abs(best[0]):
            best = float(z[at]), level, int(telling[at])
    if best is None:
        return None
    from scipy.stats import norm

    z_best, level, column = best
    if 2 * float(norm.sf(abs(z_best))) * tests >= alpha:
        return None
    having = table.presence(level)[:, [column]].toarray().ravel() > 0
    name = f"an option {'with' if z_best > 0 else 'without'} “{drawn(table.ngram_text(level, column))}”"
    return Chooser(name, np.where(having, np.sign(z_best), 0.0))
