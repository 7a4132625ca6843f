"""What rules left of a benchmark, put into records: the steps, the items that went, the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from audit.benchmark import Benchmark
from audit.reading.task_kind import FEWEST
from audit.repair.goals import goal_of
from audit.repair.records import CAUTION, SCHEMA, HardenResult, Reading, Removal, RepairStep
from audit.repair.search import Choice
from audit.repair.subject import R, Subject
from audit.result.audit_result import Settings
from audit.result.changes import interval_of_difference

__all__ = ["Outcome", "changes", "described", "harden_result", "unusable"]


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


def described(states: Sequence[Choice[R]]) -> list[RepairStep]:
    """One record per rule. The held-out items are looked at only now that nothing is chosen any more."""
    steps = []
    for old, new in pairwise(states):
        assert new.rule is not None
        gone = old.kept & ~new.kept
        strongest, chosen = new.look.strongest, new.subject.chosen
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
                kappa_held_out=new.subject.kappa_of(new.kept & ~chosen, strongest.vector),
            )
        )
    return steps


def changes(benchmark: Benchmark, states: Sequence[Choice[R]]) -> list[Removal]:
    """One record per item that a rule removed, or left with another order of options, in the order of the source."""
    rows: dict[int, Removal] = {}
    for number, (old, new) in enumerate(pairwise(states), 1):
        assert new.rule is not None
        subject = new.subject
        for row in np.flatnonzero(old.kept & ~new.kept).tolist():
            rows[subject.order[row]] = _change_of(benchmark, subject, row, number, new.rule.words)
        if subject is not old.subject:
            for row in np.flatnonzero(new.kept & states[-1].kept).tolist():
                order = subject.moved(row)
                if order is not None:
                    rows[subject.order[row]] = _change_of(benchmark, subject, row, number, new.rule.words, order)
    return [rows[place] for place in sorted(rows)]


def _change_of(
    benchmark: Benchmark, subject: Subject[R], row: int, step: int, why: str, order: list[int] | None = None
) -> Removal:
    place = subject.order[row]
    return Removal(
        id=benchmark.ids[place],
        place=None if benchmark.places is None else benchmark.places[place],
        part="chosen" if subject.chosen[row] else "held out",
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
