"""Harden a benchmark: hold groups out, choose rules on the others, apply them to both, audit both again.

Whoever removes the items that a probe predicts, and then audits what is left, audits the choice: the numbers look
better than they are, and may lie below 0. So the rules are chosen without a part of the groups, applied to that part by
models that never saw it, and judged there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from audit.assessment import Assessment, assess
from audit.benchmark import Benchmark
from audit.columns.kind import kind
from audit.comparison.difference import interval_of_difference
from audit.loading import Columns, hold, load
from audit.repair.goals import FAULTS, goal_of, reading
from audit.repair.look import kappa_of
from audit.repair.pool import Bools, Pool
from audit.repair.records import CAUTION, SCHEMA, HardenResult, Reading, Removal, RepairStep
from audit.repair.rows import kept_rows
from audit.repair.search import STEPS, Choice, choose_rules
from audit.result import Settings
from audit.settings import GroupMode, TaskMode, check_workers, make_settings
from generators.errors import NotAssessedError, UsageError, unknown
from generators.progress import Progress, unwatched

__all__ = ["Hardened", "harden", "harden_benchmark"]


@dataclass(frozen=True)
class Hardened:
    """What hardening found, and what it would write."""

    result: HardenResult
    rows: bytes
    """The rows that are left, as `audit.repair.rows` writes them."""
    removed: list[Removal]
    """Every other row, in the order of the source."""


def harden(
    source: Any,
    *,
    prompt: str | None = None,
    answer: str | None = None,
    answer_part: str | None = None,
    group: str | None = None,
    split: str | None = None,
    template: str | None = None,
    id: str | None = None,
    recipe: str | None = None,
    name: str | None = None,
    max_left_out: float = 0.1,
    task: TaskMode = "auto",
    workers: int = 0,
    progress: Progress | None = None,
    groups: GroupMode = "auto",
    seed: int = 42,
    folds: int = 5,
    splits: int = 10,
    permutations: int = 999,
    threshold: float = 0.2,
    alpha: float = 0.05,
    keep_at_least: float = 0.3,
    held_out: float = 0.4,
    steps: Sequence[str] = STEPS,
) -> Hardened:
    """Find the fewest items to remove so that an audit shows no fault: CLEAN, or INCONCLUSIVE if too few are left.

    `source` and the options that are not listed here are those of `audit.run.audit`.

      keep_at_least   share of the items that must be left, 0 to 1: no step goes below it
      held_out        share of the items, by group, that have no say in the choice of the steps, .1 to .9
      steps           kinds of steps to use: answers, cue, match, templates, filter

    A step removes whole cues, never just enough for them to go unnoticed. Nothing is written; `Hardened.rows` are the
    bytes to write. It does not show that what is left tests the ability. Raises UsageError for options that are not
    permitted, InputError if the source cannot be read or has too few groups, NotAssessedError if it cannot be audited.
    """
    settings = make_settings(
        groups=groups, seed=seed, folds=folds, splits=splits, permutations=permutations, threshold=threshold,
        alpha=alpha, task=task, split=split, max_left_out=max_left_out, answer_part=answer_part,
    )  # fmt: skip
    columns = Columns(
        prompt=prompt, answer=answer, group=group, split=split, template=template, id=id, answer_part=answer_part,
        recipe=recipe,
    )  # fmt: skip
    held = hold(source)
    benchmark = load(held, columns, name=name, max_left_out=max_left_out)
    result, kept, removed = harden_benchmark(
        benchmark, settings, keep_at_least=keep_at_least, held_out=held_out, steps=steps, workers=workers,
        progress=progress,
    )  # fmt: skip
    return Hardened(
        result, kept_rows(held, [benchmark.places[row] for row in kept] if benchmark.places else []), removed
    )


def harden_benchmark(
    benchmark: Benchmark,
    settings: Settings,
    *,
    keep_at_least: float = 0.3,
    held_out: float = 0.4,
    steps: Sequence[str] = STEPS,
    workers: int = 0,
    progress: Progress | None = None,
) -> tuple[HardenResult, list[int], list[Removal]]:
    """The result, the places (in the benchmark) of the items that are left, and what was removed; see `harden`."""
    check_workers(workers)
    for option, share, low, high in (("keep_at_least", keep_at_least, 0.0, 1.0), ("held_out", held_out, 0.1, 0.9)):
        if not low <= share <= high:
            raise UsageError(f"{option} is {share}; it must lie between {low:g} and {high:g}")
    for step in steps:
        if step not in STEPS:
            raise unknown("step", step, STEPS)
    report = progress or unwatched
    task = kind(benchmark)
    if task.name == "too-few" or (settings.task == "auto" and task.name != "fixed"):
        raise NotAssessedError(
            f"harden works on benchmarks whose items share one set of answers, and on at least 30 items. {task.reason}",
            benchmark.source,
        )
    run = _Run(benchmark, settings, workers, report)
    first = assess(benchmark, settings, workers=workers, progress=run.named("all items"))
    before = reading(first, first, settings.alpha)
    if first.judgement.verdict not in FAULTS and not before.significant:
        return run.result(before, keep_at_least, held_out), list(range(len(benchmark.prompts))), run.unusable()
    pool = Pool.of(benchmark, settings, held_out, workers)
    search = choose_rules(pool, steps, keep_at_least, run.named("choosing"))
    states, last = search.choices, search.choices[-1]
    old = run.audit(pool.part(~pool.chosen), first, "held-out items")
    untouched = bool(last.kept.all())
    outcome = _Outcome(
        steps=_described(pool, states),
        before=old,
        after=old if untouched else run.audit(pool.part(last.kept & ~pool.chosen), first, "held-out items left"),
        whole=before if untouched else run.audit(_left(benchmark, pool, last.kept), first, "items left", settings),
        floor="" if search.floor is None else search.floor.words,
        satisfied=search.satisfied,
        kept=int(last.kept.sum()),
    )
    removed = _removed(benchmark, pool, states) + run.unusable()
    kept = sorted(pool.order[row] for row in np.flatnonzero(last.kept).tolist())
    return run.result(before, keep_at_least, held_out, outcome), kept, removed


@dataclass(frozen=True)
class _Outcome:
    """What the rules left."""

    steps: list[RepairStep]
    before: Reading | None
    after: Reading | None
    whole: Reading | None
    floor: str
    satisfied: bool
    kept: int


class _Run:
    """The audits of one benchmark and of its parts."""

    def __init__(self, benchmark: Benchmark, settings: Settings, workers: int, progress: Progress) -> None:
        self._benchmark, self._settings, self._workers, self._progress = benchmark, settings, workers, progress

    def named(self, what: str) -> Progress:
        def report(stage: str, done: int, total: int, /) -> None:
            self._progress(f"{what}: {stage}", done, total)

        return report

    def audit(self, part: Benchmark, first: Assessment, what: str, settings: Settings | None = None) -> Reading | None:
        """The audit of some of the items; None if they cannot be audited. Parts keep the groups of all items."""
        if kind(part).name == "too-few" or len(set(part.answers)) < 2:
            return None
        used = settings or msgspec.structs.replace(self._settings, groups="auto")
        try:
            return reading(assess(part, used, workers=self._workers, progress=self.named(what)), first, used.alpha)
        except NotAssessedError:
            return None

    def unusable(self) -> list[Removal]:
        return [
            Removal(id=row.place, place=row.place, part="unusable", step=None, why=row.full_reason)
            for row in self._benchmark.left_out
        ]

    def result(
        self, before: Reading, keep_at_least: float, held_out: float, outcome: _Outcome | None = None
    ) -> HardenResult:
        if outcome is None:
            goal, reason = goal_of(before, None)
        else:
            audits = (outcome.whole, outcome.after)
            goal, reason = goal_of(before, audits, outcome.floor, satisfied=outcome.satisfied)
        pair = None if outcome is None else (outcome.before, outcome.after)
        change, low, high = _change(*pair) if pair else (None, None, None)
        return HardenResult(
            goal=goal,
            reason=reason,
            caution=CAUTION,
            schema=SCHEMA,
            name=self._benchmark.name,
            source=self._benchmark.source,
            sha256=self._benchmark.sha256,
            items=len(self._benchmark.prompts),
            kept=len(self._benchmark.prompts) if outcome is None else outcome.kept,
            keep_at_least=keep_at_least,
            held_out=held_out,
            before=before,
            after=None if outcome is None else outcome.whole,
            held_out_before=None if outcome is None else outcome.before,
            held_out_after=None if outcome is None else outcome.after,
            change=change,
            change_low=low,
            change_high=high,
            steps=[] if outcome is None else outcome.steps,
            settings=self._settings,
        )


def _change(before: Reading | None, after: Reading | None) -> tuple[float | None, float | None, float | None]:
    """How the kappa of the first vector changed on held-out items, with the interval of the change."""
    old, new = before and before.first, after and after.first
    if not old or not new or old.kappa is None or new.kappa is None:
        return None, None, None
    ends = interval_of_difference((old.low, old.kappa, old.high), (new.low, new.kappa, new.high))
    return new.kappa - old.kappa, *(ends or (None, None))


def _left(benchmark: Benchmark, pool: Pool, kept: Bools) -> Benchmark:
    """The items that are left, as anyone would read them: their groups are found again."""
    part = pool.part(kept)
    rows = np.flatnonzero(kept).tolist()
    declared = pool.benchmark.groups
    groups = None if declared is None else [declared[row] for row in rows]
    return replace(part, groups=groups, mapping=benchmark.mapping)


def _described(pool: Pool, states: Sequence[Choice]) -> list[RepairStep]:
    """One record per rule. The held-out items are looked at only now that nothing is chosen any more."""
    steps = []
    for old, new in pairwise(states):
        assert new.rule is not None
        gone = old.kept & ~new.kept
        strongest = new.look.strongest
        steps.append(
            RepairStep(
                kind=new.rule.kind,
                rule=new.rule.words,
                removed_chosen=int((gone & pool.chosen).sum()),
                removed_held_out=int((gone & ~pool.chosen).sum()),
                kept=int(new.kept.sum()),
                vector=strongest.vector,
                label=strongest.label,
                kappa_chosen=strongest.matched,
                kappa_held_out=kappa_of(pool, new.kept & ~pool.chosen, strongest.vector),
            )
        )
    return steps


def _removed(benchmark: Benchmark, pool: Pool, states: Sequence[Choice]) -> list[Removal]:
    """One record per item that a rule removed, in the order of the source."""
    rows: dict[int, Removal] = {}
    for number, (old, new) in enumerate(pairwise(states), 1):
        assert new.rule is not None
        for row in np.flatnonzero(old.kept & ~new.kept).tolist():
            place = pool.order[row]
            rows[place] = Removal(
                id=benchmark.ids[place],
                place=None if benchmark.places is None else benchmark.places[place],
                part="chosen" if pool.chosen[row] else "held out",
                step=number,
                why=new.rule.words,
            )
    return [rows[place] for place in sorted(rows)]
