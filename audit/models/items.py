"""Item analysis: what the answers of models say of each item, why it is broken, and how well models are told apart.

Every number comes from one grid of items by models. What so few models cannot say is not said: a sentence gives the
number that would be needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.difference import difference_of
from hansproof.audit.models.reliance.parts import SHOWN, joined_scores
from hansproof.audit.notation import kappa, one_line
from hansproof.audit.replies.foreign_items import id_within
from hansproof.audit.replies.grid import RIGHT, WRONG, Grid
from hansproof.audit.result.explanation import ItemScore
from hansproof.audit.result.record import Record
from hansproof.audit.run import Examination
from hansproof.audit.statistics.item_response import Fit, Golds, dependence_weights, fit_curves, suspect_golds
from hansproof.audit.statistics.reliability import (
    Reliability,
    Subset,
    effective_items,
    reliability,
    rest_correlations,
    smallest_subset,
)
from hansproof.audit.texts.sentences import fold_text
from hansproof.generators.item import Item

__all__ = ["FLAGS", "NEEDED", "TAU", "ItemAnalysis", "ItemNumbers", "analyse_items"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FLAGS: Final = (
    "wrong gold", "ambiguous", "reversed", "cue misleads", "all wrong", "given away", "copy", "all right",
)  # fmt: skip
"""What may be wrong with an item, the worst first."""

NEEDED: Final = {"discrimination": 10, "gold": 8, "reliability": 6, "subset": 16}
"""Independent models that it takes: for a correlation with a standard error of a third; for posteriors that hold what
they promise; for an interval that covers; and for two halves of eight. Each takes 30 items, too."""

TAU: Final = 0.9
"""Kendall's tau at which two rankings count as the same."""

_LIKELY: Final = 0.5
"""Posterior from which on an item is flagged."""
_IMPLAUSIBLE: Final = 0.15
"""Share of wrong golds above which models divide for another reason, such as a cue."""
_SURE: Final = 0.9
"""Probability that a probe gives the gold answer of an item that it gives away."""
_FEW_ITEMS: Final = 30
_NEIGHBOURS: Final = 25
"""Pairs of neighbours in the ranking that are compared at most."""
_Z: Final = 1.96


class ItemNumbers(Record, frozen=True, kw_only=True):
    """One item. Shares and probabilities are from 0 to 1; what is undefined or was refused is None."""

    id: str
    flags: list[str]
    """Of `FLAGS`; empty for an item that nothing is held against."""
    reasons: list[str]
    """A sentence for each flag."""
    gold: str
    models: int
    """That were asked the item: styles and runs count as models of their own."""
    right: float
    """Share of them that are right."""
    discrimination: float | None = None
    """Correlation with the share right of all other items (`rest_correlations`)."""
    difficulty: float | None = None
    """Of the one-parameter fit, in logits: 0 where an average model is right half of the time."""
    slope: float | None = None
    """Of the two-parameter fit, in logits per standard deviation of ability; below 0 weaker models are right."""
    slope_low: float | None = None
    slope_high: float | None = None
    wrong_gold: float | None = None
    """Posterior that another answer is the right one."""
    ambiguous: float | None = None
    """Posterior that another answer is as right as the gold."""
    suspected: str
    """Which answer that would be; empty without a posterior."""
    common_wrong: str
    """The wrong answer that most models give; empty where none is known."""
    common_wrong_share: float | None
    """Share of the models that give it."""
    probe: str
    """What the audit's probe says out of fold: `gold`, `common wrong`, `other`; empty without an audit."""
    probe_probability: float | None
    """Its probability of the gold answer."""
    copy_of: str
    """The id of an earlier item with the same text and answers; empty without one."""


class ItemAnalysis(Record, frozen=True, kw_only=True):
    """The items of one benchmark."""

    benchmark: str
    items: int
    groups: int
    models: int
    series: int
    """Models in each of their styles and runs."""
    independent: float
    """How many independent models they are worth (`dependence_weights`)."""
    audit: str
    """The verdict of the audit; empty without one."""
    reliability: Reliability | None
    """Alpha over groups of items: KR-20 where each item is its own group."""
    compared: int
    """Items that all models were asked, on which reliability, effective items and the subset rest."""
    detectable: float | None
    """The smallest difference between two neighbours in the ranking that these items show with about 80 % power,
    two-sided at .05, paired, and with groups respected: the median over pairs of different families."""
    effective_items: float | None
    """Of `effective_items`."""
    subset: Subset | None
    """The smallest number of items with the same ranking, at a mean tau of .9 on models that did not choose them."""
    share_wrong: float | None
    """Share of wrong golds, as the model of the answers estimates it."""
    flagged: dict[str, int]
    """Flag -> items that have it, the worst flag first."""
    refused: list[str]
    """What cannot be said, and what it would take."""
    rows: list[ItemNumbers]
    """The worst first."""


@dataclass(frozen=True)
class _Answers:
    """A grid as numbers."""

    right: Floats
    """(N, S)"""
    said: Ints
    """(N, S): the place of the answer among the item's choices; -1 where it is not clear."""
    gold: Ints
    """(N,): -1 where the gold is none of the choices."""
    options: Ints
    """(N,): 0 for open answers."""

    @classmethod
    def of(cls, grid: Grid) -> _Answers:
        """What is right is the gold, whatever was read; without choices nothing is said."""
        places = [{choice: at for at, choice in enumerate(item.choices or ())} for item in grid.items]
        gold = np.array([of.get(item.answer or "", -1) for of, item in zip(places, grid.items, strict=True)])
        said = np.full(grid.outcomes.shape, -1)
        if grid.said is not None:
            rows = zip(places, grid.said.tolist(), strict=True)
            said = np.array([[of.get(each, -1) for each in row] for of, row in rows])
        options = np.array([len(of) for of in places])
        known = np.isin(grid.outcomes, (RIGHT, WRONG))
        said = np.where(known & ~((grid.outcomes == WRONG) & (said == gold[:, None])), said, -1)
        two = (grid.outcomes == WRONG) & (options[:, None] == 2) & (gold[:, None] >= 0)
        said = np.where(two & (said < 0), 1 - gold[:, None], said)
        return cls(grid.right(), np.where(grid.outcomes == RIGHT, gold[:, None], said), gold, options)


def analyse_items(grid: Grid, examination: Examination | None = None) -> ItemAnalysis:
    """The analysis of the items that are right or wrong for some model, with what an audit says of them, if there is
    one."""
    held = np.flatnonzero(~np.isnan(grid.right()).all(axis=1))
    grid = Grid(
        grid.benchmark, tuple(grid.items[row] for row in held), grid.series, grid.outcomes[held],
        None if grid.said is None else grid.said[held],
    )  # fmt: skip
    answers, groups = _Answers.of(grid), grid.groups()
    numbers: dict[str, int] = {}
    families = np.array([numbers.setdefault(each.family or each.model, len(numbers)) for each in grid.series])
    first = fit_curves(answers.right, np.ones(len(families)))
    weights = dependence_weights(answers.right, first.expected, families)
    independent, refused = float(weights.sum()), list[str]()
    whole = ~np.isnan(answers.right).any(axis=1)
    compared, right, own = int(whole.sum()), answers.right[whole], groups[whole]

    def enough(what: str, whose: str, items: int = compared, of: str = "that all models were asked") -> bool:
        if independent < NEEDED[what]:
            why = f"answers worth {independent:.1f} independent models; it takes {NEEDED[what]}"
        elif items < _FEW_ITEMS:
            why = f"{items} items {of}; it takes {_FEW_ITEMS}"
        else:
            return True
        refused.append(f"{whose}: not said from {why}")
        return False

    tested = enough("reliability", "reliability")
    reliable = reliability(right, own, independent) if tested else None
    effective, subset = None, None
    if enough("subset", "effective items and the smallest subset with the same ranking"):
        effective = _known(effective_items(right, own, families))
        subset = smallest_subset(right, families, TAU)
        if subset is None:
            refused.append(f"no smaller part of the items ranks models that did not choose it at a mean tau of {TAU}")
    fits = golds = None
    taken = np.flatnonzero((answers.options >= 3) & (answers.gold >= 0))
    if tested and not (reliable and reliable.low > 0):
        refused.append(
            "wrong golds, discriminations and slopes of items: not said, since these items do not tell the models apart"
        )
    else:
        what = "items that all get right or wrong, discriminations and slopes"
        if enough("discrimination", what, len(held), "in all"):
            fits = (fit_curves(answers.right, weights, slopes=False), fit_curves(answers.right, weights))
        if grid.said is None:
            refused.append("wrong golds: not said, since only right and wrong are known of these answers")
        elif enough("gold", "wrong golds", len(taken), "with three options or more"):
            ability = (fits[1] if fits else first).ability
            golds = suspect_golds(answers.said[taken], answers.gold[taken], answers.options[taken], ability, weights)
    share = golds.share_wrong if golds else None
    if share is not None and share > _IMPLAUSIBLE:
        golds = None
        refused.append(
            f"wrong golds: not said, since {share:.0%} of the items would be, more than benchmarks have; models that "
            "part for another reason, such as a cue that some of them follow, look like this"
        )
    detectable = _detectable(answers.right, groups, families)
    if detectable is None:
        refused.append("the smallest difference: no two models can be compared on these items")
    columns = _columns(answers.right, groups, fits, golds, taken)
    others = dict(zip(taken.tolist(), golds.other.tolist(), strict=True)) if golds else {}
    rows = _rows(grid, answers, columns, others, weights, examination)
    return ItemAnalysis(
        benchmark=grid.benchmark,
        items=len(held),
        groups=len(np.unique(groups)),
        models=len({each.model for each in grid.series}),
        series=len(grid.series),
        independent=independent,
        audit=examination.result.verdict if examination else "",
        reliability=reliable,
        compared=compared,
        detectable=detectable,
        effective_items=effective,
        subset=subset,
        share_wrong=golds.share_wrong if golds else None,
        flagged={flag: count for flag in FLAGS if (count := sum(flag in row.flags for row in rows))},
        refused=refused,
        rows=sorted(rows, key=_badness),
    )


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def _detectable(right: Floats, groups: Ints, families: Ints) -> float | None:
    """The median over neighbours in the ranking (N, S) that are no copies; None where none can be compared."""
    order = np.argsort(np.nanmean(right, axis=0), kind="stable").tolist() if right.size else []
    pairs = [
        (a, b)
        for a, b in pairwise(order)
        if families[a] != families[b] and not np.array_equal(right[:, a], right[:, b], equal_nan=True)
    ]
    known = []
    for place in np.unique(np.linspace(0, len(pairs) - 1, min(len(pairs), _NEIGHBOURS)).round().astype(int)):
        both = ~np.isnan(right[:, pairs[place]]).any(axis=1)
        first, second = right[both][:, pairs[place]].T
        known.append(difference_of(first, second, groups[both]).detectable)
    known = [value for value in known if not isnan(value)]
    return float(np.median(known)) if known else None


def _copies(items: Sequence[Item]) -> list[str]:
    """By item the id of an earlier one with the same text, answers and gold; an item in another condition is none."""
    ids: dict[tuple[str, frozenset[str], str | None, str], str] = {}
    copies = []
    for item in items:
        key = (fold_text(item.prompt), frozenset(item.choices or ()), item.answer, item.condition)
        copies.append(ids.get(key, ""))
        ids.setdefault(key, id_within(item))
    return copies


def _rows(
    grid: Grid, answers: _Answers, columns: dict[str, list[float | None]], others: dict[int, int], weights: Floats,
    examination: Examination | None,
) -> list[ItemNumbers]:  # fmt: skip
    """A row per item of the grid; `others` has the suspected answers of rows with posteriors."""
    scores = _scores_of(grid, examination)
    leaks = examination is not None and examination.result.verdict in SHOWN
    copies, asked = _copies(grid.items), ~np.isnan(answers.right)
    rows = []
    for row, item in enumerate(grid.items):
        choices, said, score = item.choices or (), answers.said[row], scores.get(row)
        wrong = np.bincount(said[(said >= 0) & (said != answers.gold[row])], minlength=len(choices))
        common = choices[int(wrong.argmax())] if wrong.any() else ""
        models = int(asked[row].sum())
        facts = ItemNumbers(
            id=id_within(item),
            flags=[],
            reasons=[],
            gold=item.answer or "",
            models=models,
            suspected=choices[others[row]] if others.get(row, -1) >= 0 else "",
            common_wrong=common,
            common_wrong_share=float(wrong.max() / models) if common else None,
            probe=_probe(score, common),
            probe_probability=score.probability if score else None,
            copy_of=copies[row],
            **{name: values[row] for name, values in columns.items()},  # type: ignore[arg-type]
        )
        flags = _flags(facts, leaks=leaks, many=float(weights @ asked[row]) >= NEEDED["discrimination"])
        rows.append(msgspec.structs.replace(facts, flags=[*flags], reasons=[*flags.values()]))
    return rows


def _scores_of(grid: Grid, examination: Examination | None) -> dict[int, ItemScore]:
    """Row -> what the probe says of the item."""
    scores = examination.item_scores() if examination else []
    return dict(zip(*joined_scores(grid, scores, examination), strict=True)) if examination and scores else {}


def _columns(
    right: Floats, groups: Ints, fits: tuple[Fit, Fit] | None, golds: Golds | None, taken: Ints
) -> dict[str, list[float | None]]:
    """Name of a field -> its numbers, N in each; `taken` are the rows that `golds` is about."""
    named = {"right": np.nanmean(right, axis=1)}
    if fits:
        alone, both = fits
        named["discrimination"] = rest_correlations(right, groups)
        named["difficulty"], named["slope"] = -alone.ease, both.slope
        named["slope_low"], named["slope_high"] = both.slope - _Z * both.slope_se, both.slope + _Z * both.slope_se
    if golds:
        for name, values in (("wrong_gold", golds.wrong), ("ambiguous", golds.ambiguous)):
            named[name] = np.full(len(right), np.nan)
            named[name][taken] = values
    return {name: [_known(value) for value in values.tolist()] for name, values in named.items()}


def _probe(score: ItemScore | None, common: str) -> str:
    if score is None:
        return ""
    if score.correct:
        return "gold"
    return "common wrong" if common and fold_text(score.predicted) == fold_text(common) else "other"


def _flags(item: ItemNumbers, *, leaks: bool, many: bool) -> dict[str, str]:
    """Flag -> its reason, in the order of `FLAGS`.

    `leaks` says whether the audit shows a shortcut: else a probe that is right was lucky; `many` whether enough
    independent models were asked for their agreement to mean something.
    """
    said: dict[str, str] = {}
    gold, common, other = (repr(one_line(text, 60)) for text in (item.gold, item.common_wrong, item.suspected))
    led = f"{item.right:.0%} of the models are right"
    if item.common_wrong:
        led = f"{item.common_wrong_share:.0%} of the models say {common}, {item.right:.0%} the gold {gold}"
    doubted = (item.wrong_gold or 0) >= _LIKELY
    # Models that share a cue err together, the abler ones the more: then the posterior is not about the gold.
    cued = leaks and item.probe == "common wrong" and (item.common_wrong_share or 0) > item.right
    posterior = f"{other} is the right answer with a posterior of {kappa(item.wrong_gold)}"
    if doubted and not cued:
        said["wrong gold"] = f"{posterior}: abler models say so; {led}"
    if (item.ambiguous or 0) >= _LIKELY:
        said["ambiguous"] = f"{other} is as right as {gold} with a posterior of {kappa(item.ambiguous)}; {led}"
    if item.slope_high is not None and item.slope_high < 0:
        low = f"[{item.slope_low:.1f}, {item.slope_high:.1f}]"
        said["reversed"] = f"weaker models are right and abler ones wrong: slope {item.slope:.1f} {low}; {led}"
    if doubted and cued:
        said["cue misleads"] = f"{posterior}, but the probe of the audit, which leaks, predicts the same answer: {led}"
    if many and item.right == 0:
        said["all wrong"] = f"all {item.models} models are wrong, so that it tells none apart"
    if leaks and item.probe == "gold" and (item.probe_probability or 0) >= _SURE:
        said["given away"] = f"the probe of the audit, which leaks, gives the gold {item.probe_probability:.0%}"
    if item.copy_of:
        said["copy"] = f"its text and answers are those of {item.copy_of}"
    if many and item.right == 1:
        said["all right"] = f"all {item.models} models are right, so that it tells none apart"
    return said


def _badness(item: ItemNumbers) -> tuple[int, float, str]:
    """The worst flag first; of the same flag the larger posterior, then the lower slope, then the id."""
    worst = FLAGS.index(item.flags[0]) if item.flags else len(FLAGS)
    doubt = max(item.wrong_gold or 0.0, item.ambiguous or 0.0)
    return worst, -doubt if worst < 2 else item.slope or 0.0, item.id
