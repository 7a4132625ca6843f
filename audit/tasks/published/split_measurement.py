"""From a benchmark with parts to its numbers: scores, kappas with and without what is shared."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from hansproof.audit.probes.clusters import kappa_together
from hansproof.audit.probes.crossfit import Fitting, Scores
from hansproof.audit.probes.findable import WORDS
from hansproof.audit.probes.injected_cues import VECTOR
from hansproof.audit.probes.kappas import MeasuredScheme, measure
from hansproof.audit.probes.refitting import limit_of
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.reading.task_kind import FEWEST
from hansproof.audit.result.audit_result import GroupSummary, Settings
from hansproof.audit.result.numbers import Findable
from hansproof.audit.result.tasks import PartLabel, PublishedSplit, SplitKappa
from hansproof.audit.statistics.intervals import Errors, effective_groups
from hansproof.audit.statistics.kappa import cohen_of, matched, shares_of
from hansproof.audit.statistics.permutation import relabelled, seeded
from hansproof.audit.tasks.group_layout import GroupLayout, Labelled, summarise
from hansproof.audit.tasks.measurement_plan import steps_of
from hansproof.audit.tasks.published.overlap import NEAR, Bools, Floats, Ints, Overlap, examples, find_overlap
from hansproof.audit.tasks.published.split_parts import TEST, TRAIN, VALIDATION
from hansproof.audit.tasks.published.split_probes import SplitRows, cut_validation, score_parts, smallest_found_in_split
from hansproof.audit.tasks.published.split_verdict import decide_published
from hansproof.audit.verdict.reasons import why_unpredictable
from hansproof.audit.verdict.rule import FEWEST_GROUPS, Judgement, suspects
from hansproof.generators.errors import NotAssessedError, Progress

if TYPE_CHECKING:
    from hansproof.audit.texts.vectors import Vector

__all__ = ["Published", "measure_published"]


def label_shift(
    y: Ints, groups: Ints, train: Ints, test: Ints, labels: int, times: int, random: np.random.Generator
) -> tuple[float, float]:
    """(total variation distance between the shares of the labels in both parts, its p).

    Half the sum of the absolute differences: 0 for equal shares, 1 for no common label. p = (b + 1) / (B + 1) over
    relabellings in which whole groups change places (Phipson & Smyth 2010), so a large template is no evidence by
    itself. `y` and `groups` are (N,), the rows of the parts need not cover them.
    """
    rows = np.concatenate([train, test])
    own = np.unique(groups[rows], return_inverse=True)[1]
    cut = len(train)

    def distance(z: Ints) -> float:
        ours, theirs = (np.bincount(part, minlength=labels) / len(part) for part in (z[:cut], z[cut:]))
        return float(np.abs(ours - theirs).sum() / 2)

    observed = distance(y[rows])
    null = np.array([distance(z) for z in relabelled(y[rows], own, times, random)])
    return observed, float((int((null >= observed - 1e-12).sum()) + 1) / (times + 1))


class Subsets:
    """One probe's probabilities (m, k) for m test items with labels and groups (m,).

    Predictions are matched anew for each subset: among fewer items, other ones are the likeliest. `prior` (k,) are the
    shares of the labels in the training part.
    """

    def __init__(self, gold: Ints, groups: Ints, probabilities: Floats, prior: Floats) -> None:
        self._gold, self._groups, self._probabilities, self._prior = gold, groups, probabilities, prior
        self._whole, self._influence, _ = self._measured(np.ones(len(gold), dtype=np.bool_))

    def all(self) -> SplitKappa:
        """The kappa of all items."""
        return self.kappa("all", np.ones(len(self._gold), dtype=np.bool_))

    def kappa(self, name: Literal["all", "no near-duplicate", "new template"], kept: Bools) -> SplitKappa:
        """The kappa of the items `kept` (m,) with its interval, and its fall, whose interval knows the common items."""
        value, influence, error = self._measured(kept)
        groups = np.unique(self._groups[kept], return_inverse=True)[1]
        low = high = fall_low = None
        if value is not None and error is not None:
            half = float(error.half_width()[0])
            if np.isfinite(half):
                low, high = max(value - half, -1.0), min(value + half, 1.0)
            if self._whole is not None and name != "all":
                count = len(influence)
                se = np.sqrt(((self._influence - influence) ** 2).sum() * count / max(count - 1, 1))
                half = float(replace(error, se=np.array([se])).half_width()[0])
                fall_low = max(self._whole - value - half, -2.0) if count > 1 else None
        return SplitKappa(
            items_kept=name,
            items=int(kept.sum()),
            groups=effective_groups(groups) if len(groups) else 0.0,
            kappa=value,
            low=low,
            high=high,
            fall_low=fall_low,
        )

    def _measured(self, kept: Bools) -> tuple[float | None, Floats, Errors | None]:
        """(kappa, the contribution of each group of all items to its error, its error); no kappa where only one answer
        is left.
        """
        influence, gold, labels = np.zeros(int(self._groups.max()) + 1), self._gold[kept], len(self._prior)
        if len(np.unique(gold)) < 2:
            return None, influence, None
        given = matched(self._probabilities[kept], self._prior)
        value = cohen_of(gold, given, labels)
        present, groups = np.unique(self._groups[kept], return_inverse=True)
        rows = given[None, None].astype(np.int16)
        task = LabelTask({}, gold, labels)
        error = task.errors(rows, gold, np.arange(len(gold)), groups, np.array([[value]]))
        influence[present] = error.influence[0]
        return value, influence, error


@dataclass(frozen=True)
class Published:
    """What was measured on a published split."""

    measured: MeasuredScheme
    judgement: Judgement
    findable: tuple[Findable, ...]
    """The smallest cues that would have been found, where no leak was."""
    record: PublishedSplit
    groups: GroupSummary
    """The groups of the test part."""
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


def _parts(items: Labelled, settings: Settings) -> SplitRows:
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
    return SplitRows(train, validation, test, cut)


class _Run:
    """The measurements of one split."""

    def __init__(
        self, items: Labelled, parts: SplitRows, settings: Settings, fitting: Fitting, progress: Progress
    ) -> None:
        self._benchmark, self._table, self._y, self._labels = items.benchmark, items.table, items.y, items.labels
        self._groups, self._parts, self._settings = items.groups, parts, settings
        self._task = LabelTask.of(items.table, items.y, len(items.labels))
        self._fitting, self._progress = fitting, progress
        self._tested = items.benchmark.taken(parts.test.tolist())
        index = np.unique(items.groups.index[parts.test], return_inverse=True)[1]
        self._test_groups = replace(items.groups, index=index)
        self._prior = shares_of(self._y[parts.learnt], len(self._labels))

    def measured(self, vectors: tuple[Vector, ...], counted: set[str]) -> Published:
        y, parts, settings = self._y, self._parts, self._settings
        gold, index, labels = y[parts.test], self._test_groups.index, len(self._labels)
        step = steps_of(self._progress, "fitting probes", len(vectors))
        scores = score_parts(self._task, parts, vectors, replace(self._fitting, progress=step))
        self._progress("comparing the parts", 0, 1)
        learnt = parts.learnt
        overlap = find_overlap(self._benchmark.prompts, y, self._groups.index, learnt, parts.test)
        # The statistics see the test part only: its groups, and how common its answers are.
        local = [replace(entry, units=np.arange(len(parts.test))) for entry in scores]
        measured = measure("published", LabelTask({}, gold, labels), index, local, settings, counted)
        measured = replace(measured, scores=scores)

        @cache
        def kappas_of(vector: str, thorough: bool) -> tuple[SplitKappa, ...]:
            return tuple(self._kappas(measured.of(vector), overlap, thorough))

        grouping = GroupLayout.of(self._test_groups, self._tested.prompts).grouping
        unpredictable, findable = "", []
        if not suspects(measured.result, settings):
            shares = shares_of(gold, labels).tolist()
            items = zip(self._tested.prompts, gold.tolist(), strict=True)
            unpredictable = why_unpredictable(items, dict(enumerate(shares)), settings.threshold)
            findable = [] if unpredictable else self._findable(measured)
        judgement = decide_published(measured.result, labels, settings, grouping, kappas_of, findable, unpredictable)
        thorough = judgement.verdict in ("LEAKS", "TEMPLATE-BOUND", "INCONCLUSIVE")
        record = self._record(overlap, list(kappas_of(judgement.vector, thorough)))
        groups = summarise(self._test_groups, self._tested.ids)
        return Published(measured, judgement, tuple(findable), record, groups, overlap)

    def _findable(self, measured: MeasuredScheme) -> list[Findable]:
        """The smallest cues that this split would have shown."""
        step = steps_of(self._progress, "injecting cues", len(WORDS))
        fitting, limit = replace(self._fitting.quiet(), progress=step), limit_of(measured.limits(), VECTOR.name)
        return smallest_found_in_split(self._table, self._y, self._groups.index, self._parts, fitting, limit)

    def _kappas(self, scores: Scores, overlap: Overlap, thorough: bool) -> list[SplitKappa]:
        """All test items, those without a copy in the training part, those with new templates besides."""
        gold, index = self._y[self._parts.test], self._test_groups.index
        subset = Subsets(gold, index, np.asarray(scores.probabilities, dtype=np.float64), self._prior)
        kappas = [subset.all(), subset.kappa("no near-duplicate", ~overlap.copied)]
        if self._groups.source != "none":
            kappas.append(subset.kappa("new template", ~overlap.shared))
        if thorough and kappas[-1].groups < FEWEST_GROUPS and self._groups.source != "none":
            kappas.append(self._together(scores.vector))
        return kappas

    def _together(self, vector: Vector) -> SplitKappa:
        """All parts cross-fitted with each group in one fold."""
        self._progress("grouped folds over both parts", 0, 1)
        groups = self._groups.index
        value = kappa_together(self._task, groups, vector, self._fitting, folds=self._settings.folds)
        return SplitKappa(
            items_kept="grouped folds",
            items=len(groups),
            groups=effective_groups(groups),
            kappa=value,
            low=None,
            high=None,
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
