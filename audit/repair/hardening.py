"""Harden a benchmark: hold groups out, choose rules on the others, apply them to both, audit both again.

Whoever removes the items that a probe predicts, and then audits what is left, audits the choice: the numbers look
better than they are, and may lie below 0. So the rules are chosen without a part of the groups, applied to that part by
models that never saw it, and judged there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from audit.benchmark import Benchmark
from audit.reading.task_kind import kind
from audit.repair.audits import Assess, Audits
from audit.repair.goals import FAULTS
from audit.repair.outcome import Outcome, changes, described, harden_result, unusable
from audit.repair.records import HardenResult, Removal
from audit.repair.search import STEPS, choose_rules
from audit.repair.subject import Rewrite, Subject, not_rewritten
from audit.result.audit_result import AuditResult, Settings
from audit.settings import check_workers
from generators.errors import NotAssessedError, Progress, UsageError, unknown, unwatched

__all__ = ["Left", "Wanted", "harden_benchmark"]


@dataclass(frozen=True)
class Left:
    """What hardening left of a benchmark."""

    result: HardenResult
    places: list[str]
    """Where the items that are left are in the source, in its order; empty if they come from none."""
    removed: list[Removal]
    """Every item that went or whose options were reordered."""


@dataclass(frozen=True)
class Wanted:
    """What hardening may do: `audit.repair.harden.harden` describes it."""

    keep_at_least: float = 0.3
    held_out: float = 0.4
    steps: Sequence[str] = STEPS


@dataclass(frozen=True)
class _Shape:
    """What depends on whether items share their answers or have options of their own."""

    benchmark: Benchmark
    """The items that can be used."""
    assess: Assess
    steps: tuple[str, ...]
    """The kinds of steps that there are."""
    subject: Callable[[], Subject[Any]]


def harden_benchmark(
    benchmark: Benchmark,
    settings: Settings,
    wanted: Wanted,
    *,
    workers: int = 0,
    progress: Progress | None = None,
    known: AuditResult | None = None,
    rewrite: Rewrite = not_rewritten,
) -> Left:
    """Harden a benchmark that was read.

    The options and errors are those of `audit.repair.harden.harden`. `known` is the result of an audit of these very
    items with these settings, which is then not repeated; `rewrite` says whether options can be reordered.
    """
    check_workers(workers)
    keep_at_least, held_out, steps = wanted.keep_at_least, wanted.held_out, wanted.steps
    for option, share, low, high in (("keep_at_least", keep_at_least, 0.0, 1.0), ("held_out", held_out, 0.1, 0.9)):
        if not low <= share <= high:
            raise UsageError(f"{option} is {share}; it must lie between {low:g} and {high:g}")
    for step in steps:
        if step not in STEPS:
            raise unknown("step", step, STEPS)
    shape = _shape_of(benchmark, settings, held_out, workers, rewrite)
    if not set(steps) & set(shape.steps):
        raise UsageError(f"none of these steps helps here; name some of {', '.join(shape.steps)}")
    used = shape.benchmark
    audits = Audits(used, settings, shape.assess, workers, progress or unwatched)
    before, about = audits.first(known)
    if before.verdict not in FAULTS and not before.significant:
        return Left(harden_result(used, settings, before, keep_at_least, held_out), used.places or [], unusable(used))
    subject = shape.subject()
    search = choose_rules(subject, steps, keep_at_least, audits.named("choosing"))
    states, last = search.choices, search.choices[-1]
    kept, others = last.kept, ~subject.chosen
    old = audits.quick(subject.part(others), about, "held-out items")
    untouched = len(states) == 1
    moved = [row for row in np.flatnonzero(kept).tolist() if last.subject.moved(row) is not None]
    outcome = Outcome(
        steps=tuple(described(states)),
        before=old,
        after=old if untouched else audits.quick(last.subject.part(kept & others), about, "held-out items left"),
        whole=before if untouched else audits.whole(last.subject.left(kept), about, "items left"),
        floor="" if search.floor is None else search.floor.words,
        satisfied=search.satisfied,
        kept=int(kept.sum()),
        reordered=len(moved),
        not_reordered=subject.not_reordered,
    )
    rows = sorted(subject.order[row] for row in np.flatnonzero(kept).tolist())
    places = [] if used.places is None else [used.places[row] for row in rows]
    result = harden_result(used, settings, before, keep_at_least, held_out, outcome)
    return Left(result, places, changes(used, states) + unusable(used))


def _shape_of(benchmark: Benchmark, settings: Settings, held_out: float, workers: int, rewrite: Rewrite) -> _Shape:
    """Labels or options; raises NotAssessedError for all else."""
    task = kind(benchmark)
    if task.name == "too-few" or (settings.task == "auto" and task.name == "open-ended"):
        raise NotAssessedError(
            f"harden works on benchmarks whose items share one set of answers or have options of their own, and on at "
            f"least 30 items. {task.reason}",
            benchmark.source,
        )
    if settings.task == "auto" and task.name == "per-item":
        from audit.options.assessment import assess_options
        from audit.repair.options.subject import OptionItems, usable_items

        usable = usable_items(benchmark, settings)
        return _Shape(
            usable,
            assess_options,
            ("positions", "cue", "match", "templates", "filter"),
            lambda: OptionItems.of(usable, settings, held_out, workers, rewrite),
        )
    from audit.labels.assessment import assess
    from audit.repair.labels.pool import Pool
    from audit.repair.labels.subject import Labels

    return _Shape(
        benchmark,
        assess,
        ("answers", "cue", "match", "templates", "filter"),
        lambda: Labels(benchmark, Pool.of(benchmark, settings, held_out, workers)),
    )
