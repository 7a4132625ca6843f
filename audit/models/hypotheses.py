"""Every hypothesis of a family, tested on every model that answered it, and corrected for their number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isnan, nan, sqrt
from typing import Final, Literal, NamedTuple

import numpy as np
from scipy import stats

from hansproof.audit.models.hypothesis_records import (
    HypothesisReport,
    Pairs,
    Tested,
    Untested,
    about,
    count_pairs,
    replied,
)
from hansproof.audit.models.matching import changes_of, why_none
from hansproof.audit.notation import series_title
from hansproof.audit.replies.grid import Grid
from hansproof.audit.replies.joining import Joined
from hansproof.audit.replies.scorers import family_of, subset_of
from hansproof.audit.statistics.paired_tests import sign_flip_p
from hansproof.audit.statistics.power import ALPHA, pairs_needed, shift_found
from hansproof.generators.dataset import Expectation, Hypothesis
from hansproof.generators.errors import InputError, UsageError, unknown
from hansproof.generators.item import Item

__all__ = ["asked_hypotheses", "benjamini_hochberg", "examine_hypotheses"]

# McNemar's test as Jiang et al. (2024) use it, without a continuity correction. At 5 % it calls up to 8 % of fair coins
# a shift while n12 + n21 is between 11 and 30, so the exact p stands beside it.

EXACT = 10
"""With at most so many discordant pairs the p is that of the binomial distribution; with more, of the normal one."""

_SIDES: Final[dict[Expectation, Literal["greater", "less", "two-sided"]]] = {
    "better": "greater",
    "worse": "less",
    "either": "two-sided",
}


class ShiftTest(NamedTuple):
    """One test of one shift."""

    z: float
    """The sum of the shifts / sqrt(the sum of their squares), without a continuity correction: positive where the
    change helped. Of n12 and n21 discordant pairs (n21 - n12) / sqrt(n12 + n21). NaN without a shift, as all others."""
    p: float
    """One-sided in the expected direction, or two-sided where either is expected."""
    method: Literal["exact", "normal", ""]
    """Which distribution `p` is of; empty without one."""
    exact: float
    """The same p with all signs counted, however many shifts there are: of pairs, that of the binomial distribution."""


UNDEFINED: Final = ShiftTest(nan, nan, "", nan)
"""Of no shifts."""


def shift_test(shifts: Iterable[int], expects: Expectation) -> ShiftTest:
    """The test of `shifts`, n21 less n12, of independent pairs, or of clusters of pairs that may answer alike.

    Without an effect each is as likely as its opposite. Of pairs it is McNemar's test (1947). Of 487 pairs, 64 were
    right only before the change and 423 only after it; four pairs right only after the change are 1 in 16, and if they
    are two and two of a kind, 1 in 4:

    >>> round(shift_test([-1] * 64 + [1] * 423, "better").z, 6)
    16.267843
    >>> shift_test([1, 1, 1, 1], "better").p, shift_test([2, 2], "better").p
    (0.0625, 0.25)
    """
    sizes = np.array([shift for shift in shifts if shift], dtype=np.int64)
    if not len(sizes):
        return UNDEFINED
    z = int(sizes.sum()) / sqrt(int((sizes**2).sum()))
    exact = sign_flip_p(sizes.tolist(), _SIDES[expects])
    if len(sizes) <= EXACT:
        return ShiftTest(z, exact, "exact", exact)
    tail = {"better": z, "worse": -z, "either": abs(z)}[expects]
    return ShiftTest(z, float(stats.norm.sf(tail)) * (2 if expects == "either" else 1), "normal", exact)


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """The p-values after the step-up correction for the false discovery rate (Benjamini and Hochberg 1995); NaN stays
    NaN and does not count."""
    known = [value for value in p if not isnan(value)]
    corrected = iter(stats.false_discovery_control(np.array(known), method="bh").tolist() if known else ())
    return [value if isnan(value) else next(corrected) for value in p]


SHIFT = 0.05
"""The shift that power is stated for where none is given: five points of accuracy."""


def asked_hypotheses(
    items: Sequence[Item],
    names: Sequence[str] = (),
    expects: Expectation | None = None,
    styles: Sequence[str] | None = None,
    original_style: str = "",
) -> tuple[Hypothesis, ...]:
    """The hypotheses about these items that are called `names`, or all, without any test.

    They are those that the family declares. Of other items there is one for each subset and perturbed condition
    (`changes_of`), or, beside an `original_style`, for each subset and other one of the `styles` of the replies; what
    they expect is said by `expects`, and is a shift either way where it is None.

    Raises UsageError for items without matched conditions, an unknown hypothesis or style, and where a family says
    itself what is compared; InputError for no items, and for items of several releases or with the same id.
    """
    releases = list(dict.fromkeys((str(item.metadata["dataset"]), str(item.metadata["version"])) for item in items))
    if len(releases) != 1:
        raise InputError(f"{len(releases)} releases to test; test one at a time" if releases else "there are no items")
    if len({item.id for item in items}) < len(items):
        raise InputError("two items have the same id; give each subset's file once")
    family = family_of(items)
    if family is not None and family.hypotheses:
        if expects or original_style:
            option = "--expect" if expects else "--original-style"
            raise UsageError(f"{family.name} declares its hypotheses, which say what is compared and expected", option)
        every = family.hypotheses
    elif original_style and styles is None:
        return ()  # which there are is known with the replies
    else:
        every = _of_any(items, expects or "either", styles or (), original_style)
    declared = {hypothesis.name: hypothesis for hypothesis in every}
    for asked in names:
        if asked not in declared:
            raise unknown("hypothesis", asked, declared, within=releases[0][0])
    return tuple(declared[asked] for asked in dict.fromkeys(names or declared))


def _of_any(
    items: Sequence[Item], expects: Expectation, styles: Sequence[str], original_style: str
) -> tuple[Hypothesis, ...]:
    """The hypotheses of items that no family declares any for: one for each subset and change."""
    if original_style and original_style not in styles:
        raise unknown("style", original_style, styles, within="--original-style")
    changes = changes_of(items)
    if not any(changes.values()) and not original_style:
        raise UsageError(f"there is nothing to test: {why_none(items)}")
    others = [(original_style, style) for style in styles if style != original_style]
    return tuple(
        Hypothesis(
            name=": ".join(filter(None, (subset, change[1]))),
            statement=f"{change[0] or '(unnamed)'} becomes {change[1] or '(unnamed)'}.",
            subsets=(subset,),
            changes=(change,),
            expects=expects,
            styles=bool(original_style),
            # Only the original item of each group, so that no group counts twice.
            conditions=tuple(dict.fromkeys(first for first, _ in own)) if original_style else (),
        )
        for subset, own in changes.items()
        for change in (others if original_style else own)
    )


def examine_hypotheses(joined: Joined, chosen: Sequence[Hypothesis], shift: float = SHIFT) -> HypothesisReport:
    """Test the `chosen` hypotheses on replies that have found their items.

    Pairs of all subsets of a hypothesis count together. Each model, prompt style and change is a test of its own, and
    the p-values are corrected over all tests of the hypothesis. Right is what the grid calls right. Raises UsageError
    for a shift that is no share.
    """
    if not 0 < abs(shift) <= 1:
        raise UsageError(f"the shift must be a share above 0 and up to 1, not {shift}")
    grid = joined.grid
    every = [_tests(grid, hypothesis, shift) for hypothesis in chosen]
    outside = [not any(about(item, each) for each in chosen) for item in grid.items]
    return HypothesisReport(
        dataset=str(grid.items[0].metadata["dataset"]),
        version=str(grid.items[0].metadata["version"]),
        hypotheses=tuple(chosen),
        tests=tuple(tested for made, _ in every for tested in made),
        untested=tuple(untested for _, idle in every for untested in idle),
        shift=shift,
        lines=joined.read.replies,
        models=list(dict.fromkeys(series_title(each.model, run=each.run) for each in grid.series)),
        styles=list(dict.fromkeys(each.style for each in grid.series)),
        unused=int(replied(grid.outcomes[outside]).sum()),
        empty=joined.read.empty,
        unmatched=joined.read.unmatched,
        doubled=joined.read.doubled,
    )


def _tests(grid: Grid, hypothesis: Hypothesis, shift: float) -> tuple[list[Tested], list[Untested]]:
    made: list[Tested] = []
    idle: list[Untested] = []
    for change in hypothesis.changes:
        counted = count_pairs(grid, hypothesis, change)
        here = [_tested(hypothesis, change, pairs, shift) for pairs in counted]
        alone = [
            Untested(hypothesis.name, *change, tested.model, tested.style, "replies to one of the two only")
            for tested in here if not tested.pairs
        ]  # fmt: skip
        here = [tested for tested in here if tested.pairs]
        made += here
        idle += alone if here else [Untested(hypothesis.name, *change, None, None, _why_none(grid, hypothesis, change))]
    if not made and len({untested.reason for untested in idle}) == 1:
        idle = [replace(idle[0], before="", after="")]
    return _corrected(made), idle


def _corrected(tests: Sequence[Tested]) -> list[Tested]:
    """The tests with their corrected p-values, in the same order."""
    over_models = [nan] * len(tests)
    families: dict[tuple[str, str, str], list[int]] = {}
    for place, tested in enumerate(tests):
        families.setdefault((tested.before, tested.after, tested.style), []).append(place)
    for places in families.values():
        for place, p in zip(places, benjamini_hochberg([tests[place].p for place in places]), strict=True):
            over_models[place] = p
    over_all = benjamini_hochberg([tested.p for tested in tests])
    clustered = benjamini_hochberg([tested.p_clusters for tested in tests])
    return [
        replace(tested, p_bh=p, p_bh_all=p_all, supported=max(p_all, p_clusters) <= ALPHA, p_clusters_bh_all=p_clusters)
        for tested, p, p_all, p_clusters in zip(tests, over_models, over_all, clustered, strict=True)
    ]


def _tested(hypothesis: Hypothesis, change: tuple[str, str], counted: Pairs, shift: float) -> Tested:
    total = Counter[str]()
    for part in counted.parts:
        total.update({name: count for name, count in vars(part).items() if name != "subset"})
    both, before_only, after_only = total["both"], total["before_only"], total["after_only"]
    pairs = both + before_only + after_only + total["neither"]
    note = "" if counted.clear else "no pair has a clear reply to both"
    note = note or ("" if before_only + after_only else "no pair is right on one side only")
    moved = [-1] * before_only + [1] * after_only
    test, clustered = (UNDEFINED if note else shift_test(some, hypothesis.expects) for some in (moved, counted.shifts))
    discordant = (before_only + after_only) / pairs if pairs else nan
    two_sided = hypothesis.expects == "either"
    return Tested(
        hypothesis=hypothesis.name,
        before=change[0],
        after=change[1],
        model=counted.model,
        style=counted.style,
        pairs=pairs,
        both=both,
        before_only=before_only,
        after_only=after_only,
        neither=total["neither"],
        before_right=(both + before_only) / pairs if pairs else nan,
        after_right=(both + after_only) / pairs if pairs else nan,
        shift=(after_only - before_only) / pairs if pairs else nan,
        z=test.z,
        p=test.p,
        method=test.method,
        p_exact=test.exact,
        p_bh=nan,
        p_bh_all=nan,
        supported=False,
        clusters=counted.clusters,
        p_clusters=clustered.p,
        p_clusters_bh_all=nan,
        shift_found=shift_found(pairs, discordant, two_sided),
        pairs_needed=pairs_needed(shift, discordant, two_sided),
        unclear_before=total["unclear_before"],
        unclear_after=total["unclear_after"],
        left_out=total["left_out"],
        left_out_first=counted.left_out,
        unanswered=total["unanswered"],
        parts=counted.parts,
        note=note,
    )


def _why_none(grid: Grid, hypothesis: Hypothesis, change: tuple[str, str]) -> str:
    there = {subset_of(item) for item in grid.items}
    if not there & set(hypothesis.subsets):
        return f"none of its subsets is among the items: {', '.join(hypothesis.subsets)}"
    styles = {each.style for each in grid.series}
    if hypothesis.styles and (lacking := [style for style in change if style not in styles]):
        return f"it compares prompt styles, and no reply has the style {' or '.join(lacking)}"
    return "no model has replies to both sides of a pair"
