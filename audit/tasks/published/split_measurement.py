"""From a benchmark with parts to its numbers: scores, kappas with and without what is shared."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from hansproof.audit.probes.crossfit import Fitting, Scores, crossfit_folds
from hansproof.audit.probes.findable import WORDS
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.injected_cues import VECTOR
from hansproof.audit.probes.kappas import MeasuredScheme, measure
from hansproof.audit.probes.refitting import limit_of
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.reading.task_kind import FEWEST
from hansproof.audit.result.audit_result import GroupSummary, Settings
from hansproof.audit.result.numbers import Findable
from hansproof.audit.result.tasks import PartLabel, PublishedSplit, SplitKappa
from hansproof.audit.statistics import kappa
from hansproof.audit.statistics.intervals import effective_groups, errors, influence
from hansproof.audit.statistics.kappa import matched, shares_of
from hansproof.audit.statistics.permutation import relabelled, seeded
from hansproof.audit.tasks.group_layout import Labelled, summarise
from hansproof.audit.tasks.measurement_plan import steps_of
from hansproof.audit.tasks.published.overlap import NEAR, Bools, Floats, Ints, Overlap, examples, find_overlap
from hansproof.audit.tasks.published.split_parts import TEST, TRAIN, VALIDATION
from hansproof.audit.tasks.published.split_probes import SplitRows, cut_validation, score_parts, smallest_found_in_split
from hansproof.audit.tasks.published.split_verdict import decide_published
from hansproof.audit.texts.similarity import number_by_first
from hansproof.audit.verdict.reasons import why_unpredictable
from hansproof.audit.verdict.rule import FEWEST_GROUPS, Grouping, Judgement, suspects
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
        self._whole, self._spread = self._measured(np.ones(len(gold), dtype=np.bool_))

    def all(self) -> SplitKappa:
        """The kappa of all items."""
        return self.kappa("all", np.ones(len(self._gold), dtype=np.bool_))

    def kappa(self, name: Literal["all", "no near-duplicate", "new template"], kept: Bools) -> SplitKappa:
        """The kappa of the items `kept` (m,) with its interval, and its fall, whose interval knows the common items."""
        value, spread = self._measured(kept)
        groups = np.unique(self._groups[kept], return_inverse=True)[1]
        low = high = fall = fall_low = None
        if value is not None:
            given = self._given(kept)[None, None].astype(np.int16)
            error = errors(self._gold[kept], given, groups, len(self._prior), np.array([[value]]))
            half = float(error.half_width()[0])
            if np.isfinite(half):
                low, high = max(value - half, -1.0), min(value + half, 1.0)
            if self._whole is not None and name != "all":
                fall = self._whole - value
                fall_low = self._lower(fall, self._spread - spread, error.degrees)
        return SplitKappa(
            items_kept=name,
            items=int(kept.sum()),
            groups=effective_groups(groups) if len(groups) else 0.0,
            kappa=value,
            low=low,
            high=high,
            fall=fall,
            fall_low=fall_low,
        )

    def _given(self, kept: Bools) -> Ints:
        return matched(self._probabilities[kept], self._prior)

    def _measured(self, kept: Bools) -> tuple[float | None, Floats]:
        """(kappa, None where only one answer is left; contribution of each group of all items to its error)."""
        count = int(self._groups.max()) + 1
        gold = self._gold[kept]
        if len(np.unique(gold)) < 2:
            return None, np.zeros(count)
        given = self._given(kept)
        value = float(kappa.cohen(kappa.confusion(gold, given, len(self._prior))))
        of_items = influence(gold, given, len(self._prior)) / len(gold)
        return value, np.asarray(np.bincount(self._groups[kept], weights=of_items, minlength=count), dtype=np.float64)

    @staticmethod
    def _lower(fall: float, spread: Floats, degrees: float) -> float | None:
        """The lower end of the 95 % interval of a difference, given the contribution of each group to its error."""
        from scipy.stats import t

        if len(spread) < 2:
            return None
        se = float(np.sqrt((spread**2).sum() * len(spread) / (len(spread) - 1)))
        return max(fall - se * float(t.ppf(0.975, degrees)), -2.0)


_SPLITS = 3
"""Of grouped folds over both parts, where the split itself cannot tell a cue from a template."""


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
        self._test_groups = np.unique(self._groups.index[parts.test], return_inverse=True)[1]
        self._prior = shares_of(self._y[parts.learnt], len(self._labels))

    def measured(self, vectors: tuple[Vector, ...], counted: set[str]) -> Published:
        y, parts, settings = self._y, self._parts, self._settings
        step = steps_of(self._progress, "fitting probes", len(vectors))
        scores = score_parts(self._task, parts, vectors, replace(self._fitting, progress=step))
        self._progress("comparing the parts", 0, 1)
        learnt = parts.learnt
        overlap = find_overlap(self._benchmark.prompts, y, self._groups.index, learnt, parts.test)
        # The statistics see the test part only: its groups, and how common its answers are.
        local = [replace(entry, units=np.arange(len(parts.test))) for entry in scores]
        tested = LabelTask({}, y[parts.test], len(self._labels))
        measured = measure("published", tested, self._test_groups, local, settings, counted)
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
        unpredictable, findable = "", []
        if not suspects(measured.result, settings):
            unpredictable = self._unpredictable()
            findable = [] if unpredictable else self._findable(measured)
        judgement = decide_published(
            measured.result, len(self._labels), settings, grouping, kappas_of, findable, unpredictable
        )
        thorough = judgement.verdict in ("LEAKS", "TEMPLATE-BOUND", "INCONCLUSIVE")
        record = self._record(overlap, list(kappas_of(judgement.vector, thorough)))
        return Published(measured, judgement, tuple(findable), record, self._summary(), overlap)

    def _summary(self) -> GroupSummary:
        rows = self._parts.test.tolist()
        index = number_by_first(self._groups.index[rows].tolist())
        return summarise(replace(self._groups, index=index), [self._benchmark.ids[row] for row in rows])

    def _unpredictable(self) -> str:
        """Why no text of the test part can give its answer away; empty if one could."""
        gold = self._y[self._parts.test]
        texts = [self._benchmark.prompts[row] for row in self._parts.test.tolist()]
        shares = shares_of(gold, len(self._labels)).tolist()
        items = zip(texts, gold.tolist(), strict=True)
        return why_unpredictable(items, dict(enumerate(shares)), self._settings.threshold)

    def _findable(self, measured: MeasuredScheme) -> list[Findable]:
        """The smallest cues that this split would have shown."""
        step = steps_of(self._progress, "injecting cues", len(WORDS))
        fitting, limit = replace(self._fitting.quiet(), progress=step), limit_of(measured.limits(), VECTOR.name)
        return smallest_found_in_split(self._table, self._y, self._groups.index, self._parts, fitting, limit)

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
        (scores,) = crossfit_folds(self._task, [vector], self._fitting.quiet(), folds)
        value = float(np.median([self._task.kappa(given, self._y, rows) for given in scores.matched]))
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
