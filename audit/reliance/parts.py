"""One benchmark parted by the probe: which items it predicts, joined to what the models answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.answers.grid import Grid, Series
from audit.answers.items import id_within
from audit.notation import interval, things
from audit.notation import kappa as written
from audit.reliance.errors import UNKNOWN
from audit.reliance.records import BenchmarkPart
from audit.verdict.rule import doubt_of
from generators.errors import InputError

if TYPE_CHECKING:
    from audit.result.audit_result import AuditResult
    from audit.result.explanation import ItemScore
    from audit.run import Examination

__all__ = ["Parted", "part"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Parted:
    """N items with the answers of S series."""

    about: BenchmarkPart
    series: tuple[Series, ...]
    right: Floats
    """(N, S): 1 right, 0 wrong, NaN where the series was not asked or the item counts for nothing."""
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
    topics: Ints | None = None
    """(N,): the number of the topic, where the items declare it."""
    said: Ints | None = None
    """(N, S): what each model said, numbered likewise; UNKNOWN where it gave no clear answer."""


_SHOWN: Final = ("LEAKS", "TEMPLATE-BOUND")
"""Verdicts of the audit that show a shortcut."""


def part(grid: Grid, examination: Examination, topics: Mapping[str, str] | None = None) -> Parted | None:
    """The items of `grid` that the audit has a prediction for; None if nothing was assessed.

    Items are joined by id, or, where the ids have nothing in common, by their prompts. Whether there is a shortcut is
    for the audit to say. `topics` are those of the items by their ids. Raises InputError if no item is in both.
    """
    scores = examination.item_scores()
    if not scores:
        return None
    rows, taken = _joined(grid, scores, examination)
    right = grid.right()[rows]
    answered = np.flatnonzero(~np.isnan(right).all(axis=1)).tolist()
    every = len(taken)
    rows, taken, right = [rows[at] for at in answered], [taken[at] for at in answered], right[answered]
    if not taken:
        raise InputError("has no answer to an item that the audit has a prediction for", grid.benchmark)
    shared = examination.result.options is None and examination.result.open_ended is None
    names = sorted({score.answer for score in scores} | {score.predicted for score in scores}) if shared else []
    numbered: dict[int, int] = {}
    labels = len(examination.result.labels) if shared else None
    strength = _strength(examination.result, scores[0])
    shortcut = examination.result.verdict in _SHOWN
    ruled_out = not shortcut and _ruled_out(examination.result)
    hits = np.array([score.correct for score in taken], dtype=np.float64)
    groups = np.array([numbered.setdefault(score.group, len(numbered)) for score in taken], dtype=np.int64)
    topic = None if topics is None else [topics.get(grid.items[row].id, "") for row in rows]
    about = BenchmarkPart(
        benchmark=grid.benchmark,
        audit=examination.result.verdict,
        vector=scores[0].vector,
        scheme=scores[0].scheme,
        kappa=strength.value,
        low=strength.low,
        high=strength.high,
        p=strength.p,
        uniform=strength.uniform,
        shortcut=shortcut,
        ruled_out=ruled_out,
        items=len(taken),
        unanswered=every - len(taken),
        unpredicted=len(grid.items) - every,
        probe_right=int(hits.sum()),
        probe_wrong=len(taken) - int(hits.sum()),
        labels=labels,
        groups=len(numbered),
        topics=None if topic is None else len(set(topic)),
        notes=[*_left_out(len(scores), every, len(grid.items)), *_doubts(examination.result, strength, ruled_out)],
    )
    return Parted(
        about=about,
        series=grid.series,
        right=right,
        probe_right=hits,
        gold=_numbered([score.answer for score in taken], taken, names),
        groups=groups,
        chance=np.array([_chance(score, labels) for score in taken]),
        topics=None if topic is None else np.unique(topic, return_inverse=True)[1].astype(np.int64),
        predicted=None if grid.said is None else _numbered([score.predicted for score in taken], taken, names),
        said=None if grid.said is None else _said(grid.said[rows], taken, names),
    )


def _joined(grid: Grid, scores: list[ItemScore], examination: Examination) -> tuple[list[int], list[ItemScore]]:
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


class _Strength(NamedTuple):
    """How well the probe that parts the items predicts, in the numbers of the audit."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    uniform: float | None = None


def _strength(result: AuditResult, score: ItemScore) -> _Strength:
    """Matched kappa of the probe, or the advantage of the strategy over the best constant."""
    scheme = result.scheme(score.scheme)
    entry = None if scheme is None else scheme.find(score.vector)
    if entry is not None:
        return _Strength(entry.matched, entry.matched_low, entry.matched_high, entry.p_corrected, entry.uniform)
    tried = [] if result.open_ended is None else result.open_ended.strategies
    way = next((way for way in tried if way.name == score.vector), None)
    return _Strength() if way is None else _Strength(way.advantage, way.low, way.high, way.p_corrected)


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


def _chance(score: ItemScore, labels: int | None) -> float:
    """1/k with the shared labels, or with the item's own options; 0 for open answers."""
    many = labels or len(score.probabilities)
    return 1 / many if many else 0.0


def _said(said: NDArray[np.str_], scores: list[ItemScore], names: list[str]) -> Ints:
    """(N, S): what was said as numbers."""
    columns = [_numbered(column, scores, names) for column in said.T.tolist()]
    return np.stack(columns, axis=1) if columns else np.zeros(said.shape, dtype=np.int64)


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


def _left_out(scored: int, joined: int, items: int) -> list[str]:
    notes = []
    if joined < items:
        notes.append(f"{things(items - joined, 'item')} with answers have no prediction of the audit and are left out")
    if joined < scored:
        notes.append(f"{things(scored - joined, 'item')} of the benchmark have no answers")
    return notes


def _doubts(result: AuditResult, strength: _Strength, ruled_out: bool) -> list[str]:
    """Why there is no shortcut, or not much of one."""
    if result.verdict == "TEMPLATE-BOUND":
        return ["the probe recognises templates: only a model that knows other items of a template can do as it does"]
    if result.verdict in _SHOWN:
        return []
    ends = "" if strength.low is None else f", 95 % interval {interval(strength.low, strength.high)}"
    said = f"the audit says {result.verdict}"
    said += "" if strength.value is None else f" (kappa {written(strength.value)}{ends})"
    threshold = written(result.settings.threshold)
    if ruled_out:
        return [f"no shortcut: {said}, and rules out a kappa of {threshold}; the benchmark is in no test"]
    if strength.low is not None and strength.low > result.settings.threshold:  # it is not a matter of size
        return [f"no shortcut shown, and the benchmark is in no test: {said}: {result.reason}"]
    return [f"no shortcut shown: {said}, and does not rule out a kappa of {threshold}; the benchmark is in no test"]
