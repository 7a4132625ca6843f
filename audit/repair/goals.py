"""What counts as repaired: the audits before and after, and what rules left, put into records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

import msgspec
import numpy as np

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import kappa
from hansproof.audit.reading.loading import Columns
from hansproof.audit.reading.task_kind import FEWEST, kind
from hansproof.audit.repair.items import Items
from hansproof.audit.repair.records import (
    CAUTION,
    SCHEMA,
    Goal,
    HardenResult,
    KappaReading,
    Reading,
    Removal,
    RepairStep,
)
from hansproof.audit.repair.search import Choice
from hansproof.audit.result.audit_result import AuditResult, SchemeResult, Settings, VectorResult, Verdict
from hansproof.audit.result.changes import interval_of_difference
from hansproof.audit.result.tasks import OptionRule
from hansproof.audit.tasks.options.option_assessment import OptionsAssessment
from hansproof.audit.tasks.options.simple_rules import COMMON_POSITION
from hansproof.audit.verdict.rule import Judgement
from hansproof.generators.errors import NotAssessedError, Progress

if TYPE_CHECKING:
    from hansproof.audit.tasks.labels.label_assessment import Assessment

__all__ = ["FAULTS", "Assess", "Audits", "Outcome", "Recall", "changes", "described", "harden_result", "unusable"]

FAULTS: Final[tuple[Verdict, ...]] = ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED", "TRACES")
"""Verdicts that show something to repair."""


class About(NamedTuple):
    """What a verdict is about."""

    scheme: str
    vector: str


def reading(
    judged: Judgement | AuditResult,
    schemes: Sequence[SchemeResult],
    items: int,
    groups: int,
    about: About,
    alpha: float,
    rules: Sequence[OptionRule] = (),
) -> Reading:
    """What an audit of so many `items` says, read under the folds and for the vector that the first one was `about`.

    A verdict on the positions of options is about one of the `rules`.
    """
    by_name = {scheme.scheme: scheme for scheme in schemes}
    used = by_name.get("random" if about.scheme == "random" else "grouped") or schemes[0]
    known = [entry for entry in used.counted if entry.matched is not None]
    return Reading(
        items=items,
        groups=groups,
        verdict=judged.verdict,
        reason=judged.reason,
        significant=any(entry.significant(alpha) for entry in used.counted),
        scheme=used.scheme,
        splits=used.splits,
        first=_of_rule(rules, about.vector) or _of(used.find(about.vector)),
        strongest=_of(max(known, key=lambda entry: entry.matched or 0.0, default=None)),
    )


def _of(vector: VectorResult | None) -> KappaReading | None:
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


def _of_rule(rules: Sequence[OptionRule], name: str) -> KappaReading | None:
    rule = next((rule for rule in rules if rule.rule == name), None)
    if rule is None:
        return None
    return KappaReading(vector=name, label=name, kappa=rule.kappa, low=rule.low, high=rule.high, p_corrected=None)


def about_of(judged: Judgement, rules: Sequence[OptionRule]) -> About:
    """What a verdict is about: a vector, or the positions of options if these are not balanced."""
    positions = [rule.rule for rule in rules if rule.rule.startswith(COMMON_POSITION)]
    return About(judged.scheme, positions[0] if judged.verdict == "IMBALANCED" and positions else judged.vector)


def goal_of(
    before: Reading,
    after: tuple[Reading | None, Reading | None] | None,
    floor: str = "",
    *,
    satisfied: bool = False,
    few: str = "",
) -> tuple[Goal, str]:
    """The goal that was reached, and why. `after` are the audits of all items that are left and of the held-out ones.

    `floor` is the step that would have left too few items, if there was one; `satisfied` says that the choosing items
    that are left showed nothing any more; `few` says how many items are too few to audit, where that is known.
    """
    if after is None:
        return (
            "nothing to repair",
            f"The verdict is {before.verdict}, and no feature vector is significant: every item is kept.",
        )
    whole, held_out = after
    way = (
        " The choosing items do not show it by themselves; pass a smaller --held-out, so that more items have a say."
        if satisfied
        else f" The next step, “{floor}”, would leave fewer items than allowed; lower --keep-at-least or add items."
        if floor
        else " No step is left that could help; write new items, or rewrite those that --removed does not list."
    )
    if whole is None or held_out is None:
        few = few or "Too few items are left, here or among the held-out ones, to audit them: at least 30 are needed."
        return "not reached", few if satisfied else few + way
    for name, left in (("items", whole), ("held-out items", held_out)):
        if left.verdict in FAULTS or left.significant:
            return "not reached", f"The {name} that are left are {left.verdict}: {left.reason}{way}"
    now = held_out.first.kappa if held_out.first is not None else None
    where = f"On groups that had no say in the choice, the kappa of the first cue is now {kappa(now)}."
    if before.verdict == "IMBALANCED":
        where = "The held-out items are no longer imbalanced either."
    if whole.verdict == "CLEAN":
        return "clean", f"The items that are left are CLEAN. {where}"
    return "no fault shown", f"No fault is shown any more, but too few items are left for CLEAN. {where}"


# Hardening waits for four audits: the new benchmark's is of all items, the others take few splits, unless known
# already.

QUICK = 3
"""Splits of an audit that is not of what is left in the end."""

Recall: TypeAlias = Callable[[Columns, Settings], AuditResult | None]
"""The result of an audit of the same source with these columns and settings, if it is known."""


class Assess(Protocol):
    """How a benchmark is audited."""

    def __call__(
        self, benchmark: Benchmark, settings: Settings, /, *, workers: int, progress: Progress
    ) -> Assessment | OptionsAssessment:
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
        if known is not None and self._is_of_these(known) and known.vector and known.evidence_scheme:
            rules = known.options.rules if known.options else []
            about = about_of(Judgement(known.verdict, known.reason, known.vector, known.evidence_scheme), rules)
            groups = known.groups.count if known.groups else known.items
            return reading(known, known.schemes, known.items, groups, about, self._settings.alpha, rules), about
        for settings in dict.fromkeys((self._quick.splits, self._settings.splits)):
            used = msgspec.structs.replace(self._settings, splits=settings)
            done = self._assess(self._benchmark, used, workers=self._workers, progress=self.named("all items"))
            about = about_of(done.assessed.judgement, _rules(done))
            before = self._reading(done, about)
            if before.significant or before.verdict in FAULTS:
                break
        return before, about

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
            done = self._assess(part, settings, workers=self._workers, progress=self.named(what))
        except NotAssessedError:
            return None
        return self._reading(done, about)

    def _reading(self, done: Assessment | OptionsAssessment, about: About) -> Reading:
        schemes = [scheme.result for scheme in done.assessed.schemes]
        items, groups = len(done.groups.index), int(done.groups.index.max()) + 1
        return reading(done.assessed.judgement, schemes, items, groups, about, self._settings.alpha, _rules(done))

    def _is_of_these(self, known: AuditResult) -> bool:
        of = self._benchmark
        return (known.sha256, known.items, known.settings) == (of.sha256, len(of.prompts), self._settings)


def _rules(done: Assessment | OptionsAssessment) -> list[OptionRule]:
    return done.rules if isinstance(done, OptionsAssessment) else []


@dataclass(frozen=True)
class Outcome:
    """What the rules left; the defaults are those of a benchmark in which nothing is wrong."""

    kept: int
    steps: tuple[RepairStep, ...] = ()
    before: Reading | None = None
    """The audit of the held-out items; None if they cannot be audited."""
    after: Reading | None = None
    """The audit of those of them that are left."""
    whole: Reading | None = None
    """The audit of all items that are left."""
    floor: str = ""
    """The step that would have left too few items."""
    satisfied: bool = False
    """The choosing items that are left showed nothing any more."""
    reordered: int = 0
    """Items that are left with another order of options."""
    not_reordered: str = ""
    """Why options that should have been reordered were not."""


def harden_result(
    benchmark: Benchmark,
    settings: Settings,
    before: Reading,
    keep_at_least: float,
    held_out: float,
    outcome: Outcome | None = None,
) -> HardenResult:
    """The one place where a result is made; `outcome` is None if there was nothing to repair."""
    audits = None if outcome is None else (outcome.whole, outcome.after)
    done = outcome or Outcome(len(benchmark.prompts))
    goal, reason = goal_of(before, audits, done.floor, satisfied=done.satisfied, few=_few(done))
    change, low, high = _difference(done.before, done.after)
    return HardenResult(
        goal=goal,
        reason=reason,
        caution=CAUTION,
        schema=SCHEMA,
        name=benchmark.name,
        source=benchmark.source,
        sha256=benchmark.sha256,
        items=len(benchmark.prompts),
        kept=done.kept,
        keep_at_least=keep_at_least,
        held_out=held_out,
        before=before,
        after=done.whole,
        held_out_before=done.before,
        held_out_after=done.after,
        change=change,
        change_low=low,
        change_high=high,
        steps=list(done.steps),
        settings=settings,
        reordered=done.reordered,
        not_reordered=done.not_reordered,
    )


def _few(done: Outcome) -> str:
    """How many held-out items are left, if so few cannot be audited; empty if they can, or nobody knows."""
    if done.before is None or done.after is not None:
        return ""
    left = done.before.items - sum(step.removed_held_out for step in done.steps)
    return f"Of {done.before.items} held-out items {left} are left; an audit needs {FEWEST}." if left < FEWEST else ""


def _difference(before: Reading | None, after: Reading | None) -> tuple[float | None, float | None, float | None]:
    """How the kappa of the first vector changed on held-out items, with the interval of the change."""
    old, new = before and before.first, after and after.first
    if not old or not new or old.kappa is None or new.kappa is None:
        return None, None, None
    ends = interval_of_difference((old.low, old.kappa, old.high), (new.low, new.kappa, new.high))
    return new.kappa - old.kappa, *(ends or (None, None))


def described(states: Sequence[Choice]) -> list[RepairStep]:
    """One record per rule. The held-out items are looked at only now that nothing is chosen any more."""
    steps = []
    for old, new in pairwise(states):
        assert new.rule is not None
        gone = old.kept & ~new.kept
        strongest, chosen = new.look.strongest, new.items.chosen
        steps.append(
            RepairStep(
                kind=new.rule.kind,
                rule=new.rule.words,
                removed_chosen=int((gone & chosen).sum()),
                removed_held_out=int((gone & ~chosen).sum()),
                kept=int(new.kept.sum()),
                vector=strongest.vector,
                label=strongest.label,
                kappa_chosen=strongest.matched,
                kappa_held_out=new.items.kappa_of(new.kept & ~chosen, strongest.vector),
            )
        )
    return steps


def changes(benchmark: Benchmark, states: Sequence[Choice]) -> list[Removal]:
    """One record per item that a rule removed, or left with another order of options, in the order of the source."""
    rows: dict[int, Removal] = {}
    for number, (old, new) in enumerate(pairwise(states), 1):
        assert new.rule is not None
        items = new.items
        for row in np.flatnonzero(old.kept & ~new.kept).tolist():
            rows[items.order[row]] = _change_of(benchmark, items, row, number, new.rule.words)
        if items is not old.items:
            for row in np.flatnonzero(new.kept & states[-1].kept).tolist():
                order = items.moved(row)
                if order is not None:
                    rows[items.order[row]] = _change_of(benchmark, items, row, number, new.rule.words, order)
    return [rows[place] for place in sorted(rows)]


def _change_of(
    benchmark: Benchmark, items: Items, row: int, step: int, why: str, order: list[int] | None = None
) -> Removal:
    place = items.order[row]
    return Removal(
        id=benchmark.ids[place],
        place=None if benchmark.places is None else benchmark.places[place],
        part="chosen" if items.chosen[row] else "held out",
        step=step,
        why=why,
        order=order,
    )


def unusable(benchmark: Benchmark) -> list[Removal]:
    """One record per row that could not be read."""
    return [
        Removal(id=row.place, place=row.place, part="unusable", step=None, why=row.full_reason)
        for row in benchmark.left_out
    ]
