"""Items with labels: what is seen in them, and what makes a cue independent of their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import drawn
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.repair.items import (
    FEWEST_BINS,
    Bools,
    Floats,
    Ints,
    Items,
    Rule,
    cap_of,
    independent,
    score_bins,
    thin_to,
)
from hansproof.audit.repair.records import StepKind
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.shortcuts.short_rules import find_mentions
from hansproof.audit.statistics.kappa import common_answers
from hansproof.audit.tasks.group_layout import groups_of
from hansproof.audit.tasks.labels import Labels
from hansproof.audit.tasks.shape import assess
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import FURTHER, THIRTEEN

__all__ = ["LabelItems"]

_FEWEST = 5
"""Items with and without an n-gram that make it worth a test."""


class NgramCue(NamedTuple):
    """An n-gram that some items have."""

    level: str
    column: int
    p: float
    """Of the chi-square test of independence, times the number of n-grams tested (Bonferroni)."""


class LabelItems(Items):
    """The items of a benchmark whose items share their answers."""

    steps = ("answers", "cue", "match", "templates")
    matching = "match the answers on the score of"
    assess = staticmethod(partial(assess, Labels))

    @staticmethod
    def usable(benchmark: Benchmark, settings: Settings) -> Benchmark:
        """All items can be used."""
        return benchmark

    def __init__(self, benchmark: Benchmark, settings: Settings, held_out: float, workers: int) -> None:
        """Number, group, part and count the items. Raises InputError for too few groups to hold any out."""
        ordered, order = benchmark.in_text_order()
        self._benchmark = replace(ordered, splits=None, choices=None, accepted=None, options=None, places=None)
        self._labels = list(dict.fromkeys(ordered.answers))
        number = {label: c for c, label in enumerate(self._labels)}
        self.y = np.array([number[answer] for answer in ordered.answers], dtype=np.int64)
        self._table = FeatureTable.build(ordered.prompts, dense=["readability", *(vector.name for vector in FURTHER)])
        groups, task = groups_of(ordered, settings.groups).index, LabelTask.of(self._table, self.y, len(self._labels))
        vectors = [vector for vector in THIRTEEN + FURTHER if vector.name != "length"]
        super().__init__(ordered, order, groups, task, vectors, settings, held_out, workers)

    def matched_sets(self) -> Bools:
        """(N,) the items of small groups with several answers: the others lose nothing if they are parted."""
        pairs = np.unique(np.stack([self.groups, self.y]), axis=1)[0]
        return super().matched_sets() & (np.bincount(pairs)[self.groups] > 1)

    def is_enough(self, before: Bools, now: Bools) -> bool:
        """As `Items` says; besides, every answer that was there often enough must be."""
        fewest = self.settings.folds
        for part in (self.chosen, ~self.chosen):
            had, has = (np.bincount(self.y[rows & part], minlength=len(self._labels)) for rows in (before, now))
            if (has[had >= fewest] < fewest).any():
                return False
        return super().is_enough(before, now)

    def left(self, rows: Bools) -> Benchmark:
        """As `Items` says."""
        return self._benchmark.taken(np.flatnonzero(rows).tolist())

    def uneven(self, rows: Bools, may: Callable[[StepKind], bool], *, suspect: bool) -> Iterator[Rule]:
        """As `Items` says; rules for cues balance the answers as well."""
        counts = np.bincount(self.y[rows])
        kinds, sizes = np.zeros_like(self.y), {0: common_answers(counts)}
        largest = cap_of(sizes[0], self.settings.threshold)
        if not suspect and may("answers") and counts.max() >= largest * counts.sum():
            yield Rule(
                "answers",
                "balance the answers",
                lambda rows, step: self.without_surplus(rows, step, kinds, self.y, sizes),
            )

    def cue(self, rows: Bools) -> Rule | None:
        """An n-gram occurs equally often with every answer afterwards, or no longer at all."""
        cue = self.strongest_cue(rows)
        if cue is None or cue.p >= self.settings.alpha:
            return None
        words = f"balance “{drawn(self._table.ngram_text(cue.level, cue.column))}” over the answers"
        bearing = self._table.presence(cue.level)[:, [cue.column]].toarray().ravel() > 0
        return Rule("cue", words, lambda rows, step: self._balanced(rows, step, lambda used: bearing[used], self.y))

    def match(self, vector: str, rows: Bools, step: int) -> Bools:
        """Items are matched on the probability that a probe gives to an answer, as on a propensity score."""
        values = self.scored(rows, vector)
        label = self._best_label(rows & self.chosen, values)
        return self._balanced(rows, step, lambda used: score_bins(values[used, label]), self.y == label)

    def strongest_cue(self, rows: Bools) -> NgramCue | None:
        """The n-gram with the largest chi-square among `rows`; None if there is none to test.

        Items count by the inverse of the size of their group, so that a template of a hundred items is one observation.
        Where answers stand in their prompts by design, no n-gram with an answer in it is tested: to balance it would be
        to remove the answer.
        """
        named = self._named(rows)
        used = np.flatnonzero(rows)
        group = np.unique(self.groups[used], return_inverse=True)[1]
        weight = 1.0 / np.bincount(group)[group]
        hot = np.zeros((len(used), len(self._labels)))
        hot[np.arange(len(used)), self.y[used]] = weight
        total, base = weight.sum(), hot.sum(axis=0)
        occurs = base > 0
        best, tests, most = None, 0, 0.0
        for level in self._table.levels:
            present = self._table.presence(level)[used].astype(np.float64)
            items = np.asarray(present.sum(axis=0)).ravel()
            columns = np.flatnonzero((items >= _FEWEST) & (items <= len(used) - _FEWEST))
            seen = np.asarray(present.T @ hot)[columns][:, occurs]
            count = seen.sum(axis=1, keepdims=True)
            expected = count * base[occurs] / total
            square = ((seen - expected) ** 2 / expected).sum(axis=1) * total / (total - count[:, 0])
            tests += len(columns)
            for at in np.argsort(-square, kind="stable").tolist():
                if square[at] <= most * (1 + 1e-9):
                    break
                if not any(name in self._table.ngram_text(level, int(columns[at])).casefold() for name in named):
                    best, most = (level, int(columns[at])), float(square[at])
                    break
        if best is None:
            return None
        from scipy.stats import chi2

        return NgramCue(*best, min(1.0, float(chi2.sf(most, int(occurs.sum()) - 1)) * tests))

    def _named(self, rows: Bools) -> list[str]:
        """The answers that stand in their prompts by design, folded; none if they do not."""
        used = self._benchmark.taken(np.flatnonzero(rows).tolist())
        if find_mentions(used.prompts, used.answers) is None:
            return []
        return sorted({label.casefold() for label in self._labels})

    def _best_label(self, chosen: Bools, values: Floats) -> int:
        """The answer whose probability goes best with it; of two answers, the first, since both say the same."""
        if len(self._labels) == 2:
            return 0
        best, most = 0, -1.0
        for label in range(len(self._labels)):
            hit = self.y[chosen] == label
            if hit.sum() >= FEWEST_BINS * 2 and np.std(values[chosen, label]) > 0:
                fit = float(np.corrcoef(hit, values[chosen, label])[0, 1])
                best, most = (label, fit) if fit > most else (best, most)
        return best

    def _balanced(self, rows: Bools, step: int, form: Callable[[Ints], Ints | Bools], target: Ints | Bools) -> Bools:
        """Make the form of a cue independent of `target` (N,) in each part, by removing random items of the cells that
        have too many, as in matching on the propensity score (Rosenbaum & Rubin 1983). `form` is told the items.
        """

        def stays(used: Ints, random: np.random.Generator) -> Bools:
            forms, places = np.unique(form(used), return_inverse=True)
            answers = np.unique(target[used], return_inverse=True)[1]
            width = int(answers.max()) + 1
            cell = places * width + answers
            counts = np.bincount(cell, minlength=len(forms) * width)
            cap = self._cap(answers) if width == len(np.unique(self.y[used])) else 1.0
            counts = counts.reshape(len(forms), width)
            return thin_to(independent(counts, cap), counts, cell, self.units[used], random)

        return self.in_each_part(rows, step, stays)

    def _cap(self, answers: Ints) -> float:
        """The largest share of an answer: what it is now, if that is no fault, or that with half the threshold.

        Where answers must be balanced anyway, those items go that balance the cue as well.
        """
        counts = np.bincount(answers)
        common, share = common_answers(counts), float((counts / len(answers)).max())
        cap = cap_of(common, self.settings.margin)
        return cap if share >= cap_of(common, self.settings.threshold) else max(cap, share)
