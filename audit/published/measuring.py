"""From a benchmark with parts to its numbers: scores, kappas with and without what the parts share, the verdict."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from audit.labelled import Labelled
from audit.probes.crossfit import Fitting, Scores, crossfit_folds
from audit.probes.folds import fold_numbers
from audit.probes.kappas import MeasuredScheme, measure
from audit.published.judging import decide_published
from audit.published.near import NEAR
from audit.published.overlap import Overlap, examples, find_overlap
from audit.published.parts import TEST, TRAIN, VALIDATION
from audit.published.scoring import Parted, cut_validation, score_parts
from audit.published.shift import label_shift
from audit.published.subsets import Subsets
from audit.reading.task_kind import FEWEST
from audit.result.audit_result import Settings
from audit.result.tasks import PartLabel, PublishedSplit, SplitKappa
from audit.statistics import kappa
from audit.statistics.intervals import effective_groups
from audit.statistics.kappa import shares_of
from audit.statistics.permutation import seeded
from audit.verdict.rule import FEWEST_GROUPS, Grouping, Judgement
from generators.errors import NotAssessedError, Progress

if TYPE_CHECKING:
    from audit.texts.vectors import Vector

__all__ = ["Published", "measure_published"]

Ints = NDArray[np.int64]

_SPLITS = 3
"""Of grouped folds over both parts, where the split itself cannot tell a cue from a template."""


@dataclass(frozen=True)
class Published:
    """What was measured on a published split."""

    measured: MeasuredScheme[Scores]
    judgement: Judgement
    record: PublishedSplit
    overlap: Overlap


def measure_published(
    items: Labelled,
    vectors: tuple[Vector, ...],
    settings: Settings,
    fitting: Fitting,
    counted: Collection[str],
    progress: Progress,
) -> Published:
    """Measure a benchmark whose `splits` are `train`, `validation` and `test`; arrays are in its order.

    Raises NotAssessedError if a part has too few items or a single answer.
    """
    return _Run(items, _parts(items, settings), settings, fitting, progress).measured(vectors, set(counted))


def _parts(items: Labelled, settings: Settings) -> Parted:
    y, part = items.y, np.array(items.benchmark.splits)
    train, validation, test = (np.flatnonzero(part == name) for name in (TRAIN, VALIDATION, TEST))
    for name, rows in (("training", train), ("test", test)):
        if len(rows) < FEWEST:
            raise NotAssessedError(f"Only {len(rows)} items in the {name} part: at least {FEWEST} are needed.")
        if len(np.unique(y[rows])) == 1:
            raise NotAssessedError(f"All items of the {name} part have the answer {items.labels[int(y[rows[0]])]!r}.")
    cut = not len(validation)
    if cut:
        train, validation = cut_validation(train, y, items.groups.index, settings.folds, settings.seed)
    return Parted(train, validation, test, cut)


class _Run:
    """The measurements of one split."""

    def __init__(
        self, items: Labelled, parts: Parted, settings: Settings, fitting: Fitting, progress: Progress
    ) -> None:
        self._benchmark, self._table, self._y, self._labels = items.benchmark, items.table, items.y, items.labels
        self._groups, self._parts, self._settings = items.groups, parts, settings
        self._fitting, self._progress = fitting, progress
        self._test_groups = np.unique(self._groups.index[parts.test], return_inverse=True)[1]
        self._prior = shares_of(self._y[parts.learnt], len(self._labels))

    def measured(self, vectors: tuple[Vector, ...], counted: set[str]) -> Published:
        y, parts, settings = self._y, self._parts, self._settings
        done = 0

        def step(count: int) -> None:
            nonlocal done
            done += count
            self._progress("fitting probes", done, len(vectors))

        scores = score_parts(self._table, y, parts, vectors, replace(self._fitting, progress=step))
        self._progress("comparing the parts", 0, 1)
        learnt = parts.learnt
        overlap = find_overlap(self._benchmark.prompts, y, self._groups.index, learnt, parts.test)
        # The statistics see the test part only: its groups, and how common its answers are.
        local = [replace(entry, rows=np.arange(len(parts.test))) for entry in scores]
        measured = measure("published", y[parts.test], self._test_groups, len(self._labels), local, settings, counted)
        measured = replace(measured, scores=scores)

        @cache
        def kappas_of(vector: str, thorough: bool) -> tuple[SplitKappa, ...]:
            return tuple(self._kappas(measured.of(vector), overlap, thorough))

        size = np.bincount(self._test_groups)
        grouping = Grouping(
            len(size),
            effective_groups(self._test_groups),
            float(size[size > 1].sum() / len(parts.test)),
            self._groups.source == "column",
        )
        judgement = decide_published(measured.result, len(self._labels), settings, grouping, kappas_of)
        thorough = judgement.verdict in ("LEAKS", "TEMPLATE-BOUND", "INCONCLUSIVE")
        record = self._record(overlap, list(kappas_of(judgement.vector, thorough)))
        return Published(measured, judgement, record, overlap)

    def _kappas(self, scores: Scores, overlap: Overlap, thorough: bool) -> list[SplitKappa]:
        """All test items, those without a copy in the training part, those with new templates besides."""
        gold, groups = self._y[self._parts.test], self._test_groups
        subset = Subsets(gold, groups, np.asarray(scores.probabilities, dtype=np.float64), self._prior)
        kappas = [subset.all(), subset.kappa("no near-duplicate", ~overlap.copied)]
        if self._groups.source != "none":
            kappas.append(subset.kappa("new template", ~overlap.shared))
        if thorough and kappas[-1].groups < FEWEST_GROUPS and self._groups.source != "none":
            kappas.append(self._together(scores.vector))
        return kappas

    def _together(self, vector: Vector) -> SplitKappa:
        """Both parts cross-fitted with each group in one fold."""
        self._progress("grouped folds over both parts", 0, 1)
        rows = np.sort(np.concatenate([self._parts.learnt, self._parts.test]))
        own = np.unique(self._groups.index[rows], return_inverse=True)[1]
        labels = np.unique(self._y[rows], return_inverse=True)[1]
        folds = []
        for split in range(_SPLITS):
            fold = np.full(len(self._y), -1, dtype=np.int64)
            random = seeded(self._settings.seed, "published", "folds", split)
            fold[rows] = fold_numbers(labels, own, self._settings.folds, random)
            folds.append(fold)
        (scores,) = crossfit_folds(self._table, self._y, [vector], self._fitting.quiet(), folds)
        tables = [kappa.confusion(self._y[rows], given, len(self._labels)) for given in scores.matched.astype(np.int64)]
        value = float(np.median([float(kappa.cohen(table)) for table in tables]))
        return SplitKappa(
            items_kept="grouped folds", items=len(rows), groups=effective_groups(own), kappa=value, low=None, high=None
        )

    def _record(self, overlap: Overlap, kappas: list[SplitKappa]) -> PublishedSplit:
        y, parts, benchmark, settings = self._y, self._parts, self._benchmark, self._settings
        learnt = parts.learnt
        counts = [np.bincount(y[rows], minlength=len(self._labels)).tolist() for rows in (learnt, parts.test)]
        order = sorted(range(len(self._labels)), key=lambda c: (-counts[0][c] - counts[1][c], self._labels[c]))
        shift, p = label_shift(
            y, self._groups.index, learnt, parts.test, len(self._labels), settings.permutations,
            seeded(settings.seed, "published", "shift"),
        )  # fmt: skip
        grouped = self._groups.source != "none"
        return PublishedSplit(
            source=f"column {benchmark.mapping.split!r}" if settings.train is None else settings.train,
            train_sha256=benchmark.train_sha256,
            train=len(parts.train),
            validation=len(parts.validation),
            validation_cut=parts.cut,
            test=len(parts.test),
            duplicates=int((overlap.duplicate >= 0).sum()),
            near_duplicates=int((overlap.near >= 0).sum()),
            near=NEAR,
            same_template=int((overlap.template >= 0).sum()) if grouped else None,
            conflicts=int((overlap.conflict >= 0).sum()),
            unseen_labels=[self._labels[c] for c in order if counts[1][c] and not counts[0][c]],
            labels=[PartLabel(label=self._labels[c], train=counts[0][c], test=counts[1][c]) for c in order],
            shift=shift,
            shift_p=p,
            kappas=kappas,
            examples=examples(
                overlap, parts.test, benchmark.prompts, benchmark.answers, benchmark.ids, templates=grouped
            ),
        )
