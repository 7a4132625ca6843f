"""Benchmarks parted by the probe: joined answers on both parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.reliance.reliance_records import BenchmarkPart
from hansproof.audit.notation import interval, things
from hansproof.audit.notation import kappa as written
from hansproof.audit.replies.foreign_items import id_within
from hansproof.audit.replies.grid import Grid, Series
from hansproof.audit.replies.joining import Joined
from hansproof.audit.replies.scorers import ACCEPTED
from hansproof.audit.verdict.rule import doubt_of
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item

if TYPE_CHECKING:
    from hansproof.audit.result.audit_result import AuditResult
    from hansproof.audit.result.explanation import ItemScore
    from hansproof.audit.run import Examination

__all__ = ["SHOWN", "UNKNOWN", "PartedAnswers", "grids_of", "joined_scores", "part", "rows_of", "says_more"]

UNKNOWN: Final = -1
"""The number of an answer that is not known."""


def says_more(items: Sequence[Item]) -> bool:
    """Whether an item has three choices or more, so that a wrong answer tells more than that it is wrong."""
    return any(item.choices is not None and len(item.choices) > 2 for item in items)


def grids_of(joined: Joined, whole: str = "") -> list[Grid]:
    """A grid per subset, in order of first occurrence, with what was said where it was kept.

    With `whole`, one grid of this name: the subsets of a third party's benchmark are its published splits.
    """
    places: dict[str, list[int]] = {}
    for place, item in enumerate(joined.grid.items):
        name = whole or str(item.metadata["subset"] or item.metadata["dataset"])
        places.setdefault(name, []).append(place)
    # The choice that a reply names, else nothing.
    said = [
        [
            (kept.reading.said or "") if kept is not None and kept.reading is not None and item.choices else ""
            for kept, item in zip(column, joined.grid.items, strict=True)
        ]
        for column in joined.kept
    ]
    return [
        Grid(
            name,
            tuple(joined.grid.items[place] for place in own),
            joined.grid.series,
            joined.grid.outcomes[own],
            np.array(said, dtype=np.str_).T[own] if said else None,
        )
        for name, own in places.items()
    ]


def rows_of(grid: Grid) -> list[dict[str, Any]]:
    """The items with a gold answer as rows for the audit.

    Items of logs declare no groups, so the audit finds them; choices are given only where items have their own.
    """
    labels = {item.choices for item in grid.items}
    rows: list[dict[str, Any]] = []
    for item in grid.items:
        if item.answer is None:
            continue
        row: dict[str, Any] = {"id": item.id, "prompt": item.prompt, "answer": item.answer}
        if len(labels) > 1 and item.choices is not None:
            row["choices"] = list(item.choices)
        if ACCEPTED not in item.metadata:
            row["group"] = item.group
        rows.append(row)
    return rows


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class PartedAnswers:
    """N items with the answers of S series."""

    about: BenchmarkPart
    series: tuple[Series, ...]
    right: Floats
    """(N, S): 1 right, 0 wrong, NaN where the series was not asked or the item counts for nothing."""
    outcomes: NDArray[np.int8]
    """(N, S): what became of each answer, as in the grid."""
    probe_right: Floats
    """(N,): 1 where the probe predicts the gold answer."""
    gold: Ints
    """(N,): the number of the gold answer, or of its place among the item's own options; 0 for open answers."""
    groups: Ints
    """(N,): items with the same number may be answered alike."""
    chance: Floats
    """(N,): 1/k; 0 for open answers."""
    predicted: Ints | None = None
    """(N,): what the probe predicts, numbered as `gold` is; None where what the models said is not known."""
    said: Ints | None = None
    """(N, S): what each model said, numbered likewise; UNKNOWN where it gave no clear answer."""


SHOWN: Final = ("LEAKS", "TEMPLATE-BOUND")
"""Verdicts of the audit that show a shortcut."""


def part(grid: Grid, examination: Examination) -> PartedAnswers | None:
    """The items of `grid` that the audit has a prediction for; None if nothing was assessed.

    Items are joined by id, or, where the ids have nothing in common, by their prompts. Whether there is a shortcut is
    for the audit to say; under the paper's protocol, there is one if its kappa is above the threshold. Raises
    InputError if no item is in both.
    """
    scores = examination.item_scores()
    if not scores:
        return None
    rows, taken = joined_scores(grid, scores, examination)
    right = grid.right()[rows]
    answered = np.flatnonzero(~np.isnan(right).all(axis=1)).tolist()
    every = len(taken)
    rows, taken, right = [rows[at] for at in answered], [taken[at] for at in answered], right[answered]
    if not taken:
        raise InputError("has no answer to an item that the audit has a prediction for", grid.benchmark)
    shared = examination.result.shape == "labels"
    names = sorted({score.answer for score in scores} | {score.predicted for score in scores}) if shared else []
    numbered: dict[int, int] = {}
    labels = len(examination.result.labels) if shared else None
    probe = _strength(examination.result, scores[0])
    value, low, high, uniform = probe["kappa"], probe["low"], probe["high"], probe["uniform"]
    paper = scores[0].scheme == "paper"
    result = examination.result
    shortcut = (uniform or 0.0) > result.settings.threshold if paper else result.verdict in SHOWN
    ruled_out = not shortcut and _ruled_out(examination.result)
    hits = np.array([score.correct for score in taken], dtype=np.float64)
    groups = np.array([numbered.setdefault(score.group, len(numbered)) for score in taken], dtype=np.int64)
    left_out = []
    if every < len(grid.items):
        lacking = things(len(grid.items) - every, "item")
        why = "are not in the test part of the paper's split" if paper else "have no prediction of the audit"
        left_out.append(f"{lacking} with answers {why} and are left out")
    if every < len(scores):
        left_out.append(f"{things(len(scores) - every, 'item')} of the benchmark have no answers")
    about = BenchmarkPart(
        benchmark=grid.benchmark,
        audit=examination.result.verdict,
        vector=scores[0].vector,
        scheme=scores[0].scheme,
        **probe,
        shortcut=shortcut,
        ruled_out=ruled_out,
        items=len(taken),
        unanswered=every - len(taken),
        unpredicted=len(grid.items) - every,
        probe_right=int(hits.sum()),
        probe_wrong=len(taken) - int(hits.sum()),
        labels=labels,
        groups=len(numbered),
        notes=[*left_out, *([] if paper else _doubts(examination.result, value, low, high, ruled_out))],
    )
    return PartedAnswers(
        about=about,
        series=grid.series,
        right=right,
        outcomes=grid.outcomes[rows],
        probe_right=hits,
        gold=_numbered([score.answer for score in taken], taken, names),
        groups=groups,
        chance=np.array(
            [1 / many if many else 0.0 for many in (labels or len(score.probabilities) for score in taken)]
        ),
        predicted=None if grid.said is None else _numbered([score.predicted for score in taken], taken, names),
        said=None
        if grid.said is None
        else np.stack([_numbered(column, taken, names) for column in grid.said[rows].T.tolist()], axis=1),
    )


def joined_scores(grid: Grid, scores: list[ItemScore], examination: Examination) -> tuple[list[int], list[ItemScore]]:
    """Rows of the grid and their scores, in the order of the grid."""
    ids = {id_within(item): row for row, item in enumerate(grid.items)}
    of = {ids[score.id]: score for score in scores if score.id in ids}
    if not of:
        prompts = dict(zip(examination.benchmark.ids, examination.benchmark.prompts, strict=True))
        texts: dict[str, list[int]] = {}
        for row, item in enumerate(grid.items):
            texts.setdefault(item.prompt.strip(), []).append(row)
        for score in scores:
            rows = texts.get(prompts[score.id].strip(), [])
            if len(rows) == 1:  # of a text that occurs twice, nobody knows which item was meant
                of.setdefault(rows[0], score)
    rows = sorted(of)
    if not rows:
        raise InputError("no item of the answers is an item of the benchmark, by id or by prompt", grid.benchmark)
    return rows, [of[row] for row in rows]


def _strength(result: AuditResult, score: ItemScore) -> dict[str, Any]:
    """What the probe that parts the items is called, its kappa, interval, p and uniform kappa, in the numbers of the
    audit: matched kappa, or the advantage of the strategy over the best constant."""
    names = ("probe", "kappa", "low", "high", "p", "uniform")
    scheme = result.scheme(score.scheme)
    entry = None if scheme is None else scheme.find(score.vector)
    if entry is not None:
        ends = (entry.matched_low, entry.matched_high)
        return dict(zip(names, (entry.label, entry.matched, *ends, entry.p_corrected, entry.uniform), strict=True))
    tried = [] if result.open_ended is None else result.open_ended.strategies
    way = next((way for way in tried if way.name == score.vector), None)
    if way is None:
        return dict(zip(names, (score.vector, *[None] * 5), strict=True))
    return dict(zip(names, (way.description, way.advantage, way.low, way.high, way.p_corrected, None), strict=True))


def _ruled_out(result: AuditResult) -> bool:
    """Whether the audit rules out a shortcut as large as its threshold: none is shown, nor could have been missed."""
    if result.verdict == "CLEAN":
        return True
    if result.verdict not in ("TRACES", "IMBALANCED"):
        return False
    if result.open_ended is not None:
        highs = [way.high for way in result.open_ended.strategies]
        return all(high is not None and high < result.settings.threshold for high in highs)
    scheme = result.deciding_scheme
    return scheme is not None and not doubt_of(scheme, result.settings.threshold, result.findable)


def _numbered(answers: Sequence[str], scores: list[ItemScore], names: list[str]) -> Ints:
    """(N,): the place of each answer among the shared `names`, or among the item's own options; else UNKNOWN.

    0 where answers are open.
    """
    shared = {_spelt(name): place for place, name in enumerate(names)}
    numbers = []
    for answer, score in zip(answers, scores, strict=True):
        places = shared or {_spelt(option): place for place, option in enumerate(score.probabilities)}
        numbers.append(places.get(_spelt(answer), UNKNOWN) if places else 0)
    return np.array(numbers, dtype=np.int64)


def _spelt(answer: str) -> str:
    return answer.strip().casefold()


def _doubts(
    result: AuditResult, value: float | None, low: float | None, high: float | None, ruled_out: bool
) -> list[str]:
    """Why there is no shortcut, or not much of one."""
    if result.verdict == "TEMPLATE-BOUND":
        return ["the probe recognises templates: only a model that knows other items of a template can do as it does"]
    if result.verdict in SHOWN:
        return []
    ends = "" if low is None else f", 95 % interval {interval(low, high)}"
    said = f"the audit says {result.verdict}"
    said += "" if value is None else f" (kappa {written(value)}{ends})"
    threshold = written(result.settings.threshold)
    if ruled_out:
        return [f"no shortcut: {said}, and rules out a kappa of {threshold}; the benchmark is in no test"]
    if low is not None and low > result.settings.threshold:  # it is not a matter of size
        return [f"no shortcut shown, and the benchmark is in no test: {said}: {result.reason}"]
    return [f"no shortcut shown: {said}, and does not rule out a kappa of {threshold}; the benchmark is in no test"]
