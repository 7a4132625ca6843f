"""The audit of open-ended answers on one screen: read, group, try, compare with the best constant, decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from audit.benchmark import Benchmark
from audit.groups.chosen import groups_of
from audit.groups.grouping import Groups
from audit.item_scores import ItemScore
from audit.openended.advantage import Advantages, advantages, refitted
from audit.openended.aspects import aspects
from audit.openended.crossfit import CHOSEN, Attempt, Attempts, attempt
from audit.openended.decision import Decision, Evidence, decide_open
from audit.openended.golds import Golds, final_answer
from audit.openended.part_audits import audit_parts
from audit.openended.presence import answer_place, first_digits, question_kinds
from audit.openended.records import LearntCue, OpenEnded, Solved, StrategyResult
from audit.openended.strategies.reading import CUT, Reading, read
from audit.openended.strategies.wordings import NOTHING
from audit.result import Settings
from audit.statistics.intervals import effective_groups
from audit.statistics.resampling import seeded
from audit.verdict import FEWEST_GROUPS
from generators.errors import NotAssessedError
from generators.progress import Progress

__all__ = ["OpenAudit", "examine_open"]

Ints = NDArray[np.int64]

MOST = 20_000
"""Items on which strategies are tried: more would only narrow intervals that are narrow already."""
_EXAMPLES = 10
_CUES, _LONGEST_CUE = 5, 200


class OpenAudit(msgspec.Struct, frozen=True):
    """What came of open-ended answers."""

    decision: Decision
    record: OpenEnded
    groups: Groups
    ids: list[str]
    """(n,) the ids of the items in the order of the groups."""
    notes: list[str]
    scores: list[ItemScore]
    """Of each item that was tried, in source order: what the strategy of the verdict, or the chosen one, guesses."""


def examine_open(benchmark: Benchmark, settings: Settings, *, workers: int = 0, progress: Progress) -> OpenAudit:
    """Audit a benchmark whose answers are open. Raises NotAssessedError if all items belong to one group."""
    ordered, order = benchmark.in_text_order()
    progress("finding groups", 0, 1)
    groups = groups_of(ordered, settings.groups)
    ids = ordered.ids
    if groups.index.max() == 0:
        raise NotAssessedError(
            f"All {len(ordered.prompts)} items belong to one group, so none can be held out. Set groups to 'none' to "
            f"see the result of random folds."
        )
    ordered, index, order = _sampled(ordered, groups.index, order)
    golds = Golds.of(ordered)
    readings = read(ordered.prompts)
    attempts = attempt(
        readings, golds, index, folds=settings.folds, splits=settings.splits, seed=settings.seed,
        progress=progress,
    )  # fmt: skip
    progress("resampling", 0, 1)
    strategies, floor = _measured(attempts, index, settings)
    place = answer_place(readings, golds)
    parts = audit_parts(ordered, golds, settings, workers=workers, progress=progress)
    decision = decide_open(
        Evidence(
            strategies=strategies, constant=_constant(golds), constant_exact=float(attempts.constant.right.mean()),
            p_floor=floor, groups=int(index.max()) + 1, effective=effective_groups(index), parts=parts,
            by_design=place.by_design,
        ),
        settings,
    )  # fmt: skip
    scores = _scores(ordered, golds, attempts, index, order, decision.strategy or CHOSEN)
    learner = next((way.name for way in strategies if way.kind == "learnt" and _sure(way, settings)), None)
    many = effective_groups(index) >= FEWEST_GROUPS
    record = OpenEnded(
        answers=_answers(golds),
        distinct=len(golds.keys),
        several=int(((golds.accepted >= 0).sum(axis=1) > 1).sum()),
        mark=final_answer(ordered.answers)[1],
        constant=_constant(golds),
        constant_exact=float(attempts.constant.right.mean()),
        constant_f1=attempts.constant.f1,
        strategies=strategies,
        chosen=attempts.chosen,
        strategy=decision.strategy,
        p_floor=floor,
        place=place,
        questions=[] if golds.number.all() else question_kinds(readings, golds),
        first_digits=first_digits(golds),
        aspects=aspects(readings, golds, index, settings) if many else [],
        parts=parts,
        learnt_by=learner,
        learnt=[] if learner is None else _learnt(attempts, learner),
        solved=_solved(ordered, golds, attempts, decision.strategy),
    )
    return OpenAudit(decision, record, groups, ids, _notes(ordered, readings, record, len(ids)), scores)


def _sampled(benchmark: Benchmark, groups: Ints, order: list[int]) -> tuple[Benchmark, Ints, list[int]]:
    """Whole groups of at most `MOST` items: the first in the order of the texts, which is that of a hash."""
    if len(groups) <= MOST:
        return benchmark, groups, order
    size = np.cumsum(np.bincount(groups))
    last = max(1, int(np.searchsorted(size, MOST, side="right")) - 1)
    kept = np.flatnonzero(groups <= last).tolist()
    return benchmark.taken(kept), groups[kept], [order[place] for place in kept]


def _scores(
    benchmark: Benchmark, golds: Golds, attempts: Attempts, groups: Ints, order: list[int], name: str
) -> list[ItemScore]:
    way = next(way for way in attempts.strategies if way.name == name)
    right = golds.right(np.append(attempts.wordings.gold, NOTHING)[way.texts]).tolist()
    texts = [*attempts.wordings.texts, ""]  # the last is that of no guess
    return [
        ItemScore(
            id=benchmark.ids[at], answer=benchmark.answers[at], predicted=texts[int(way.texts[at])], correct=right[at],
            probability=None, probabilities={}, group=int(groups[at]), vector=name, scheme="grouped",
        )
        for at in sorted(range(len(order)), key=order.__getitem__)
    ]  # fmt: skip


def _measured(attempts: Attempts, groups: Ints, settings: Settings) -> tuple[list[StrategyResult], float]:
    """The strategies with their numbers, largest advantage first, and the smallest p there could be."""
    tried = attempts.strategies
    beyond = advantages(
        np.stack([way.right for way in tried]),
        attempts.constant.right,
        groups,
        np.array([1.0 if way.kind == "fixed" else refitted(settings.folds) for way in tried]),
        leak_alpha=settings.leak_alpha,
        flips=settings.permutations,
        draws=seeded(settings.seed, "open-ended", "bounds"),
        signs=seeded(settings.seed, "open-ended", "signs"),
    )
    results = [_result(way, beyond, at) for at, way in enumerate(tried)]
    return sorted(results, key=lambda way: -2.0 if way.advantage is None else -way.advantage), beyond.floor


def _result(way: Attempt, beyond: Advantages, at: int) -> StrategyResult:
    def known(numbers: NDArray[np.float64]) -> float | None:
        return float(numbers[at]) if np.isfinite(numbers[at]) else None

    return StrategyResult(
        name=way.name,
        description=way.description,
        kind=way.kind,
        answered=float((way.texts != NOTHING).mean()),
        exact=float(way.right.mean()),
        f1=way.f1,
        advantage=known(beyond.value),
        low=known(beyond.low),
        high=known(beyond.high),
        bound=known(beyond.bound),
        p=float(beyond.p[at]),
        p_corrected=float(beyond.corrected[at]),
    )


def _constant(golds: Golds) -> str:
    """The answer that is right for most items; of equals the first in the alphabet."""
    counts = np.bincount(golds.accepted[golds.accepted >= 0])
    return golds.texts[int(counts.argmax())]


def _answers(golds: Golds) -> Literal["numbers", "texts", "numbers and texts"]:
    share = float(golds.number.mean())
    return "numbers" if share >= 0.8 else "texts" if share <= 0.2 else "numbers and texts"


def _sure(way: StrategyResult, settings: Settings) -> bool:
    return way.p_corrected < settings.alpha and (way.advantage or 0.0) > 0


def _learnt(attempts: Attempts, name: str) -> list[LearntCue]:
    cues = attempts.learners[name].evidence(attempts.wordings.texts)
    return [LearntCue(cue=cue.cue[:_LONGEST_CUE], right=cue.right, items=cue.items) for cue in cues[:_CUES]]


def _solved(benchmark: Benchmark, golds: Golds, attempts: Attempts, name: str | None) -> list[Solved]:
    """The first items, in the order of the texts, that the strategy gets right; of different answers if possible."""
    way = next((way for way in attempts.strategies if way.name == name), None)
    if way is None:
        return []
    right = golds.right(np.append(attempts.wordings.gold, NOTHING)[way.texts])
    items = np.flatnonzero(right).tolist()
    first_with: dict[int, int] = {}
    for item in items:
        first_with.setdefault(int(golds.accepted[item, 0]), item)
    shown = sorted([*first_with.values()][:_EXAMPLES]) if len(first_with) >= _EXAMPLES else items[:_EXAMPLES]
    return [
        Solved(
            id=benchmark.ids[item],
            prompt=benchmark.prompts[item],
            answer=golds.texts[int(golds.accepted[item, 0])],
            guess=attempts.wordings.texts[int(way.texts[item])],
        )
        for item in shown
    ]


def _notes(benchmark: Benchmark, readings: Sequence[Reading], record: OpenEnded, items: int) -> list[str]:
    notes = []
    tried = len(readings)
    if tried < items:
        notes.append(f"strategies were tried on {tried:,} of {items:,} items, in whole groups, drawn by their texts")
    if record.mark:
        notes.append(f"the answers are worked solutions; what follows {record.mark!r} is audited")
    if record.several:
        notes.append(f"{record.several:,} items accept several answers, and any of them is right")
    long = sum(len(prompt) > CUT for prompt in benchmark.prompts)
    if long:
        notes.append(f"of {long:,} prompts, only the first and the last {CUT // 2:,} characters were searched")
    notes.append(
        "numbers are compared as numbers, without currency and unit; other answers without case, punctuation, articles"
    )
    return notes
