"""Effects of matched pairs in model answers, by subset and by slice: how much accuracy the hard condition costs.

Items and their scores (`audit.responses.scoring.Report`) come in; which two conditions make a pair and which keys of
`metadata` make slices is said by the family's dataset. The statistics are those of `paired`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from audit.probe.resampling import holm
from audit.responses.paired import Paired, compare
from audit.responses.scoring import Report
from generators.dataset import Dataset
from generators.errors import InputError, UsageError
from generators.item import Item
from generators.registry import dataset

__all__ = ["Effect", "effects"]


@dataclass(frozen=True)
class Effect:
    """What the hard condition of a subset, or of one slice of it, costs one model."""

    subset: str
    by: str
    """The key of `metadata` that makes the slice; "" for the whole subset."""
    value: str
    """The slice's value of that key; `add / subtract` where the easy and the hard item differ in it."""
    easy_condition: str
    hard_condition: str
    paired: Paired
    p_holm: float
    """The t-test's p corrected after Holm: over subsets for whole ones, over all slices of the subset for slices."""
    mcnemar_p_holm: float
    """McNemar's p corrected in the same way."""
    missing_easy: int
    """Easy items of the pairs without a reply; they count as wrong."""
    missing_hard: int
    left_out: int
    """Groups with an item of one of the conditions, but not exactly one of each; 0 for slices."""
    note: str
    """Why something is undefined or not to be relied on, in words; empty where all is well."""

    def record(self) -> dict[str, Any]:
        """The effect as a JSON object, NaN as null."""
        found = asdict(self)
        found["paired"] = {key: _finite(value) for key, value in found["paired"].items()}
        return {key: _finite(value) for key, value in found.items()}


class _Side(NamedTuple):
    right: bool
    missing: bool
    item: Item


def effects(items: Sequence[Item], report: Report) -> list[Effect]:
    """Every effect of one model's report on `items`: whole subsets in the order of the items, then their slices.

    A subset has one where its dataset names a contrast (easy, hard), over the groups with exactly one item of each; a
    missing reply is wrong and counted, a subset without any reply passed over. Unregistered families have none. A key
    gives slices where its values differ.
    Raises InputError where the report is about other items.
    """
    if [one["id"] for one in report.scores] != [item.id for item in items]:
        raise InputError("the report scores other items than those given, or in another order")
    family = _family(report.dataset)
    if family is None:
        return []
    pairs, left_out = _pairs(items, report, family)
    whole, slices = [], []
    for subset, some in pairs.items():
        contrast = family.subsets[subset].contrast or ("", "")
        one = _effect(subset, "", "", contrast, some)
        many = f"groups that are no pair and left out: {left_out[subset]:,}" if left_out[subset] else ""
        whole.append(replace(one, left_out=left_out[subset], note=_joined(one.note, many)))
        slices += _corrected([
            _effect(subset, key, value, contrast, parts)
            for key in family.slices for value, parts in _sliced(some, key).items()
        ])  # fmt: skip
    return [*_corrected(whole), *slices]


def _family(name: str) -> Dataset | None:
    try:
        return dataset(name)
    except UsageError:
        # Items of somebody else's family are scored all the same; of its pairs nothing is known.
        return None


def _pairs(
    items: Sequence[Item], report: Report, family: Dataset
) -> tuple[dict[str, list[tuple[_Side, _Side]]], dict[str, int]]:
    """Subset -> its pairs (easy, hard) in the order of their first items, and subset -> groups that are no pair."""
    missing = set(report.missing)
    groups: dict[str, dict[str, tuple[list[_Side], list[_Side]]]] = {}
    for item, score in zip(items, report.scores, strict=True):
        known = family.subsets.get(item.metadata["subset"])
        if known is None or known.contrast is None or item.condition not in known.contrast:
            continue
        held = groups.setdefault(item.metadata["subset"], {}).setdefault(item.group, ([], []))
        held[known.contrast.index(item.condition)].append(_Side(score["right"], item.id in missing, item))
    pairs = {
        subset: [(easy[0], hard[0]) for easy, hard in held.values() if len(easy) == len(hard) == 1]
        for subset, held in groups.items()
    }
    # A subset without one reply was not asked; an effect of 0 would be a statement about nothing.
    asked = [
        subset for subset, held in pairs.items() if not held or any(not one.missing for pair in held for one in pair)
    ]
    return {subset: pairs[subset] for subset in asked}, {
        subset: len(groups[subset]) - len(pairs[subset]) for subset in asked
    }


def _sliced(pairs: Sequence[tuple[_Side, _Side]], key: str) -> dict[str, list[tuple[_Side, _Side]]]:
    """Value -> its pairs, numbers in their order; none where there is one value only, which says nothing new."""
    found: dict[tuple[Any, Any], list[tuple[_Side, _Side]]] = {}
    for easy, hard in pairs:
        found.setdefault((easy.item.metadata.get(key), hard.item.metadata.get(key)), []).append((easy, hard))
    if len(found) < 2:
        return {}
    places = sorted(found, key=lambda two: [(not isinstance(one, int), one if isinstance(one, int) else 0, str(one))
                                            for one in two])  # fmt: skip
    return {str(one) if one == other else f"{one} / {other}": found[one, other] for one, other in places}


def _effect(
    subset: str, by: str, value: str, contrast: tuple[str, str], pairs: Sequence[tuple[_Side, _Side]]
) -> Effect:
    # Every pair is a group of its own, so the clusters of the interval are the pairs.
    found = compare(
        np.array([easy.right for easy, _ in pairs], dtype=np.bool_),
        np.array([hard.right for _, hard in pairs], dtype=np.bool_),
    )
    missing_easy, missing_hard = (sum(pair[side].missing for pair in pairs) for side in (0, 1))
    missing = missing_easy + missing_hard
    return Effect(
        subset=subset,
        by=by,
        value=value,
        easy_condition=contrast[0],
        hard_condition=contrast[1],
        paired=found,
        p_holm=found.p,
        mcnemar_p_holm=found.mcnemar_p,
        missing_easy=missing_easy,
        missing_hard=missing_hard,
        left_out=0,
        note=_joined(found.note, f"missing replies count as wrong: {missing:,}" if missing else ""),
    )


def _corrected(found: Sequence[Effect]) -> list[Effect]:
    t_test = holm(np.array([one.paired.p for one in found]))
    mcnemar = holm(np.array([one.paired.mcnemar_p for one in found]))
    return [
        replace(one, p_holm=float(p), mcnemar_p_holm=float(q)) for one, p, q in zip(found, t_test, mcnemar, strict=True)
    ]


def _joined(*notes: str) -> str:
    return "; ".join(one for one in notes if one)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and isnan(value) else value
