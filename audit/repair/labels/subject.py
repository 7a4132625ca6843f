"""Items that share one set of answers, as the search for rules sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from audit.benchmark import Benchmark
from audit.repair.labels.cues import strongest_cue
from audit.repair.labels.look import kappa_of, look
from audit.repair.labels.pool import Pool
from audit.repair.labels.rules import BalanceAnswers, BalanceCue, BalanceTemplates, Filter, Match, Rule
from audit.repair.records import StepKind
from audit.repair.subject import Bools, Look, Subject
from audit.repair.templates import ThinTemplates
from audit.verdict.rule import GROUPED_SHARE

__all__ = ["Labels"]


class Labels(Subject[Rule]):
    """The items of a benchmark, in the order of their pool."""

    def __init__(self, benchmark: Benchmark, pool: Pool) -> None:
        """`benchmark` has the items in the order of the source."""
        self._pool, self._mapping = pool, benchmark.mapping
        self.settings, self.order, self.groups, self.chosen = pool.settings, pool.order, pool.groups, pool.chosen

    def look(self, rows: Bools) -> Look:
        """As `Subject` says."""
        return look(self._pool, rows)

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
        if may("templates") and size[size > 1].sum() >= GROUPED_SHARE * rows.sum() and self._is_template_bound(rows):
            rules: list[Rule] = [BalanceTemplates(), ThinTemplates()]
            yield from sorted(rules, key=lambda rule: -int(rule.kept(pool, rows, 0).sum()))

    def _is_template_bound(self, rows: Bools) -> bool:
        """Whether random folds see what grouped folds do not."""
        loose = look(self._pool, rows, "random")
        return loose.p < self.settings.alpha and (loose.strongest.matched or 0.0) >= self.settings.threshold
