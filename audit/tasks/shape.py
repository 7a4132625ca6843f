"""One audit for every shape of benchmark: what a shape must know, and all that shapes have in common, done once.

A shape is one class. `assess` orders and groups the items and goes as far as the verdict; after it `result_of` puts
everything together, and `item_scores` has what was said of each item. Words about a result go by `AuditResult.shape`:
a shape whose items have options of their own gives an `OptionsSummary`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import ClassVar, NamedTuple, TypeVar

import msgspec

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import one_line
from hansproof.audit.probes.clusters import SUSPECTS, hold_apart
from hansproof.audit.probes.crossfit import Ints
from hansproof.audit.probes.kappas import MeasuredScheme
from hansproof.audit.probes.spreading import Cluster
from hansproof.audit.result.advice import NOT_DONE, advise_on_duplicates
from hansproof.audit.result.audit_result import (
    SCHEMA,
    AuditResult,
    ClusterCheck,
    Cue,
    Duplicates,
    Exclusion,
    Findable,
    Giveaway,
    GroupSummary,
    LabelCount,
    MappingUsed,
    PredictionsUsed,
    SchemeGap,
    Settings,
)
from hansproof.audit.result.document import library_versions
from hansproof.audit.result.explanation import FormatShare, ItemScore, Mentions
from hansproof.audit.result.numbers import Effort
from hansproof.audit.result.record import settled
from hansproof.audit.result.shortcuts import Ladder, PartialInputs, SingleNgrams
from hansproof.audit.result.tasks import OpenEnded, OptionsSummary, PublishedSplit
from hansproof.audit.tasks.group_layout import GroupLayout, find_duplicates, groups_of, refuse_one_group, summarise
from hansproof.audit.texts.grouping import Groups
from hansproof.audit.texts.similarity import Partition, similarity_partitions
from hansproof.audit.verdict.reasons import saved_effort, scheme_notes
from hansproof.audit.verdict.rule import Judgement, Suspect
from hansproof.generators.errors import Progress, unwatched

__all__ = ["Assessed", "Explanation", "Found", "Guess", "Running", "Shape", "assess", "not_assessed", "result_of"]


class Running(NamedTuple):
    """How an audit is run, which changes no number."""

    workers: int = 0
    progress: Progress = unwatched
    spread: Cluster | None = None


@dataclass(frozen=True)
class Assessed:
    """The verdict and the measurements that it rests on."""

    schemes: list[MeasuredScheme]
    """`grouped` and `random`, `grouped` alone if too few items belong together, `paper`, or `published`; empty where no
    probe was fitted."""
    judgement: Judgement
    gap: SchemeGap | None = None
    clusters: tuple[ClusterCheck, ...] = ()
    findable: tuple[Findable, ...] = ()
    effort: Effort | None = None
    given: tuple[PredictionsUsed, ...] = ()
    """Predictions that were made elsewhere."""

    @property
    def deciding(self) -> MeasuredScheme:
        """The scheme that the verdict is about."""
        return next(scheme for scheme in self.schemes if scheme.result.scheme == self.judgement.scheme)

    @property
    def one_run(self) -> bool:
        """Whether one run served both schemes, because no group holds two different texts."""
        return len(self.schemes) == 2 and self.schemes[0].scores is self.schemes[1].scores


@dataclass(frozen=True)
class Explanation:
    """What is looked at once there is a verdict; None where it was not, or where there is nothing to say."""

    format_share: FormatShare | None = None
    mentions: Mentions | None = None
    partial: PartialInputs | None = None
    ladder: Ladder | None = None
    single_ngrams: SingleNgrams | None = None
    length: str | None = None
    """Which way the length of the texts points, where it is the simplest cue that is enough."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a shape says of its own: evidence, advice, notes and its record; by default nothing."""

    more: Explanation = Explanation()
    evidence_vector: str | None = None
    cues: Sequence[Cue] = ()
    giveaways: Sequence[Giveaway] = ()
    advice: Sequence[str] = ()
    notes: Sequence[str] = ()
    labels: Sequence[LabelCount] | None = None
    """The answers with their counts, if not those of the items."""
    open_ended: OpenEnded | None = None
    options: OptionsSummary | None = None
    published: PublishedSplit | None = None


class Guess(NamedTuple):
    """What an `ItemScore` says of what was given to an item by what the verdict is about, without having seen it."""

    predicted: str
    correct: bool
    probability: float | None
    probabilities: dict[str, float]
    shares: str | None = None
    train: str | None = None


class Shape(ABC):
    """The audit of one benchmark of n items, on its way to a result."""

    unused: ClassVar[Sequence[str]] = ()
    """Settings that change nothing here,"""
    why_unused: ClassVar[str] = ""
    """and why."""
    partly: ClassVar[str] = ""
    """What is measured on a part of very many items."""

    classes: int = 2
    """How many answers a probe tells apart."""
    assessed: Assessed
    """Set by `assess`."""

    def __init__(self, benchmark: Benchmark, settings: Settings, running: Running = Running()) -> None:  # noqa: B008
        """Order and group the items. Raises NotAssessedError where that cannot be done."""
        self.settings, self.running = settings, running
        self.source = benchmark
        """What the result is about; `ordered` replaces it where only some of its items can be used."""
        self.items, self.order = self.ordered(benchmark)
        """(n,) the items in an order that depends on their texts alone, and places that sort them back."""
        running.progress("finding groups", 0, 1)
        self.groups = self.grouped()
        if settings.protocol != "paper":
            refuse_one_group(self.groups)
        self.summary: GroupSummary | None = summarise(self.groups, self.items.ids)

    @classmethod
    def noted(cls, benchmark: Benchmark, settings: Settings) -> Benchmark:
        """The benchmark with notes on how it is read as this shape: what was asked for and changes nothing here."""
        asked = [name for name in cls.unused if getattr(settings, name) not in (False, "compiled")]
        notes = [f"not used: {', '.join(asked)}, because {cls.why_unused}"] if asked else []
        return replace(benchmark, notes=(*benchmark.notes, *notes))

    @abstractmethod
    def ordered(self, benchmark: Benchmark) -> tuple[Benchmark, list[int]]:
        """The items that can be used in an order that depends on their texts alone, and the place of each.

        Raises NotAssessedError if this shape cannot be audited so.
        """

    def grouped(self) -> Groups:
        """Which of the items belong together."""
        return groups_of(self.items, self.settings.groups)

    @abstractmethod
    def measure(self) -> Assessed:
        """Measure until there is a verdict."""

    @abstractmethod
    def tell(self) -> Found:
        """What explains the verdict: evidence, advice, notes and the record of this shape."""

    @abstractmethod
    def guesses(self) -> Iterable[tuple[int, Guess]]:
        """The items that were scored, by their places, and what was given to each."""

    @property
    def scored_by(self) -> str:
        """What gave it: the vector or strategy of the verdict."""
        return self.assessed.judgement.vector

    # Nothing below depends on the shape.

    @cached_property
    def layout(self) -> GroupLayout:
        """What the groups mean for folds."""
        return GroupLayout.of(self.groups, self.items.prompts)

    @cached_property
    def partitions(self) -> list[Partition]:
        """Clusters of similar texts, against which suspected leaks are checked; none if groups are switched off."""
        if self.settings.groups == "none":
            return []
        self.running.progress("comparing texts", 0, 1)
        return similarity_partitions(self.items.prompts, groups=self.groups.index)

    def held_apart(self, suspected: Sequence[Suspect], value_of: Callable[[str, Ints], float]) -> list[ClusterCheck]:
        """What `value_of` leaves of the strongest that learn with similar texts kept together, up to one that holds."""
        # What learns nothing cannot remember a text: nothing is checked of it, and what follows need not be.
        learning = [(way.name, way.value) for way in takewhile(lambda way: way.learns, suspected[:SUSPECTS])]
        partitions = self.partitions if learning else []
        return hold_apart(learning, self.layout.groups, partitions, value_of, self.settings.margin)

    def item_scores(self) -> list[ItemScore]:
        """One score per item that was scored, in source order, from what the verdict is about."""
        vector, scheme = self.scored_by, self.assessed.judgement.scheme
        return [
            ItemScore(
                id=self.items.ids[item],
                answer=self.items.answers[item],
                group=int(self.groups.index[item]),
                vector=vector,
                scheme=scheme,
                **guess._asdict(),
            )
            for item, guess in sorted(self.guesses(), key=lambda guessed: self.order[guessed[0]])
        ]


S = TypeVar("S", bound=Shape)


def assess(shape: type[S], benchmark: Benchmark, settings: Settings, running: Running = Running()) -> S:  # noqa: B008
    """Measure a benchmark as one of this shape, as far as the verdict.

    Raises NotAssessedError if it cannot be judged, such as where all items belong to one group, so that nothing can be
    held out.
    """
    audit = shape(benchmark, settings, running)
    audit.assessed = audit.measure()
    return audit


def result_of(audit: Shape) -> AuditResult:
    """The result of a benchmark that was assessed."""
    source, settings, done = audit.source, audit.settings, audit.assessed
    told = audit.tell()
    duplicates = find_duplicates(source.prompts, source.answers, source.ids, source.splits)
    # What the parts of a published split share, the shape has told.
    said = duplicates if told.published is None else msgspec.structs.replace(duplicates, across_splits=None)
    results, notes = [scheme.result for scheme in done.schemes], list[str]()
    if results:
        notes = scheme_notes(results, done.one_run, ungrouped=settings.groups == "none")
        notes += [f"{used.name}: {used.told}" for used in done.given]
        notes += saved_effort(done.effort, len(audit.items.prompts), audit.partly, labels=audit.classes)
    told = replace(told, advice=[*told.advice, *advise_on_duplicates(said)], notes=[*notes, *told.notes])
    return _put_together(source, settings, done, told, duplicates, audit.summary)


def not_assessed(benchmark: Benchmark, reason: str, settings: Settings) -> AuditResult:
    """The result of a benchmark that was read, but that this audit cannot judge."""
    return _put_together(benchmark, settings, Assessed([], Judgement("NOT ASSESSED", reason, "", "")), Found())


_LISTED = 1000
"""Rows left out that the result lists; the rest are only counted."""


def _put_together(
    source: Benchmark,
    settings: Settings,
    done: Assessed,
    told: Found,
    duplicates: Duplicates | None = None,
    groups: GroupSummary | None = None,
) -> AuditResult:
    """The one place where a result is made, with the numbers that a file of it has."""
    probed, more, reason = bool(done.schemes), told.more, done.judgement.reason
    if done.judgement.verdict == "CLEAN" and source.mapping.unseen:
        # First, because a cue that stands there makes the verdict false.
        unread = one_line(", ".join(source.mapping.unseen), 120)
        reason = f"this is without the columns that were not read: {unread}. {reason[:1].upper()}{reason[1:]}"
    counts = Counter(source.answers).most_common()
    result = AuditResult(
        verdict=done.judgement.verdict,
        reason=reason,
        vector=done.judgement.vector if probed else None,
        schema=SCHEMA,
        name=source.name,
        source=source.source,
        sha256=source.sha256,
        items=len(source.prompts) if told.published is None else told.published.test,
        left_out=[Exclusion(place=row.place, reason=row.full_reason) for row in source.left_out[:_LISTED]],
        left_out_count=len(source.left_out),
        mapping=_mapping(source, settings, told.options is not None),
        labels=[LabelCount(label=label, count=count) for label, count in counts]
        if told.labels is None
        else list(told.labels),
        duplicates=duplicates,
        groups=groups,
        schemes=[scheme.result for scheme in done.schemes],
        gap=done.gap,
        clusters=list(done.clusters),
        findable=list(done.findable),
        format_share=more.format_share,
        mentions=more.mentions,
        ladder=more.ladder,
        effort=done.effort,
        recipe=source.recipe,
        partial=more.partial,
        evidence_vector=told.evidence_vector,
        evidence_scheme=done.judgement.scheme if probed else None,
        cues=list(told.cues),
        giveaways=list(told.giveaways),
        advice=list(told.advice),
        notes=[*source.notes, *told.notes, *([NOT_DONE] if settings.fast and probed else [])],
        settings=settings,
        single_ngrams=more.single_ngrams,
        published=told.published,
        predictions=list(done.given),
        versions=library_versions(),
        open_ended=told.open_ended,
        options=told.options,
    )
    return msgspec.convert(settled(msgspec.to_builtins(result)), AuditResult)


def _mapping(benchmark: Benchmark, settings: Settings, options: bool) -> MappingUsed:
    used = benchmark.mapping
    if settings.groups != "auto":  # the group column was read but not used
        used = replace(used, group=None, guessed=tuple(role for role in used.guessed if role != "group"))
    if not options:
        used = replace(used, choices=(), guessed=tuple(role for role in used.guessed if role != "choices"))
    return MappingUsed(
        format=used.format,
        prompt=used.prompt,
        answer=used.answer,
        group=used.group,
        split=used.split,
        id=used.id,
        guessed=list(used.guessed),
        choices=",".join(used.choices) or None,
        unseen=list(used.unseen),
    )
