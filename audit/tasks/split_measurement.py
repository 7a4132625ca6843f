"""A published split, learnt on its training part: numbers with and without what the parts share, verdict, advice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hansproof.audit.notation import interval, kappa, p_is, per_cent, things
from hansproof.audit.probes.clusters import SUSPECTS, joined
from hansproof.audit.probes.crossfit import Scores
from hansproof.audit.probes.kappas import measure
from hansproof.audit.probes.task import Task
from hansproof.audit.result.advice import advice
from hansproof.audit.result.audit_result import ClusterCheck, Settings, VectorResult, Verdict
from hansproof.audit.result.tasks import PartLabel, PublishedSplit, SplitKappa
from hansproof.audit.statistics.intervals import effective_groups
from hansproof.audit.statistics.kappa import shares_of
from hansproof.audit.statistics.permutation import relabelled, seeded
from hansproof.audit.tasks.group_layout import GroupLayout, summarise
from hansproof.audit.tasks.overlap import NEAR, Ints, examples, find_overlap
from hansproof.audit.tasks.probed import ProbedShape
from hansproof.audit.tasks.shape import Assessed
from hansproof.audit.tasks.split_probes import SplitRows, Subsets, score_parts, split_rows
from hansproof.audit.verdict.reasons import at_least, beside_the_majority, effect, how_many, in_prose, of_templates
from hansproof.audit.verdict.rule import FEWEST_GROUPS, GROUPED_SHARE, MOSTLY, Judgement, Probes, Suspect, suspects

if TYPE_CHECKING:
    from hansproof.audit.texts.vectors import Vector

__all__ = ["SplitProbes", "SplitShape", "advise_on_split"]

T = TypeVar("T", bound=Task)


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


class SplitShape(ProbedShape[T]):
    """A shape that is measured on the test part of a published split, if it has one, else by cross-fitting."""

    published: Published | None = None

    @cached_property
    def split(self) -> SplitRows | None:
        """The parts of a published split; None under the other protocols. Raises NotAssessedError as `split_rows`."""
        if self.settings.protocol != "published":
            return None
        return split_rows(self.task, self.items, self.groups.index, self.settings)

    @property
    def learnt(self) -> Ints | None:
        """The units that cues are learnt from, and shown of; None for all."""
        return None if self.split is None else self.split.learnt

    @property
    def own(self) -> Ints | None:
        """(n,) numbers of right options of which an item can be known (`find_overlap`); None if items share answers."""
        return None

    @property
    def shared(self) -> dict[int, tuple[str, str]]:
        """What test items share with training items (`Overlap.shared_with`)."""
        return {} if self.published is None else self.published.overlap.shared_with(self.items.ids)

    def measure(self) -> Assessed:
        """What is learnt on the training part, on the test part."""
        if self.split is None:
            return super().measure()
        self.published = Published(self, self.split)
        return self.published.measured()


class Published:
    """What is measured on one published split."""

    record: PublishedSplit
    """Set by `measured`."""

    def __init__(self, shape: SplitShape[Any], parts: SplitRows) -> None:
        self._shape, self._parts = shape, parts
        self._tested = shape.items.taken(parts.test.tolist())
        index = np.unique(shape.groups.index[parts.test], return_inverse=True)[1]
        self._test_groups = replace(shape.groups, index=index)
        # The statistics see the test part only: its groups, and how common its answers are.
        self._task: Task = replace(shape.task, tables={}).taken(parts.test)
        learnt, task = parts.learnt, shape.task
        texts, groups = shape.items.prompts, shape.groups.index
        self.overlap = find_overlap(texts, shape.right, groups, learnt, parts.test, shape.own)
        self._prior = shares_of(task.answers(task.gold)[task.rows(learnt)], task.k)

    def measured(self) -> Assessed:
        """The verdict; the groups that the shape tells of are now those of the test part."""
        shape, parts, settings = self._shape, self._parts, self._shape.settings
        step = shape.steps("fitting probes", len(shape.vectors))
        scores = score_parts(shape.task, parts, shape.vectors, replace(shape.fitting, progress=step))
        local = [replace(entry, units=np.arange(len(parts.test))) for entry in scores]
        measured = measure("published", self._task, self._test_groups.index, local, settings, shape.deciding_vectors)
        measured = replace(measured, scores=scores)

        @cache
        def kappas_of(vector: str, thorough: bool) -> tuple[SplitKappa, ...]:
            return tuple(self._kappas(measured.of(vector), thorough))

        grouping = GroupLayout.of(self._test_groups, self._tested.prompts).grouping
        unpredictable, findable = "", []
        if not suspects(measured.result, settings):
            unpredictable = shape.unpredictable(parts.test)
            findable = [] if unpredictable else shape.findable(measured)
        case = SplitProbes(
            measured.result, grouping, len(shape.labels) or None, settings, constant=shape.constant,
            findable=findable, unpredictable=unpredictable, kappas_of=kappas_of, apart_of=self._apart,
        )  # fmt: skip
        judgement = case.judged()
        thorough = judgement.verdict in ("LEAKS", "TEMPLATE-BOUND", "INCONCLUSIVE")
        self.record = self._record(list(kappas_of(judgement.vector, thorough)))
        shape.summary = summarise(self._test_groups, self._tested.ids)
        return Assessed([measured], judgement, clusters=tuple(case.clusters), findable=tuple(findable))

    def _apart(self, suspected: Sequence[Suspect]) -> list[ClusterCheck]:
        return self._shape.held_apart(suspected, partial(self._shape.together, tested=self._parts.test))

    def _kappas(self, scores: Scores, thorough: bool) -> list[SplitKappa]:
        """All test items, those without a copy in the training part, those with new templates besides."""
        grouped, overlap = self._shape.groups.source != "none", self.overlap
        probabilities = np.asarray(scores.probabilities, dtype=np.float64)
        subset = Subsets(self._task, self._test_groups.index, probabilities, self._prior)
        kappas = [subset.all(), subset.kappa("no near-duplicate", ~overlap.copied)]
        if grouped:
            kappas.append(subset.kappa("new template", ~overlap.shared))
        if thorough and kappas[-1].groups < FEWEST_GROUPS and grouped:
            kappas.append(self._together(scores.vector))
        return kappas

    def _together(self, vector: Vector) -> SplitKappa:
        """The test items, all parts cross-fitted with each group in one fold, and each right option."""
        shape, groups = self._shape, self._shape.groups.index
        if shape.own is not None:
            alone = np.arange(len(groups)) + len(shape.task.answers(shape.task.gold))
            groups = joined(groups, np.where(shape.own < 0, alone, shape.own))
        shape.running.progress("grouped folds over both parts", 0, 1)
        value = shape.together(vector.name, groups, self._parts.test)
        effective = effective_groups(groups)
        return SplitKappa(items_kept="grouped folds", items=len(self._parts.test), groups=effective, kappa=value)

    def _record(self, kappas: list[SplitKappa]) -> PublishedSplit:
        parts, items, settings = self._parts, self._shape.items, self._shape.settings
        overlap, groups = self.overlap, self._shape.groups
        grouped = groups.source != "none"
        return PublishedSplit(
            source=f"column {items.mapping.split!r}" if settings.train is None else settings.train,
            train_sha256=items.train_sha256,
            train=len(parts.train),
            validation=len(parts.validation),
            validation_cut=parts.cut,
            test=len(parts.test),
            duplicates=int((overlap.duplicate >= 0).sum()),
            near_duplicates=int((overlap.near >= 0).sum()),
            near=NEAR,
            same_template=int((overlap.template >= 0).sum()) if grouped else None,
            conflicts=int((overlap.conflict >= 0).sum()),
            **(self._of_labels() if self._shape.labels else {}),
            kappas=kappas,
            examples=examples(overlap, parts.test, items.prompts, items.answers, items.ids, templates=grouped),
        )

    def _of_labels(self) -> dict[str, Any]:
        """What is said of answers that all items share: how common each is in both parts."""
        labels, learnt, test, settings = self._shape.labels, self._parts.learnt, self._parts.test, self._shape.settings
        y = self._shape.right
        counts = [np.bincount(y[rows], minlength=len(labels)).tolist() for rows in (learnt, test)]
        order = sorted(range(len(labels)), key=lambda c: (-counts[0][c] - counts[1][c], labels[c]))
        random = seeded(settings.seed, "published", "shift")
        shift, p = label_shift(y, self._shape.groups.index, learnt, test, len(labels), settings.permutations, random)
        return {
            "unseen_labels": [labels[c] for c in order if counts[1][c] and not counts[0][c]],
            "labels": [PartLabel(label=labels[c], train=counts[0][c], test=counts[1][c]) for c in order],
            "shift": shift,
            "shift_p": p,
        }


def advise_on_split(split: PublishedSplit, alpha: float) -> list[str]:
    """Advice on copies, conflicts, shared templates and unequal answers; empty if there is nothing to repair."""
    copies, advised = split.duplicates + split.near_duplicates, []
    if copies:
        what = "a training text" if split.labels else "the text or the right option of a training item"
        exactly, nearly, items = split.duplicates, split.near_duplicates, things(copies, "test item")
        advised.append(advice("DATA002.copies", items=items, what=what, exactly=exactly, nearly=nearly))
    if split.conflicts:
        advised.append(advice("DATA001.split", items=things(split.conflicts, "test item")))
    if split.same_template is not None and split.same_template >= GROUPED_SHARE * split.test:
        advised.append(advice("TMPL001.split", items=split.same_template, all=things(split.test, "test item")))
    if split.unseen_labels:
        advised.append(advice("IMBA001.unseen", names=", ".join(f"“{name[:40]}”" for name in split.unseen_labels[:3])))
    if split.shift is not None and split.shift_p is not None and split.shift_p < alpha and split.shift >= 0.05:
        learnt, tested = sum(label.train for label in split.labels), sum(label.test for label in split.labels)
        label = max(split.labels, key=lambda label: abs(label.train / learnt - label.test / tested))
        advised.append(
            advice(
                "IMBA001.shift",
                distance=kappa(split.shift),
                p=p_is(split.shift_p),
                answer=label.label[:40],
                train=per_cent(label.train / learnt),
                test=per_cent(label.test / tested),
            )
        )
    return advised


# A leak that collapses on the test items that share neither text nor template with the training part is TEMPLATE-BOUND.
# Where too few such items are left, both parts are cross-fitted together with each template kept together.

HALF, MOST = 0.5, 0.75
"""Share of a kappa that must be left without what the parts share; most of it if the fall is clear."""


@dataclass(eq=False)
class SplitProbes(Probes):
    """The vectors on the test part: suspects are checked against what the parts share, then against similar texts.

    `kappas_of` gives the kappas of a vector from all test items to those that share the least with the training part;
    if it is told so, with grouped folds last, where too few items are left. `apart_of` gives what is left of suspects
    on the test items if both parts are cross-fitted with similar texts kept together.
    """

    kappas_of: Callable[[str, bool], Sequence[SplitKappa]] = field(kw_only=True)
    apart_of: Callable[[Sequence[Suspect]], Sequence[ClusterCheck]] = field(kw_only=True)

    def leaking(self) -> Judgement | None:
        """The first suspect that all checks leave leaks; without one, the first is said to have lost most."""
        tried, settings = self.leaky[:SUSPECTS], self.settings
        if self.grouping.effective < FEWEST_GROUPS:
            return None
        if not tried:
            return self._opposite()
        checks = [list(self.kappas_of(leak.vector, True))[1:] for leak in tried]
        shown = [
            Suspect(leak.vector, leak.matched or 0.0) for leak, of in zip(tried, checks, strict=True)
            if all(_holds(check, leak, settings) for check in of if _says(check)) and _says(of[-1])
        ]  # fmt: skip
        if not shown:
            return self._not_held(tried[0], checks[0])
        self.suspected, self.clusters = shown, self.apart_of(shown)
        return super().leaking()

    def leaks(self, at: int) -> str:
        """With what is left on the test items that share the least."""
        leak, scheme = self._suspect(at), self.grouped
        last = self.kappas_of(leak.vector, True)[-1]
        reason = f"{self._told(leak)}. It is {kappa(last.kappa)} {_where(last)}."
        reason += at_least(leak) + how_many(self.leaky, scheme.counted)
        return reason + beside_the_majority(leak, scheme) + of_templates(self.settings.groups, self.grouping.declared)

    def predicted(self, at: int) -> str:
        """Of the test part."""
        return self._told(self._suspect(at))

    def _suspect(self, at: int) -> VectorResult:
        return next(leak for leak in self.leaky if leak.vector == self.suspected[at].name)

    def _opposite(self) -> Judgement | None:
        """Where what is learnt is wrong in the test part, copies aside, answers may have other names there."""
        against = min(self.grouped.counted, key=lambda vector: vector.matched or 0.0)
        apart = self.kappas_of(against.vector, False)[-1]
        if apart.high is None or apart.high >= -self.settings.margin:
            return None
        reason = (
            f"{in_prose(against.label)} predicts the opposite of what the published test part says, learnt on the "
            f"training part: kappa {kappa(apart.kappa)} {interval(apart.low, apart.high)}. "
            "Do both parts name their answers alike?"
        )
        return Judgement("INCONCLUSIVE", reason, against.vector, self.scheme)

    def _not_held(self, leak: VectorResult, checks: Sequence[SplitKappa]) -> Judgement:
        lost = [check for check in checks if _says(check) and not _holds(check, leak, self.settings)]
        verdict: Verdict = "INCONCLUSIVE"
        if not lost:
            last = checks[-1]
            reason = (
                f"{things(last.items, 'test item')} (of {last.groups:.0f} groups) share neither text nor template with "
                f"the training part: too few to say whether the cue carries over."
            )
        else:
            worst = min(lost, key=lambda check: check.kappa or 0.0)
            reason = f"{kappa(worst.kappa)} is left {_where(worst)}: "
            if _falls(worst, leak, self.settings):
                verdict = "TEMPLATE-BOUND"
                reason += "the probe recognises training items and their templates, not a cue that carries over."
            else:
                reason += "what is a cue and what are templates, only more items with new templates can show."
        return Judgement(verdict, f"{self._told(leak)}, but only {reason}", leak.vector, self.scheme)

    def _told(self, leak: VectorResult) -> str:
        return effect(leak, self.grouped, " of the published test part, learnt on the training part,")


def _says(check: SplitKappa) -> bool:
    """Whether enough groups are left for a kappa to mean something."""
    return check.groups >= FEWEST_GROUPS and check.kappa is not None


def _holds(check: SplitKappa, leak: VectorResult, settings: Settings) -> bool:
    """Whether there still is a leak: of the threshold, of most of the kappa, or of half if chance may be the reason."""
    value, whole = check.kappa or 0.0, leak.matched or 0.0
    least = MOST if check.fall_low is not None and check.fall_low > 0 else HALF
    return value >= settings.threshold or (value > settings.margin and value >= least * whole)


def _falls(check: SplitKappa, leak: VectorResult, settings: Settings) -> bool:
    """Whether kappa is clearly lower than on all test items: by its interval; without one, because little is left."""
    if check.fall_low is None:
        return (check.kappa or 0.0) <= max(settings.margin, (leak.matched or 0.0) * MOSTLY)
    return check.fall_low > 0


def _where(check: SplitKappa) -> str:
    if check.items_kept == "grouped folds":
        return "if both parts are cross-fitted together and each template is kept in one fold"
    what = "with no copy" if check.items_kept == "no near-duplicate" else "with neither a copy nor a template"
    return f"on the {things(check.items, 'test item')} {what} in the training part"
