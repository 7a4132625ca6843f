"""What perturbations cost: accuracy on the original less accuracy on a perturbation, in matched pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hansproof.audit.models.clear_replies import Clear, Compared, clear_of, with_holm
from hansproof.audit.models.contrasts import (
    Conditions,
    Contrasted,
    Pair,
    Values,
    contrasted,
    in_order,
    independent,
    slice_name,
    values_of,
)
from hansproof.audit.models.difference import FEW, difference_of, sufficient
from hansproof.audit.replies.judged_reply import Outcome
from hansproof.audit.replies.scorers import BREAKDOWN
from hansproof.audit.statistics.permutation import holm
from hansproof.generators.dataset import Dataset

__all__ = ["INCOMPLETE", "Effect", "effects", "guessed_note", "without_effects"]

# The numbers are those of `audit.models.difference`. Beside them stands the paired t-test of Opedal et al. (2024), so
# that their tables can be repeated; nothing is decided by it.

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Paired:
    """The difference between two conditions over matched pairs; accuracies and effects are shares from 0 to 1."""

    pairs: int
    original: float
    """Accuracy in the original condition; NaN without pairs."""
    perturbed: float
    both_right: float
    """Pair accuracy: the share of the pairs with both items right; NaN without pairs."""
    effect: float
    """Mean over pairs of (original right - perturbed right): positive where the perturbed condition costs accuracy."""
    se: float
    """Standard error of the effect, robust to clusters; NaN where all pairs differ alike, or none does."""
    low: float
    """Lower end of the 95 % interval, before any correction; NaN with too few pairs."""
    high: float
    p: float
    """Two-sided, exact: McNemar's where each pair is a cluster of its own; NaN with too few pairs."""
    original_only: int
    """Discordant pairs with only the original item right."""
    perturbed_only: int
    t: float
    """Student's t of the paired test; NaN with too few pairs, and where every difference is the same."""
    t_p: float
    """Two-sided p of the paired t-test."""
    detectable: float
    """Smallest true effect found with about 80 % power, two-sided, with so many pairs: at alpha .05 / `tests`, so after
    Holm's correction. NaN with too few pairs."""
    note: str
    """Why something is undefined or not to be relied on, in words; empty where all is well."""


def compare(original: Bools, perturbed: Bools, clusters: Ints | None = None, tests: int = 1) -> Paired:
    """The comparison of `original` (n,) and `perturbed` (n,), True where the item is right, row by row a pair.

    `clusters` (n,) numbers what belongs together, from 0; each pair is a cluster of its own where it is None.
    `tests` is how many effects are corrected together.
    """
    pairs = len(original)
    first, second = original.astype(np.float64), perturbed.astype(np.float64)
    apart = difference_of(first, second, np.arange(pairs) if clusters is None else clusters, tests=tests)
    t = p = nan
    if pairs >= FEW and bool((first - second).std() > 0):
        tested = stats.ttest_rel(first, second)
        t, p = float(tested.statistic), float(tested.pvalue)
    return Paired(
        pairs=pairs,
        original=apart.a,
        perturbed=apart.b,
        both_right=float((original & perturbed).mean()) if pairs else nan,
        effect=apart.difference,
        se=apart.se,
        low=apart.low,
        high=apart.high,
        p=apart.p,
        original_only=apart.a_only,
        perturbed_only=apart.b_only,
        t=t,
        t_p=p,
        detectable=apart.detectable,
        note=apart.note,
    )


INCOMPLETE: Final = "groups without exactly one item of each condition that counts, left out"
"""What groups in no pair are called. An item without a reply counts unless it is skipped, one without a right answer
never does."""


@dataclass(frozen=True)
class Effect:
    """What one perturbation costs one model, in a subset or in one slice of it."""

    subset: str
    by: str
    """The keys of `metadata` that make the slice: `n_steps`; empty for the whole subset."""
    value: str
    """The slice's values of these keys; `add / subtract` where the original and the perturbed item differ in them."""
    original_condition: str
    perturbed_condition: str
    paired: Paired
    p_holm: float
    """The exact p corrected after Holm: over all whole subsets and perturbations; a slice's over all slices of its
    subset."""
    missing_original: int
    """Original items of the pairs without a reply; they count as wrong."""
    missing_perturbed: int
    unclear_original: int
    """Original items of the pairs with a reply that gives no clear answer; they count as wrong."""
    unclear_perturbed: int
    clear: Clear | None
    """The effect on the pairs to which both replies are clear; None where that is all of them."""
    left_out: int
    """Groups with an item of one of the two conditions, but not exactly one of each; 0 for slices."""
    guessed: bool
    """Whether the original condition is one only because it occurs first."""
    note: str
    """Why something is undefined or not to be relied on, in words; empty where all is well."""

    def compared(self, name: str) -> Compared:
        """It beside that of clear replies, to say where they differ."""
        unclear = self.unclear_original, self.unclear_perturbed
        missing = self.missing_original, self.missing_perturbed
        return Compared(name, self.paired.effect, self.p_holm, unclear, missing, self.clear)


def guessed_note(every: Sequence[Effect]) -> str:
    """Which conditions are taken for the original one only because they occur first; empty where none is."""
    names = list(dict.fromkeys(effect.original_condition for effect in every if effect.guessed))
    if not names:
        return ""
    are, they = ("is", "it occurs") if len(names) == 1 else ("are", "they occur")
    return (
        f"{', '.join(map(repr, names))} {are} compared with the others because {they} first: --original names another "
        "condition"
    )


def _asked(pairs: Sequence[Pair]) -> bool:
    """Whether both conditions have a reply: the effect of replies that do not exist says nothing."""
    return any(not pair.original.missing for pair in pairs) and any(not pair.perturbed.missing for pair in pairs)


def effects(outcomes: Sequence[Outcome], family: Dataset | None, conditions: Conditions | None = None) -> list[Effect]:
    """Every effect of one model: whole subsets in the order of the items, then their slices.

    A subset has one effect per perturbation (see `contrasted`, also for `conditions`), over the groups with exactly one
    item of each of the two conditions. A missing reply is wrong, and counted. Passed over are effects and slices in
    which one of the two conditions has no reply at all, and items that have no right answer. Keys give slices where
    their values differ.
    """
    compared = [both for both in contrasted(outcomes, family, conditions) if not both.pairs or _asked(both.pairs)]
    tests = _tests(pairs.pairs for pairs in compared)
    whole = [_effect(pairs, pairs.pairs, "", "", tests) for pairs in compared]
    slices: list[Effect] = []
    # A breakdown cuts the pairs of the whole benchmark, and so tears none of them apart.
    ways = [("subset", (BREAKDOWN,)), *((", ".join(keys), tuple(keys)) for keys in (family.slices if family else ()))]
    for subset in dict.fromkeys(pairs.subset for pairs in compared):
        cut = [
            (pairs, by, value, pairs_of_slice)
            for pairs in compared if pairs.subset == subset
            for by, keys in ways
            for value, pairs_of_slice in _sliced(pairs.pairs, keys) if _asked(pairs_of_slice)
        ]  # fmt: skip
        tests = _tests(some for *_, some in cut)
        slices += _corrected([_effect(pairs, some, by, value, tests) for pairs, by, value, some in cut])
    return [*_corrected(whole), *slices]


def without_effects(outcomes: Sequence[Outcome], family: Dataset | None) -> list[str]:
    """The subsets whose conditions a family contrasts although no answer is right there: they have measures only."""
    answerable: dict[str, bool] = {}
    for outcome in outcomes:
        name = str(outcome.item.metadata["subset"])
        answerable[name] = answerable.get(name, False) or outcome.score.right is not None
    known = family.subsets if family else {}
    return [name for name, some in answerable.items() if not some and name in known and known[name].contrast]


def _sliced(pairs: Sequence[Pair], keys: Sequence[str]) -> list[tuple[str, list[Pair]]]:
    """(name, its pairs), numbers in their order, a breakdown in that of the items; none where there is one slice only,
    which says nothing new."""
    sliced: dict[Values, list[Pair]] = {}
    for pair in pairs:
        original, perturbed = values_of(pair.original.item, keys), values_of(pair.perturbed.item, keys)
        if original is not None and perturbed is not None:
            sliced.setdefault((*original, *perturbed), []).append(pair)
    if len(sliced) < 2:
        return []
    named = []
    for values in in_order(sliced) if BREAKDOWN not in keys else sliced:
        names = dict.fromkeys((slice_name(values[: len(keys)]), slice_name(values[len(keys) :])))
        named.append((" / ".join(names), sliced[values]))
    return named


def _tests(every: Iterable[Sequence[Pair]]) -> int:
    """How many effects have a p, so that Holm corrects them together."""
    return sum(sufficient(independent(pairs)) for pairs in every)


def _effect(compared: Contrasted, pairs: Sequence[Pair], by: str, value: str, tests: int) -> Effect:
    # Within a condition, a family's pairs are groups of their own; those of other benchmarks may share a template.
    groups = independent(pairs)
    original, perturbed = (
        np.array([outcome.right for outcome in side], dtype=np.bool_)
        for side in ([pair.original for pair in pairs], [pair.perturbed for pair in pairs])
    )
    paired = compare(original, perturbed, groups, tests)
    not_clear = np.array([any(each.missing or each.unclear for each in pair) for pair in pairs], dtype=np.bool_)
    missing_original = sum(pair.original.missing for pair in pairs)
    missing_perturbed = sum(pair.perturbed.missing for pair in pairs)
    missing = missing_original + missing_perturbed
    left_out = 0 if by else compared.left_out
    notes = [
        paired.note,
        f"missing replies count as wrong: {missing:,}" if missing else "",
        f"{INCOMPLETE}: {left_out:,}" if left_out else "",
    ]
    return Effect(
        subset=compared.subset,
        by=by,
        value=value,
        original_condition=compared.original,
        perturbed_condition=compared.perturbed,
        paired=paired,
        p_holm=paired.p,
        missing_original=missing_original,
        missing_perturbed=missing_perturbed,
        unclear_original=sum(pair.original.unclear for pair in pairs),
        unclear_perturbed=sum(pair.perturbed.unclear for pair in pairs),
        clear=clear_of(original.astype(np.float64), perturbed.astype(np.float64), groups, not_clear),
        left_out=left_out,
        guessed=compared.guessed,
        note="; ".join(filter(None, notes)),
    )


def _corrected(some: Sequence[Effect]) -> list[Effect]:
    corrected = holm(np.array([effect.paired.p for effect in some]))
    clear = with_holm([effect.clear for effect in some])
    return [replace(effect, p_holm=float(p), clear=own) for effect, p, own in zip(some, corrected, clear, strict=True)]
