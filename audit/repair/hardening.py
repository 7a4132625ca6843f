"""Harden a benchmark: hold groups out, choose rules on the others, apply them to both, audit both again.

Whoever removes the items that a probe predicts, and then audits what is left, audits the choice: the numbers look
better than they are, and may lie below 0. So the rules are chosen without a part of the groups, applied to that part by
models that never saw it, and judged there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from audit.benchmark import Benchmark
from audit.columns.kind import kind
from audit.repair.audits import Audits
from audit.repair.goals import FAULTS
from audit.repair.outcome import Outcome, described, harden_result, removed, unusable
from audit.repair.pool import Bools, Pool
from audit.repair.records import HardenResult, Removal
from audit.repair.search import STEPS, choose_rules
from audit.result import AuditResult, Settings
from audit.settings import check_workers
from generators.errors import NotAssessedError, UsageError, unknown
from generators.progress import Progress, unwatched

__all__ = ["harden_benchmark"]


def harden_benchmark(
    benchmark: Benchmark,
    settings: Settings,
    *,
    keep_at_least: float = 0.3,
    held_out: float = 0.4,
    steps: Sequence[str] = STEPS,
    workers: int = 0,
    progress: Progress | None = None,
    known: AuditResult | None = None,
) -> tuple[HardenResult, list[int], list[Removal]]:
    """The result, the places (in the benchmark) of the items that are left, and what was removed.

    The options and errors are those of `audit.repair.harden.harden`. `known` is the result of an audit of these very
    items with these settings, which is then not repeated.
    """
    check_workers(workers)
    for option, share, low, high in (("keep_at_least", keep_at_least, 0.0, 1.0), ("held_out", held_out, 0.1, 0.9)):
        if not low <= share <= high:
            raise UsageError(f"{option} is {share}; it must lie between {low:g} and {high:g}")
    for step in steps:
        if step not in STEPS:
            raise unknown("step", step, STEPS)
    task = kind(benchmark)
    if task.name == "too-few" or (settings.task == "auto" and task.name != "fixed"):
        raise NotAssessedError(
            f"harden works on benchmarks whose items share one set of answers, and on at least 30 items. {task.reason}",
            benchmark.source,
        )
    audits = Audits(benchmark, settings, workers, progress or unwatched)
    before, about = audits.first(known)
    if before.verdict not in FAULTS and not before.significant:
        result = harden_result(benchmark, settings, before, keep_at_least, held_out)
        return result, list(range(len(benchmark.prompts))), unusable(benchmark)
    pool = Pool.of(benchmark, settings, held_out, workers)
    search = choose_rules(pool, steps, keep_at_least, audits.named("choosing"))
    states, last = search.choices, search.choices[-1]
    old = audits.quick(pool.part(~pool.chosen), about, "held-out items")
    untouched = bool(last.kept.all())
    outcome = Outcome(
        steps=tuple(described(pool, states)),
        before=old,
        after=old if untouched else audits.quick(pool.part(last.kept & ~pool.chosen), about, "held-out items left"),
        whole=before if untouched else audits.whole(_left(benchmark, pool, last.kept), about, "items left"),
        floor="" if search.floor is None else search.floor.words,
        satisfied=search.satisfied,
        kept=int(last.kept.sum()),
    )
    gone = removed(benchmark, pool, states) + unusable(benchmark)
    kept = sorted(pool.order[row] for row in np.flatnonzero(last.kept).tolist())
    return harden_result(benchmark, settings, before, keep_at_least, held_out, outcome), kept, gone


def _left(benchmark: Benchmark, pool: Pool, kept: Bools) -> Benchmark:
    """The items that are left, as anyone would read them: their groups are found again."""
    part = pool.part(kept)
    rows = np.flatnonzero(kept).tolist()
    declared = pool.benchmark.groups
    groups = None if declared is None else [declared[row] for row in rows]
    return replace(part, groups=groups, mapping=benchmark.mapping)
