"""What counts as repaired: the audits before and after, and the goal that they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

import msgspec

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import kappa
from hansproof.audit.reading.loading import Columns
from hansproof.audit.reading.task_kind import kind
from hansproof.audit.repair.records import Goal, KappaReading, Reading
from hansproof.audit.result.audit_result import AuditResult, SchemeResult, Settings, VectorResult
from hansproof.audit.result.changes import interval_of_difference
from hansproof.audit.result.tasks import OptionRule
from hansproof.audit.tasks.labels import Labels
from hansproof.audit.tasks.options.multiple_choice import MultipleChoice
from hansproof.audit.tasks.options.option_shortcuts import COMMON_POSITION
from hansproof.audit.tasks.shape import Running
from hansproof.audit.verdict.rule import Judgement
from hansproof.generators.errors import NotAssessedError, Progress

__all__ = ["Audits", "Recall", "change_of", "goal_of"]


class About(NamedTuple):
    """What a verdict is about."""

    scheme: str
    vector: str


class Audited(NamedTuple):
    """What an audit says, made now or earlier."""

    judgement: Judgement
    schemes: Sequence[SchemeResult]
    items: int
    groups: int
    rules: Sequence[OptionRule]
    """How far simple rules go that name an option; none for labels."""

    def about(self) -> About:
        """What the verdict is about: a vector, or the positions of options if these are not balanced."""
        positions = [rule.rule for rule in self.rules if rule.rule.startswith(COMMON_POSITION)]
        uneven = self.judgement.verdict == "IMBALANCED" and positions
        return About(self.judgement.scheme, positions[0] if uneven else self.judgement.vector)

    def reading(self, about: About, alpha: float) -> Reading:
        """The same under the folds and for the vector or the rule that the first verdict was `about`."""
        by_name = {scheme.scheme: scheme for scheme in self.schemes}
        used = by_name.get("random" if about.scheme == "random" else "grouped") or self.schemes[0]
        known = [entry for entry in used.counted if entry.matched is not None]
        return Reading(
            items=self.items,
            groups=self.groups,
            verdict=self.judgement.verdict,
            reason=self.judgement.reason,
            significant=any(entry.significant(alpha) for entry in used.counted),
            scheme=used.scheme,
            splits=used.splits,
            first=self._kappa_of_rule(about.vector) or _kappa_of(used.find(about.vector)),
            strongest=_kappa_of(max(known, key=lambda entry: entry.matched or 0.0, default=None)),
        )

    def _kappa_of_rule(self, name: str) -> KappaReading | None:
        of = next((rule for rule in self.rules if rule.rule == name), None)
        if of is None:
            return None
        return KappaReading(vector=name, label=name, kappa=of.kappa, low=of.low, high=of.high, p_corrected=None)


def _kappa_of(vector: VectorResult | None) -> KappaReading | None:
    if vector is None:
        return None
    return KappaReading(
        vector=vector.vector,
        label=vector.label,
        kappa=vector.matched,
        low=vector.matched_low,
        high=vector.matched_high,
        p_corrected=vector.p_corrected,
    )


# Hardening waits for four audits: the new benchmark's is of all items, the others take few splits, unless known
# already.

QUICK = 3
"""Splits of an audit that is not of what is left in the end."""

Recall: TypeAlias = Callable[[Columns, Settings], AuditResult | None]
"""The result of an audit of the same source with these columns and settings, if it is known."""


class Assess(Protocol):
    """How a benchmark is audited."""

    def __call__(self, benchmark: Benchmark, settings: Settings, running: Running, /) -> Labels | MultipleChoice:
        """Raises NotAssessedError if it cannot be."""


class Audits:
    """The audits of one benchmark and of its parts."""

    def __init__(
        self, benchmark: Benchmark, settings: Settings, assess: Assess, workers: int, progress: Progress
    ) -> None:
        self._assess = assess
        self._benchmark, self._settings, self._workers, self._progress = benchmark, settings, workers, progress
        self._quick = msgspec.structs.replace(settings, splits=min(settings.splits, QUICK))

    def named(self, what: str) -> Progress:
        """Progress of one of several pieces of work, which is called `what`."""
        return lambda stage, done, total: self._progress(f"{what}: {stage}", done, total)

    def first(self, known: AuditResult | None) -> tuple[Reading, About]:
        """The audit of all items, and what its verdict is about.

        It is the `known` one if that is of the same items. Else a quick one, and a whole one besides where the quick
        one shows no fault: only what is wrong by any audit is repaired, and only what is right by a whole one is not.
        """
        these = (self._benchmark.sha256, len(self._benchmark.prompts), self._settings)
        same = known is not None and (known.sha256, known.items, known.settings) == these
        if known is not None and same and known.vector and known.evidence_scheme:
            audited = Audited(
                Judgement(known.verdict, known.reason, known.vector, known.evidence_scheme),
                known.schemes,
                known.items,
                known.groups.count if known.groups else known.items,
                known.options.rules if known.options else [],
            )
            return self._reading(audited, audited.about()), audited.about()
        for settings in (self._quick, self._settings):
            audited = self._audited(self._benchmark, settings, "all items")
            before = self._reading(audited, audited.about())
            if before.is_faulty or settings == self._settings:
                break
        return before, audited.about()

    def quick(self, part: Benchmark, about: About, what: str) -> Reading | None:
        """A quick audit of some of the items, which keep the groups of all items; None if they cannot be audited."""
        return self._part(part, about, what, msgspec.structs.replace(self._quick, groups="auto"))

    def whole(self, part: Benchmark, about: About, what: str) -> Reading | None:
        """The audit that anyone would make of some of the items; None if they cannot be audited."""
        return self._part(part, about, what, self._settings)

    def _part(self, part: Benchmark, about: About, what: str, settings: Settings) -> Reading | None:
        if kind(part).name == "too-few" or (part.options is None and len(set(part.answers)) < 2):
            return None
        try:
            return self._reading(self._audited(part, settings, what), about)
        except NotAssessedError:
            return None

    def _audited(self, benchmark: Benchmark, settings: Settings, what: str) -> Audited:
        done = self._assess(benchmark, settings, Running(self._workers, self.named(what)))
        return Audited(
            done.assessed.judgement,
            [scheme.result for scheme in done.assessed.schemes],
            len(done.groups.index),
            int(done.groups.index.max()) + 1,
            done.rules if isinstance(done, MultipleChoice) else [],
        )

    def _reading(self, audited: Audited, about: About) -> Reading:
        return audited.reading(about, self._settings.alpha)


def goal_of(
    before: Reading, whole: Reading | None, held_out: Reading | None, floor: str = "", *, satisfied: bool = False
) -> tuple[Goal, str]:
    """The goal that was reached, and why, from the audits of all items that are left and of the held-out ones.

    `floor` is the step that would have left too few items, if there was one; `satisfied` says that the choosing items
    that are left showed nothing any more.
    """
    way = (
        " The choosing items do not show it by themselves; pass a smaller --held-out, so that more items have a say."
        if satisfied
        else f" The next step, “{floor}”, would leave fewer items than allowed; lower --keep-at-least or add items."
        if floor
        else " No step is left that could help; write new items, or rewrite those that --removed does not list."
    )
    if whole is None or held_out is None:
        few = "Too few items are left, here or among the held-out ones, to audit them: at least 30 are needed."
        return "not reached", few if satisfied else few + way
    for name, left in (("items", whole), ("held-out items", held_out)):
        if left.is_faulty:
            return "not reached", f"The {name} that are left are {left.verdict}: {left.reason}{way}"
    now = held_out.first.kappa if held_out.first is not None else None
    where = f"On groups that had no say in the choice, the kappa of the first cue is now {kappa(now)}."
    if before.verdict == "IMBALANCED":
        where = "The held-out items are no longer imbalanced either."
    if whole.verdict == "CLEAN":
        return "clean", f"The items that are left are CLEAN. {where}"
    return "no fault shown", f"No fault is shown any more, but too few items are left for CLEAN. {where}"


def change_of(before: Reading | None, after: Reading | None) -> tuple[float | None, float | None, float | None]:
    """How the kappa of the first vector changed on held-out items, with the interval of the change."""
    old, new = before and before.first, after and after.first
    if not old or not new or old.kappa is None or new.kappa is None:
        return None, None, None
    ends = interval_of_difference((old.low, old.kappa, old.high), (new.low, new.kappa, new.high))
    return new.kappa - old.kappa, *(ends or (None, None))
