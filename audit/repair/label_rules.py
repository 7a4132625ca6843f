"""The rules by which items with labels are removed, as the search for rules sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import drawn
from hansproof.audit.probes.kappas import common_answers
from hansproof.audit.repair.label_items import LabelledItems, NgramCue, bearing, kappa_of, scored, strongest_cue
from hansproof.audit.repair.label_items import look as pool_look
from hansproof.audit.repair.records import StepKind
from hansproof.audit.repair.removal import (
    FEWEST_BINS,
    Bools,
    Ints,
    ThinTemplates,
    by_part,
    cap_of,
    independent,
    levelled,
    score_bins,
    thin,
    without_the_surest,
)
from hansproof.audit.repair.search import Look, Named, Subject
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.texts.vectors import by_name
from hansproof.audit.verdict.rule import GROUPED_SHARE

__all__ = ["Labels"]

# To balance makes a cue (an n-gram, the template, a probe's score) independent of the answer by removing random items
# of the cells that have too many, as in matching on the propensity score (Rosenbaum & Rubin 1983). `Filter` removes the
# groups that are predicted best, as AFLite does (Sakaguchi et al. 2020, Le Bras et al. 2020).

_LEAST = 0.8
"""An answer keeps at least so much of its share of the items, where it can: else it would be cheapest to drop it."""


class Rule(Named, Protocol):
    """What is removed and why."""

    def kept(self, pool: LabelledItems, rows: Bools, step: int) -> Bools:
        """(N,) the items of `rows` that stay. `rows` are in both parts, each of which is treated alone."""


def _balanced(pool: LabelledItems, rows: Bools, form: Ints, target: Ints, step: int) -> Bools:
    """Make `form` (N,) independent of `target` (N,) among the items of each part of `rows`."""
    stays = rows.copy()
    for name, part in by_part(pool.chosen, rows):
        used = np.flatnonzero(part)
        if not len(used):
            continue
        forms, places = np.unique(form[used], return_inverse=True)
        answers = np.unique(target[used], return_inverse=True)[1]
        width = int(answers.max()) + 1
        cell = places * width + answers
        counts = np.bincount(cell, minlength=len(forms) * width)
        table = counts.reshape(len(forms), width)
        cap = _cap(pool, target[used]) if width == len(np.unique(pool.y[used])) else 1.0
        wanted = independent(table, cap, _LEAST).ravel()
        random = seeded(pool.settings.seed, "harden", step, name)
        stays[used] = thin(cell, counts, wanted, pool.units[used], random)
    return stays


def _cap(pool: LabelledItems, y: Ints) -> float:
    """The largest share of an answer: what it is now, if that is no fault, or that with half the threshold.

    Where answers must be balanced anyway, those items go that balance the cue as well.
    """
    counts = np.bincount(y)
    common, share = common_answers(counts), float((counts / len(y)).max())
    cap = cap_of(common, pool.settings.margin)
    return cap if share >= cap_of(common, pool.settings.threshold) else max(cap, share)


@dataclass(frozen=True)
class BalanceAnswers:
    """The most common answers lose items until always giving one has a kappa of half the threshold."""

    kind: StepKind = "answers"
    words: str = "balance the answers"

    def kept(self, pool: LabelledItems, rows: Bools, step: int) -> Bools:
        """As `Rule` says."""
        stays = rows.copy()
        for name, part in by_part(pool.chosen, rows):
            used = np.flatnonzero(part)
            counts = np.bincount(pool.y[used], minlength=len(pool.labels))
            wanted = levelled(counts, cap_of(common_answers(counts), pool.settings.margin))
            random = seeded(pool.settings.seed, "harden", step, name)
            stays[used] = thin(pool.y[used], counts, wanted, pool.units[used], random)
        return stays


@dataclass(frozen=True)
class BalanceCue:
    """An n-gram occurs equally often with every answer afterwards, or no longer at all."""

    cue: NgramCue
    ngram: str
    kind: StepKind = "cue"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        often = f" {self.cue.times} times or more" if self.cue.times > 1 else ""
        return f"balance “{drawn(self.ngram)}”{often} over the answers"

    def kept(self, pool: LabelledItems, rows: Bools, step: int) -> Bools:
        """As `Rule` says."""
        return _balanced(pool, rows, bearing(pool, self.cue).astype(np.int64), pool.y, step)


@dataclass(frozen=True)
class BalanceTemplates:
    """Within every group, all answers are equally frequent afterwards."""

    kind: StepKind = "templates"
    words: str = "balance the answers within each template"

    def kept(self, pool: LabelledItems, rows: Bools, step: int) -> Bools:
        """As `Rule` says."""
        return _balanced(pool, rows, pool.groups, pool.y, step)


@dataclass(frozen=True)
class Match:
    """Items are matched on the probability that a probe gives to an answer, by models that never saw them.

    In the held-out part, the probabilities come from models of the chosen items alone.
    """

    vector: str
    kind: StepKind = "match"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return f"match the answers on the score of {by_name(self.vector).label}"

    def kept(self, pool: LabelledItems, rows: Bools, step: int) -> Bools:
        """As `Rule` says."""
        values = scored(pool, rows, self.vector)[0]
        label = self._label(pool, rows & pool.chosen, values)
        form = np.zeros(len(pool.y), dtype=np.int64)
        for _, part in by_part(pool.chosen, rows):
            used = np.flatnonzero(part)
            form[used] = score_bins(values[used, label])
        return _balanced(pool, rows, form, (pool.y == label).astype(np.int64), step)

    def _label(self, pool: LabelledItems, chosen: Bools, values: NDArray[np.float64]) -> int:
        """The answer whose probability goes best with it; of two answers, the first, since both say the same."""
        if len(pool.labels) == 2:
            return 0
        best, most = 0, -1.0
        for label in range(len(pool.labels)):
            hit = pool.y[chosen] == label
            if hit.sum() >= FEWEST_BINS * 2 and np.std(values[chosen, label]) > 0:
                fit = float(np.corrcoef(hit, values[chosen, label])[0, 1])
                best, most = (label, fit) if fit > most else (best, most)
        return best


@dataclass(frozen=True)
class Filter:
    """The groups that are predicted right most reliably go, until as many are left as chance would predict right.

    AFLite removes them all. That turns the cue round: of answers that are pure chance, only those are left that
    contradict the model, and on groups that the choice never saw, the opposite of the model is then a cue of its own,
    with a kappa of .4 and more in our simulations. `bounded=False` does so all the same.
    """

    vector: str
    bounded: bool = True
    kind: StepKind = "filter"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return f"remove the groups that {by_name(self.vector).label} predict best"

    def kept(self, pool: LabelledItems, rows: Bools, step: int) -> Bools:
        """As `Rule` says."""
        right, stays = scored(pool, rows, self.vector)[1], rows.copy()
        for name, part in by_part(pool.chosen, rows):
            random = seeded(pool.settings.seed, "harden", step, "filter", name)
            chance = float((pool.shares(part) ** 2).sum()) if self.bounded else None
            stays &= without_the_surest(right, pool.groups, part, chance, random)
        return stays


class Labels(Subject[Rule]):
    """The items of a benchmark, in the order of their pool."""

    def __init__(self, benchmark: Benchmark, pool: LabelledItems) -> None:
        """`benchmark` has the items in the order of the source."""
        self._pool, self._mapping = pool, benchmark.mapping
        self.settings, self.order, self.groups, self.chosen = pool.settings, pool.order, pool.groups, pool.chosen

    def look(self, rows: Bools) -> Look:
        """As `Subject` says."""
        return pool_look(self._pool, rows)

    def kappa_of(self, rows: Bools, vector: str) -> float | None:
        """As `Subject` says."""
        return kappa_of(self._pool, rows, vector)

    def applied(self, rule: Rule, rows: Bools, step: int) -> tuple[Labels, Bools]:
        """As `Subject` says; no rule changes the subject."""
        return self, rule.kept(self._pool, rows, step)

    def is_enough(self, before: Bools, now: Bools) -> bool:
        """Whether each part still has enough groups, and every answer that it had often enough."""
        pool, fewest = self._pool, self.settings.folds
        for part in (pool.chosen, ~pool.chosen):
            had = np.bincount(pool.y[before & part], minlength=len(pool.labels))
            has = np.bincount(pool.y[now & part], minlength=len(pool.labels))
            if (has[had >= fewest] < fewest).any() or len(np.unique(pool.groups[now & part])) < fewest:
                return False
        return True

    def part(self, rows: Bools) -> Benchmark:
        """As `Subject` says."""
        return self._pool.part(rows)

    def left(self, rows: Bools) -> Benchmark:
        """As `Subject` says."""
        declared = self._pool.benchmark.groups
        groups = None if declared is None else [declared[row] for row in np.flatnonzero(rows).tolist()]
        return replace(self.part(rows), groups=groups, mapping=self._mapping)

    def candidates(self, rows: Bools, look: Look, may: Callable[[StepKind], bool]) -> Iterator[Rule]:
        """As `Subject` says."""
        pool = self._pool
        if look.is_suspect(self.settings):
            cue = strongest_cue(pool, rows) if may("cue") else None
            if cue is not None and cue.p < self.settings.alpha:
                yield BalanceCue(cue, pool.table.ngram_text(cue.level, cue.column))
            strongest = look.strongest_suspect(self.settings)
            if may("match"):
                yield Match(strongest)
            if may("filter"):
                yield Filter(strongest)
            return
        share = pool.shares(rows)
        common = max(int((share >= 0.01).sum()), 2)
        if may("answers") and (share.max() - 1 / common) / (1 - 1 / common) >= self.settings.threshold:
            yield BalanceAnswers()
            return
        size = np.bincount(pool.groups[rows])
        together = size[size > 1].sum() >= GROUPED_SHARE * rows.sum()
        # Do random folds see what grouped folds do not?
        if may("templates") and together and pool_look(pool, rows, "random").shows(self.settings):
            rules: list[Rule] = [BalanceTemplates(), ThinTemplates()]
            yield from sorted(rules, key=lambda rule: -int(rule.kept(pool, rows, 0).sum()))
