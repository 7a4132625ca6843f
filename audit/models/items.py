"""Item analysis: what the answers of models say of each item, why it is broken, and how well models are told apart.

Every number comes from one grid of items by models. What so few models cannot say is not said: a sentence gives the
number that would be needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isnan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.difference import difference_of
from hansproof.audit.models.reliance.parts import SHOWN, joined_scores
from hansproof.audit.notation import things
from hansproof.audit.replies.foreign_items import id_within
from hansproof.audit.replies.grid import RIGHT, WRONG, Grid
from hansproof.audit.result.explanation import ItemScore
from hansproof.audit.result.record import Record
from hansproof.audit.run import Examination
from hansproof.audit.statistics.item_response import Fit, Golds, dependence_weights, fit_curves, suspect_golds
from hansproof.audit.statistics.reliability import effective_items, reliability, rest_correlations, smallest_subset
from hansproof.audit.tasks.overlap import near_matches
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
they promise; for an interval that covers; and for two halves of eight."""

TAU: Final = 0.9
"""Kendall's tau at which two rankings count as the same."""

_LIKELY: Final = 0.5
"""Posterior from which on an item is flagged."""
_IMPLAUSIBLE: Final = 0.15
"""Share of wrong golds, or of ambiguous items, above which models divide for another reason, such as a cue."""
_SURE: Final = 0.9
"""Probability that a probe gives the gold answer of an item that it gives away."""
_FEW_ITEMS: Final = 30
_NEIGHBOURS: Final = 25
"""Pairs of neighbours in the ranking that are compared at most."""
_ALIKE: Final = 0.9
"""Smallest similarity of copies: a word or two in a text of forty."""
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
    """That were asked the item."""
    right: float | None
    """Share of them that are right."""
    discrimination: float | None
    """Correlation with the share right of all other items (`rest_correlations`)."""
    difficulty: float | None
    """Of the one-parameter fit, in logits: 0 where an average model is right half of the time."""
    slope: float | None
    """Of the two-parameter fit, in logits per standard deviation of ability; below 0 weaker models are right."""
    slope_low: float | None
    slope_high: float | None
    wrong_gold: float | None
    """Posterior that another answer is the right one."""
    ambiguous: float | None
    """Posterior that another answer is as right as the gold."""
    suspected: str
    """Which answer that would be; empty without a posterior."""
    common_wrong: str
    """The wrong answer that most models give; empty where none is known."""
    common_wrong_share: float | None
    """Share of the models with a clear answer that give it."""
    probe: str
    """What the audit's probe says out of fold: `gold`, `common wrong`, `other`; empty without an audit."""
    probe_probability: float | None
    """Its probability of the gold answer."""
    copy_of: str
    """The id of an item with the same, or nearly the same, text; empty without one."""


class ItemAnalysis(Record, frozen=True, kw_only=True):
    """The items of one benchmark."""

    benchmark: str
    items: int
    groups: int
    models: int
    independent: float
    """How many independent models they are worth (`dependence_weights`)."""
    audit: str
    """The verdict of the audit; empty without one."""
    reliability: float | None
    """Alpha over groups of items: KR-20 where each item is its own group."""
    reliability_low: float | None
    reliability_high: float | None
    compared: int
    """Items that all models were asked, on which reliability, effective items and the subset rest."""
    detectable: float | None
    """The smallest difference between two neighbours in the ranking that these items show with about 80 % power,
    two-sided at .05, paired, and with groups respected: the median over the pairs."""
    effective_items: float | None
    """Of `effective_items`."""
    subset: int | None
    """The smallest number of items with the same ranking, at a mean tau of .9 on models that did not choose them."""
    subset_tau: float | None
    subset_low: float | None
    subset_high: float | None
    subset_random: float | None
    """Mean tau of as many items at random."""
    share_wrong: float | None
    """Share of wrong golds, as the model of the answers estimates it."""
    share_ambiguous: float | None
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
    families = _families(grid)
    first = fit_curves(answers.right, np.ones(len(families)))
    weights = dependence_weights(answers.right, first.expected, families)
    independent, refused = float(weights.sum()), list[str]()

    def enough(what: str, whose: str) -> bool:
        if independent >= NEEDED[what] and len(held) >= _FEW_ITEMS:
            return True
        worth = f"{things(len(families), 'model')} worth {independent:.1f} independent ones"
        few = f"{worth}; it takes {NEEDED[what]}" if independent < NEEDED[what] else f"{len(held)} items; it takes 30"
        refused.append(f"{whose}: not said from {few}")
        return False

    fits = golds = None
    if enough("discrimination", "discriminations and slopes of items"):
        fits = (fit_curves(answers.right, weights, slopes=False), fit_curves(answers.right, weights))
    taken = np.flatnonzero((answers.options >= 3) & (answers.gold >= 0))
    if len(taken) < _FEW_ITEMS:
        refused.append("wrong golds: not said of open answers, nor of two options, where a reversed item may be one")
    elif grid.said is None:
        refused.append("wrong golds: not said, since only right and wrong are known of these answers")
    elif enough("gold", "wrong golds"):
        ability = (fits[1] if fits else first).ability
        golds = suspect_golds(answers.said[taken], answers.gold[taken], answers.options[taken], ability, weights)
        refused += _implausible(golds)
    numbers = _Numbers(answers, groups, fits, golds, taken)
    rows = _rows(grid, numbers, _scores_of(grid, examination), examination, _copies(grid.items))
    whole = ~np.isnan(answers.right).any(axis=1)
    right, own = answers.right[whole], groups[whole]
    reliable = (
        reliability(right, own, independent) if enough("reliability", "reliability") and whole.sum() > 1 else None
    )
    subset = None
    if enough("subset", "the smallest subset with the same ranking") and whole.sum() >= _FEW_ITEMS:
        subset = smallest_subset(right, np.unique(families, return_inverse=True)[1], TAU)
        if subset is None:
            refused.append(f"no smaller part of the items ranks models that did not choose it at a mean tau of {TAU}")
    detectable = _detectable(right, own)
    if isnan(detectable):
        refused.append("the smallest difference: no two models can be compared on these items")
    return ItemAnalysis(
        benchmark=grid.benchmark,
        items=len(held),
        groups=len(np.unique(groups)),
        models=len(families),
        independent=independent,
        audit=examination.result.verdict if examination else "",
        reliability=_known(reliable.value) if reliable else None,
        reliability_low=_known(reliable.low) if reliable else None,
        reliability_high=_known(reliable.high) if reliable else None,
        compared=int(whole.sum()),
        detectable=_known(detectable),
        effective_items=_known(effective_items(right, own)) if reliable else None,
        subset=subset.items if subset else None,
        subset_tau=subset.tau if subset else None,
        subset_low=subset.low if subset else None,
        subset_high=subset.high if subset else None,
        subset_random=subset.random_tau if subset else None,
        share_wrong=golds.share_wrong if golds else None,
        share_ambiguous=golds.share_ambiguous if golds else None,
        flagged={flag: count for flag in FLAGS if (count := sum(flag in row.flags for row in rows))},
        refused=refused,
        rows=sorted(rows, key=_badness),
    )


def _implausible(golds: Golds) -> list[str]:
    """What the posteriors do not say, since they would have to be about too many items."""
    shares = {"wrong golds": golds.share_wrong, "ambiguous items": golds.share_ambiguous}
    return [
        f"{what}: not said, since {share:.0%} of the items would be, more than benchmarks have; models that part for "
        "another reason, such as a cue that some of them follow, look like this"
        for what, share in shares.items()
        if share > _IMPLAUSIBLE
    ]


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def _families(grid: Grid) -> Ints:
    """(S,): styles and runs of one model, and models of one declared family, are one family."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(each.family or each.model, len(numbers)) for each in grid.series])


def _detectable(right: Floats, groups: Ints) -> float:
    """The median over neighbours in the ranking (N, S); NaN where none can be compared."""
    order = np.argsort(right.sum(axis=0), kind="stable")
    pairs = np.stack([order[:-1], order[1:]], axis=1)
    chosen = np.unique(np.linspace(0, len(pairs) - 1, min(len(pairs), _NEIGHBOURS)).round().astype(int))
    each = [difference_of(right[:, a], right[:, b], groups).detectable for a, b in pairs[chosen].tolist()]
    known = [value for value in each if not isnan(value)]
    return float(np.median(known)) if known else float("nan")


def _copies(items: Sequence[Item]) -> list[str]:
    """By item the id of another one with the same gold and nearly the same text.

    Items of one group in several conditions are no copies: they are meant to be alike. Nor are two with different
    golds, which differ in what matters.
    """
    texts: dict[str, int] = {}
    ids = [""] * len(items)
    for place, item in enumerate(items):
        at = texts.setdefault(fold_text(item.prompt), place)
        if at != place and _same(item, items[at]):
            ids[place] = ids[at] = items[at].id
            ids[at] = ids[at] if ids[at] != items[at].id else item.id
    places, folded = list(texts.values()), list(texts)
    for place, near in zip(places, near_matches(folded, folded, _ALIKE).place.tolist(), strict=True):
        if near >= 0 and not ids[place] and _same(items[place], items[places[near]]):
            ids[place] = items[places[near]].id
    return ids


def _same(first: Item, second: Item) -> bool:
    matched = first.group == second.group and first.condition != second.condition
    return first.answer == second.answer and not matched


def _scores_of(grid: Grid, examination: Examination | None) -> dict[int, ItemScore]:
    """Row -> what the probe says of the item."""
    scores = examination.item_scores() if examination else []
    return dict(zip(*joined_scores(grid, scores, examination), strict=True)) if examination and scores else {}


@dataclass(frozen=True)
class _Numbers:
    """All of the items' numbers, N in each."""

    answers: _Answers
    groups: Ints
    fits: tuple[Fit, Fit] | None
    golds: Golds | None
    taken: Ints
    """Rows that `golds` is about."""

    def columns(self) -> dict[str, list[float | None]]:
        """Name of a field -> its numbers."""
        count, right = len(self.groups), self.answers.right
        nothing = np.full(count, np.nan)
        named = dict.fromkeys(
            ("discrimination", "difficulty", "slope", "slope_low", "slope_high", "wrong_gold", "ambiguous"), nothing
        )
        if self.fits:
            alone, both = self.fits
            named["discrimination"] = rest_correlations(right, self.groups)
            named["difficulty"], named["slope"] = -alone.ease, both.slope
            named["slope_low"] = both.slope - _Z * both.slope_se
            named["slope_high"] = both.slope + _Z * both.slope_se
        if self.golds:
            for name, values, share in (
                ("wrong_gold", self.golds.wrong, self.golds.share_wrong),
                ("ambiguous", self.golds.ambiguous, self.golds.share_ambiguous),
            ):
                if share <= _IMPLAUSIBLE:
                    named[name] = nothing.copy()
                    named[name][self.taken] = values
        named["right"] = np.nanmean(right, axis=1)
        return {name: [_known(value) for value in values.tolist()] for name, values in named.items()}


def _rows(
    grid: Grid, numbers: _Numbers, scores: dict[int, ItemScore], examination: Examination | None, copies: list[str]
) -> list[ItemNumbers]:
    columns, answers, golds = numbers.columns(), numbers.answers, numbers.golds
    others = dict(zip(numbers.taken.tolist(), golds.other.tolist(), strict=True)) if golds else {}
    leaks = examination is not None and examination.result.verdict in SHOWN
    rows = []
    for row, item in enumerate(grid.items):
        choices, said = item.choices or (), answers.said[row]
        counts = np.bincount(said[said >= 0], minlength=len(choices))
        wrong = counts.copy()
        if answers.gold[row] >= 0:
            wrong[answers.gold[row]] = 0
        common = choices[int(wrong.argmax())] if wrong.any() else ""
        score = scores.get(row)
        own = {name: values[row] for name, values in columns.items()}
        facts = ItemNumbers(
            id=id_within(item),
            flags=[],
            reasons=[],
            gold=item.answer or "",
            models=int((~np.isnan(answers.right[row])).sum()),
            suspected=choices[others[row]] if others.get(row, -1) >= 0 else "",
            common_wrong=common,
            common_wrong_share=float(wrong.max() / counts.sum()) if common else None,
            probe=_probe(score, common),
            probe_probability=score.probability if score else None,
            copy_of=copies[row],
            **own,
        )
        said_of = _flags(facts, leaks)
        flags, reasons = (
            [flag for flag in FLAGS if flag in said_of],
            [said_of[flag] for flag in FLAGS if flag in said_of],
        )
        rows.append(
            ItemNumbers(
                **{name: getattr(facts, name) for name in facts.__struct_fields__}
                | {"flags": flags, "reasons": reasons}
            )
        )
    return rows


def _probe(score: ItemScore | None, common: str) -> str:
    if score is None:
        return ""
    if score.correct:
        return "gold"
    return "common wrong" if common and fold_text(score.predicted) == fold_text(common) else "other"


def _flags(item: ItemNumbers, leaks: bool) -> dict[str, str]:
    """Flag -> its reason. `leaks` says whether the audit shows a shortcut: else a probe that is right was lucky."""
    said: dict[str, str] = {}
    right = item.right or 0.0
    share = item.common_wrong_share or 0.0
    cued = leaks and item.probe == "common wrong" and share > right
    led = f"{share:.0%} of the models say {item.common_wrong!r}, {right:.0%} the gold {item.gold!r}"
    # Models that share a cue err together, the abler ones the more: then the posterior is not about the gold.
    if (item.wrong_gold or 0) >= _LIKELY and not cued:
        other = f"{item.suspected!r} is the right answer with a posterior of {item.wrong_gold:.2f}"
        said["wrong gold"] = f"{other}: abler models say so; {led}"
    if (item.ambiguous or 0) >= _LIKELY:
        said["ambiguous"] = (
            f"{item.suspected!r} is as right as {item.gold!r} with a posterior of {item.ambiguous:.2f}; {led}"
        )
    if item.slope_high is not None and item.slope_high < 0:
        low = f"[{item.slope_low:.1f}, {item.slope_high:.1f}]"
        said["reversed"] = f"weaker models are right and abler ones wrong: slope {item.slope:.1f} {low}; {led}"
    if cued:
        doubt = "" if item.wrong_gold is None else f"; posterior of a wrong gold {item.wrong_gold:.2f}"
        said["cue misleads"] = f"the probe of the audit, which leaks, predicts the common wrong answer: {led}{doubt}"
    if leaks and item.probe == "gold" and (item.probe_probability or 0) >= _SURE:
        said["given away"] = f"the probe of the audit, which leaks, gives the gold {item.probe_probability:.0%}"
    if item.models > 1 and right in (0.0, 1.0):
        what = "wrong" if right == 0 else "right"
        said[f"all {what}"] = f"all {item.models} models are {what}, so that it tells none apart"
    if item.copy_of:
        said["copy"] = f"its text is the same, or nearly the same, as that of {item.copy_of}"
    return said


def _badness(item: ItemNumbers) -> tuple[int, float, str]:
    """The worst flag first; of the same flag the larger posterior, then the lower slope, then the id."""
    worst = FLAGS.index(item.flags[0]) if item.flags else len(FLAGS)
    doubt = max(item.wrong_gold or 0.0, item.ambiguous or 0.0)
    return worst, -doubt if worst < 2 else item.slope if item.slope is not None else floor(worst), item.id
