"""Benchmarks parted by the probe: joined answers on both parts, and the errors that both share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.reliance.estimate import (
    MEASURABLE,
    GroupedEstimate,
    Rows,
    Side,
    crossed,
    difference,
    effect_beyond,
    shared,
    stratified,
    within,
)
from hansproof.audit.models.reliance.reliance_records import BenchmarkPart, ErrorAgreement
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

__all__ = ["UNKNOWN", "PartedAnswers", "agreement_in_error", "grids_of", "part", "rows_of", "says_more"]


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
    said = _choices_named(joined) if joined.kept else None
    return [
        Grid(
            name,
            tuple(joined.grid.items[place] for place in own),
            joined.grid.series,
            joined.grid.outcomes[own],
            None if said is None else np.array([said[place] for place in own], dtype=np.str_),
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


def _choices_named(joined: Joined) -> list[list[str]]:
    """By item and series: the choice that a reply names, else nothing."""
    series = [
        [
            (kept.reading.said or "") if kept is not None and kept.reading is not None and item.choices else ""
            for kept, item in zip(column, joined.grid.items, strict=True)
        ]
        for column in joined.kept
    ]
    return [list(row) for row in zip(*series, strict=True)]


# A wrong answer may tempt everybody, and the probe too. How much is told, with noise, by other models that are wrong on
# the same item: whether a model gives it is explained by whether the probe does and by two halves of the others.

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEWEST = 10
"""Items with both wrong below which nothing is said."""
_UNMEASURED = (1.0, 1.5)
"""How much a model may feel of what tempts others, where that is not measured."""
UNKNOWN = -1
"""The number of an answer that is not known."""


def agreement_in_error(
    said: Ints,
    predicted: Ints,
    others: Sequence[Ints],
    halves: Sequence[NDArray[np.bool_]],
    wrong: NDArray[np.bool_],
    gold: Ints,
    options: Ints,
    groups: Ints,
) -> tuple[ErrorAgreement, GroupedEstimate | None]:
    """Agreement among the items in which model and probe are both `wrong` (n,), less what is to be expected.

    `said` and `predicted` (n,) number answers, or places of options, from 0. Each of the J `others` has its wrong
    answers (n, R) in R styles and runs, UNKNOWN where it is right or says nothing clear; `halves` (J,) say which of
    them are a proxy while the rest are its instrument. Items with two `options` (n,), and those on which no other model
    is wrong, say nothing.

    Where the halves of the others have no temptation in common that stands out from noise, the model is taken to feel
    it as the others do, or half as much again, whichever says less: that much of their share is subtracted.
    """
    both = wrong & (said != UNKNOWN) & (options > 2)
    answers = int(options.max(initial=0))
    own = np.flatnonzero(both)
    shares = [_share(answered[own], answers) for answered in others]
    told = np.any([known for _, known in shares], axis=0) if shares else np.zeros(len(own), dtype=bool)
    use = own[told]
    count = len(use)
    if len(others) < 2 or count < FEWEST:
        reason = (
            "fewer than two other models: which wrong answers tempt is not measured" if len(others) < 2
            else f"both are wrong, and another model, too, with known answers, on {count} items: fewer than {FEWEST}"
        )  # fmt: skip
        return ErrorAgreement(items=count, agree=None, expected=None, excess=difference(None, reason)), None
    item, answer = np.nonzero((np.arange(answers) < options[use][:, None]) & (np.arange(answers) != gold[use][:, None]))
    rows = Rows(
        response=(said[use][item] == answer).astype(np.float64),
        contrast=(predicted[use][item] == answer).astype(np.float64),
        strata=crossed(crossed(gold[use][item], options[use][item]), answer),
        groups=groups[use][item],
    )
    sides = [_side([(share[told], known[told]) for share, known in shares], half, item, answer) for half in halves]
    estimate = None
    if sides and shared(rows, sides) >= MEASURABLE:
        estimate = effect_beyond(rows, sides)
    if estimate is None:
        mean = _mean([(share[told], known[told]) for share, known in shares])[0][item, answer]
        tried = [
            stratified(rows.response - times * mean, rows.contrast, rows.groups, rows.strata) for times in _UNMEASURED
        ]
        estimate = min(
            (each for each in tried if each and each.se > 0), key=lambda each: each.value / each.se, default=None
        )
    agree = float((said[use] == predicted[use]).mean())
    if estimate is None:
        reason = "too few groups of items, or the probe gives the same wrong answer to all with the same gold answer"
        return ErrorAgreement(items=count, agree=agree, expected=None, excess=difference(None, reason)), None
    # An answer that is common with the same gold answer agrees by itself, whether or not it follows the probe.
    scale = float(np.square(within(rows.contrast, rows.strata)).sum()) / count
    expected = agree - scale * estimate.value
    return ErrorAgreement(items=count, agree=agree, expected=expected, excess=difference(estimate)), estimate


def _share(answered: Ints, answers: int) -> tuple[Floats, NDArray[np.bool_]]:
    """(n, A): the share of each answer among those of one model, and (n,) whether it has any."""
    counts = np.stack([(answered == answer).sum(axis=1) for answer in range(answers)], axis=1).astype(np.float64)
    total = counts.sum(axis=1)
    return counts / np.maximum(total, 1)[:, None], total > 0


def _mean(shares: Sequence[tuple[Floats, NDArray[np.bool_]]]) -> tuple[Floats, NDArray[np.bool_]]:
    """(n, A): the mean share over the models that are wrong, and (n,) whether there are any."""
    count = np.sum([known for _, known in shares], axis=0)
    return np.sum([share for share, _ in shares], axis=0) / np.maximum(count, 1)[:, None], count > 0


def _side(
    shares: Sequence[tuple[Floats, NDArray[np.bool_]]], half: NDArray[np.bool_], item: Ints, answer: Ints
) -> Side:
    """The rows of the items on which a model of either half is wrong."""
    (proxy, first), (instrument, second) = (
        _mean([share for share, member in zip(shares, half, strict=True) if member == which]) for which in (True, False)
    )
    use = np.flatnonzero((first & second)[item])
    at = item[use], answer[use]
    return Side(use, proxy[at], instrument[at], several=bool(min(half.sum(), (~half).sum()) > 1))


@dataclass(frozen=True)
class PartedAnswers:
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


def part(grid: Grid, examination: Examination, topics: Mapping[str, str] | None = None) -> PartedAnswers | None:
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
    value, low, high, p, uniform = _strength(examination.result, scores[0])
    shortcut = examination.result.verdict in _SHOWN
    ruled_out = not shortcut and _ruled_out(examination.result)
    hits = np.array([score.correct for score in taken], dtype=np.float64)
    groups = np.array([numbered.setdefault(score.group, len(numbered)) for score in taken], dtype=np.int64)
    topic = None if topics is None else [topics.get(grid.items[row].id, "") for row in rows]
    left_out = []
    if every < len(grid.items):
        lacking = things(len(grid.items) - every, "item")
        left_out.append(f"{lacking} with answers have no prediction of the audit and are left out")
    if every < len(scores):
        left_out.append(f"{things(len(scores) - every, 'item')} of the benchmark have no answers")
    about = BenchmarkPart(
        benchmark=grid.benchmark,
        audit=examination.result.verdict,
        vector=scores[0].vector,
        scheme=scores[0].scheme,
        kappa=value,
        low=low,
        high=high,
        p=p,
        uniform=uniform,
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
        notes=[*left_out, *_doubts(examination.result, value, low, high, ruled_out)],
    )
    return PartedAnswers(
        about=about,
        series=grid.series,
        right=right,
        probe_right=hits,
        gold=_numbered([score.answer for score in taken], taken, names),
        groups=groups,
        chance=np.array(
            [1 / many if many else 0.0 for many in (labels or len(score.probabilities) for score in taken)]
        ),
        topics=None if topic is None else np.unique(topic, return_inverse=True)[1].astype(np.int64),
        predicted=None if grid.said is None else _numbered([score.predicted for score in taken], taken, names),
        said=None
        if grid.said is None
        else np.stack([_numbered(column, taken, names) for column in grid.said[rows].T.tolist()], axis=1),
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


def _strength(result: AuditResult, score: ItemScore) -> tuple[float | None, ...]:
    """Kappa of the probe that parts the items, its interval, p and uniform kappa, in the numbers of the audit: matched
    kappa, or the advantage of the strategy over the best constant."""
    scheme = result.scheme(score.scheme)
    entry = None if scheme is None else scheme.find(score.vector)
    if entry is not None:
        return entry.matched, entry.matched_low, entry.matched_high, entry.p_corrected, entry.uniform
    tried = [] if result.open_ended is None else result.open_ended.strategies
    way = next((way for way in tried if way.name == score.vector), None)
    return (None,) * 5 if way is None else (way.advantage, way.low, way.high, way.p_corrected, None)


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
    if result.verdict in _SHOWN:
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
