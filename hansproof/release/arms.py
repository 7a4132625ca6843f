"""Whether the arms of matched items differ in what nobody tests: aspects of the prompts, compared by group."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import nan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.matching import changes_of, matched_by
from hansproof.audit.statistics.permutation import holm
from hansproof.generators.item import Item
from hansproof.release.manifest import ArmEntry, rounded

__all__ = ["ASPECTS", "arm_entries", "beyond_noise"]

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_NAME = re.compile(r"(?<=[^.?!:\s] )[A-Z][a-z]+")
_NUMBER = re.compile(r"\d[\d,]*")
_END = re.compile(r"[.?!](?=[\s\"”)]|$)")


def _first_number(text: str) -> float:
    match = _NUMBER.search(text)
    return float(match[0].replace(",", "")) if match else nan


def _asked_at(text: str) -> float:
    """Where the last question begins, as a share of the text; NaN where nothing is asked with a question mark."""
    end = text.rfind("?")
    if end < 0:
        return nan
    before = [match.end() for match in _END.finditer(text, 0, end)] + [text.rfind("\n", 0, end)]
    return max(before, default=0) / len(text)


ASPECTS: Final[dict[str, Callable[[str], float]]] = {
    "words": lambda text: len(_WORD.findall(text)),
    "characters": len,
    "sentences": lambda text: len(_END.findall(text)),
    "names": lambda text: len(_NAME.findall(text)),
    "digits": lambda text: sum(map(str.isdigit, text)),
    "commas": lambda text: text.count(","),
    "first number": _first_number,
    "question at": _asked_at,
}
"""Aspect of a prompt -> its value; NaN where a prompt has none. Names are capitalised words within a sentence."""

ALPHA: Final = 0.01
"""How often, at most, a subset whose arms do not differ has a difference that is called one."""


def arm_entries(items: Sequence[Item]) -> list[ArmEntry]:
    """Each two conditions of matched items, of one subset, that are compared: how the prompts of the second differ.

    Differences are means over groups, of the mean over the matched items in a group. A p is that of a paired t-test
    over groups, after Holm's correction over all aspects and pairs of the subset; a difference that is the same in
    every group has no error, and a p of 0 or, where it is 0, of 1.
    """
    pairs = [pair for pairs in changes_of(items).values() for pair in pairs] if items else []
    wanted = {condition for pair in pairs for condition in pair}
    matched: dict[tuple[str, str], dict[str, list[NDArray[np.float64]]]] = {}
    for item in items:
        if item.condition in wanted:
            values = np.array([measure(item.prompt) for measure in ASPECTS.values()])
            matched.setdefault((item.group, matched_by(item)), {}).setdefault(item.condition, []).append(values)
    entries, ps = [], []
    for before, after in pairs:
        groups: dict[str, list[NDArray[np.float64]]] = {}
        for (group, _), arms in matched.items():
            if before in arms and after in arms:
                groups.setdefault(group, []).append(np.mean(arms[after], axis=0) - np.mean(arms[before], axis=0))
        values = np.array([np.mean(rows, axis=0) for rows in groups.values()]).reshape(-1, len(ASPECTS))
        tested = [_difference(column[~np.isnan(column)]) for column in values.T]
        entries.append((before, after, len(values), [mean for mean, _ in tested]))
        ps.append([p for _, p in tested])
    corrected = holm(np.array(ps).ravel()).reshape(-1, len(ASPECTS)) if ps else np.empty((0, len(ASPECTS)))
    return [
        ArmEntry(
            before=before,
            after=after,
            groups=count,
            differences=dict(zip(ASPECTS, map(rounded, mean), strict=True)),
            p_holm=dict(zip(ASPECTS, map(rounded, p.tolist()), strict=True)),
        )
        for (before, after, count, mean), p in zip(entries, corrected, strict=True)
    ]


def _difference(values: NDArray[np.float64]) -> tuple[float, float]:
    """The mean of some differences, and the two-sided p of a t-test that it is 0; NaN and 1 where there are none."""
    from scipy import stats

    if not len(values):
        return nan, 1.0
    mean = float(values.mean())
    if np.ptp(values) == 0:
        return mean, 1.0 if mean == 0 else 0.0
    return mean, float(stats.ttest_1samp(values, 0).pvalue)


def beyond_noise(entry: ArmEntry) -> dict[str, float]:
    """Aspect -> mean difference, of those that are beyond noise."""
    return {
        aspect: difference
        for aspect, difference in entry.differences.items()
        if difference is not None and (p := entry.p_holm[aspect]) is not None and p < ALPHA
    }
