"""Every hypothesis of a family, tested on every model that answered it, and corrected for their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import isnan, nan, sqrt
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hansproof.audit.models.matching import Codes, Ints, changes_of, matched_by, why_none
from hansproof.audit.notation import series_title
from hansproof.audit.replies.grid import NOT_ASKED, RIGHT, UNCLEAR, WRONG, Grid
from hansproof.audit.replies.joining import Joined, Left
from hansproof.audit.replies.scorers import family_of, subset_of
from hansproof.audit.statistics.paired_tests import sign_flip_p
from hansproof.audit.statistics.power import ALPHA, pairs_needed, shift_found
from hansproof.generators.dataset import Expectation, Hypothesis, base_of
from hansproof.generators.errors import InputError, UsageError, unknown
from hansproof.generators.item import Item

__all__ = [
    "HypothesisReport",
    "SubsetTable",
    "Tested",
    "Untested",
    "asked_hypotheses",
    "benjamini_hochberg",
    "examine_hypotheses",
]


@dataclass(frozen=True)
class SubsetTable:
    """The contingency table of one subset, and what is not in it."""

    subset: str
    both: int
    """Pairs with both answers right."""
    before_only: int
    """n12: right before the change alone."""
    after_only: int
    """n21: right after the change alone."""
    neither: int
    unclear_before: int
    """Replies of these pairs that give no clear answer; they count as wrong."""
    unclear_after: int
    left_out: int
    """Groups (for styles: items) with a reply to only one of the two, or with several items for one of the two."""
    unanswered: int
    """Pairs among the items with no reply to either."""


@dataclass(frozen=True)
class Tested:
    """One change, one model, one prompt style: the contingency table, the test and its power."""

    hypothesis: str
    before: str
    """The condition or the style before the change."""
    after: str
    model: str
    style: str
    """The style of both replies; empty where none is named, and where the change is one of styles."""
    pairs: int
    both: int
    """Pairs with both answers right."""
    before_only: int
    """n12: only the answer before the change is right."""
    after_only: int
    """n21: only the answer after the change is right."""
    neither: int
    before_right: float
    """Share of the pairs that are right before the change."""
    after_right: float
    shift: float
    """The second less the first: positive where the change helps."""
    z: float
    """(n21 - n12) / sqrt(n12 + n21), no continuity correction; NaN without discordant pairs."""
    p: float
    """Exact with at most ten discordant pairs, else of the normal distribution; one-sided in the expected direction,
    two-sided where either is expected. NaN where `note` says why."""
    method: str
    """`exact` or `normal`; empty where there is no p."""
    p_exact: float
    """The exact p, however many pairs are discordant."""
    p_bh: float
    """`p` after Benjamini and Hochberg's correction over the models, for one change and one style."""
    p_bh_all: float
    """The same over all tests of the hypothesis: every model, change and style."""
    supported: bool
    """Whether `p_bh_all` and `p_clusters_bh_all` are at most .05: of hypotheses without any effect, at most 5 % have a
    supported test, also where pairs with something in common answer alike."""
    clusters: int
    """Sets of pairs with something in common (`Hypothesis.shared`: a story, a person); as many as pairs without it."""
    p_clusters: float
    """`p` if only clusters are independent, not the pairs of one; see `hypotheses.shift_test`."""
    p_clusters_bh_all: float
    shift_found: float
    """The smallest shift that so many pairs find with about 80 % power, before the correction; NaN where none is."""
    pairs_needed: float
    """Pairs that find the stated shift with about 80 % power, before the correction."""
    unclear_before: int
    unclear_after: int
    """Replies without a clear answer among the pairs; they count as wrong."""
    left_out: int
    """Groups (for styles: items) with a reply to one of the two only, or with several items for one of the two."""
    left_out_first: tuple[str, ...]
    """The first of them."""
    unanswered: int
    """Pairs among the items of which the model has no reply at all in this style."""
    parts: tuple[SubsetTable, ...]
    """The same table for each subset."""
    note: str
    """Why there is no p; empty where there is one."""


@dataclass(frozen=True)
class Untested:
    """What was not tested: a hypothesis, one of its changes, or one model and style of it."""

    hypothesis: str
    before: str
    """Empty, like `after`, where it is about all changes."""
    after: str
    model: str | None
    """None, like `style`, where it is about all models."""
    style: str | None
    reason: str


@dataclass(frozen=True)
class HypothesisReport:
    """All tests of a file of replies."""

    dataset: str
    version: str
    hypotheses: tuple[Hypothesis, ...]
    """Those that were asked for, tested or not."""
    tests: tuple[Tested, ...]
    """By hypothesis, change, model and style."""
    untested: tuple[Untested, ...]
    shift: float
    """The shift that `pairs_needed` is about, a share."""
    lines: int
    """Records of the file."""
    models: list[str]
    styles: list[str]
    unused: int
    """Replies to items that none of `hypotheses` is about."""
    empty: int
    """Replies that are null: they count as no reply."""
    unmatched: Left
    doubled: Left

    def record(self) -> dict[str, Any]:
        """The report as a JSON object in which undefined numbers are still NaN."""
        return asdict(self)


Bools = NDArray[np.bool_]

_LISTED: Final = 20
"""Units left out that a test names."""

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
    outside = [not any(_about(item, each) for each in chosen) for item in grid.items]
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
        unused=int(_replied(grid.outcomes[outside]).sum()),
        empty=joined.read.empty,
        unmatched=joined.read.unmatched,
        doubled=joined.read.doubled,
    )


def _tests(grid: Grid, hypothesis: Hypothesis, shift: float) -> tuple[list[Tested], list[Untested]]:
    made: list[Tested] = []
    idle: list[Untested] = []
    for change in hypothesis.changes:
        units = _Units(grid.items, hypothesis, change)
        counted = [_tested(units, *both, shift) for both in _both_sides(grid, hypothesis, change)]
        # A model without a reply on either side was asked something else.
        here = [tested for tested in counted if tested.pairs + tested.left_out]
        if not any(tested.pairs for tested in here):
            idle.append(Untested(hypothesis.name, *change, None, None, _why_none(grid, hypothesis, change)))
            continue
        made += [tested for tested in here if tested.pairs]
        idle += [
            Untested(hypothesis.name, *change, tested.model, tested.style, "replies to one of the two only")
            for tested in here if not tested.pairs
        ]  # fmt: skip
    if not made and len({untested.reason for untested in idle}) == 1:
        idle = [replace(idle[0], before="", after="")]
    return _corrected(made), idle


def _about(item: Item, hypothesis: Hypothesis) -> bool:
    """Whether replies to `item` count for some change of the hypothesis."""
    if base_of(subset_of(item)) not in hypothesis.subsets:
        return False
    if hypothesis.styles:
        return not hypothesis.conditions or item.condition in hypothesis.conditions
    return any(item.condition in change for change in hypothesis.changes)


def _replied(codes: Codes) -> Bools:
    """Where `codes` of a grid are those of replies: one that is null, or skipped, is none."""
    return np.isin(codes, (RIGHT, WRONG, UNCLEAR))


class _Units:
    """What pairs are counted by: groups of matched items, or items where the change is one of styles.

    A pair is an item of each condition in one group, or one item in each style. A group with replies to several items
    of one condition is no pair: it is left out.
    """

    def __init__(self, items: Sequence[Item], hypothesis: Hypothesis, change: tuple[str, str]) -> None:
        self.hypothesis, self.change = hypothesis, change
        numbers: dict[tuple[str, str], int] = {}
        clusters: dict[str, int] = {}
        cluster: list[int] = []
        rows: list[tuple[int, int, int]] = []
        for place, item in enumerate(items):
            if not _about(item, hypothesis) or not (hypothesis.styles or item.condition in change):
                continue
            key = subset_of(item), item.id if hypothesis.styles else matched_by(item)
            unit = numbers.setdefault(key, len(numbers))
            if unit == len(cluster):
                shared = next((item.metadata[name] for name in hypothesis.shared if name in item.metadata), item.group)
                cluster.append(clusters.setdefault(str(shared), len(clusters)))
            rows += [(place, unit, side) for side in (0, 1) if hypothesis.styles or change[side] == item.condition]
        self.place, self.unit, self.side = np.array(rows, dtype=np.int64).reshape(-1, 3).T
        self.names = [name for _, name in numbers]
        self.cluster = np.array(cluster, dtype=np.int64)
        there = {subset for subset, _ in numbers}
        self.subsets = [subset for subset in hypothesis.subsets if subset in there]
        self.subset = np.array([self.subsets.index(subset) for subset, _ in numbers], dtype=np.int64)
        self.whole = (self.counts(np.ones(len(rows), dtype=np.bool_)) == 1).all(axis=0)
        """(U,): whether a model that answers every item has a pair there."""

    def counts(self, rows: Bools) -> Ints:
        """(2, U): how many of some `rows` there are on each side of each unit."""
        sides = 2 * self.unit[rows] + self.side[rows]
        return np.bincount(sides, minlength=2 * len(self.names)).reshape(-1, 2).T


def _both_sides(
    grid: Grid, hypothesis: Hypothesis, change: tuple[str, str]
) -> Iterator[tuple[str, str, tuple[Codes, Codes]]]:
    """Each model (repetitions of a run are models of their own: `gpt, epoch 2`), the style of both replies, empty where
    the change is one of styles, and the columns before and after it."""
    columns: dict[str, dict[str, Codes]] = {}
    none = np.full(len(grid.items), NOT_ASKED, dtype=np.int8)
    order = list(dict.fromkeys(each.style for each in grid.series))
    for at, each in enumerate(grid.series):
        columns.setdefault(series_title(each.model, run=each.run), {})[each.style] = grid.outcomes[:, at]
    for model, by_style in columns.items():
        if hypothesis.styles:
            yield model, "", (by_style.get(change[0], none), by_style.get(change[1], none))
        else:
            yield from ((model, style, (by_style[style],) * 2) for style in order if style in by_style)


def _corrected(tests: Sequence[Tested]) -> list[Tested]:
    """The tests with their corrected p-values, in the same order."""
    families: dict[tuple[str, str, str], list[int]] = {}
    for place, tested in enumerate(tests):
        families.setdefault((tested.before, tested.after, tested.style), []).append(place)
    over_models: dict[int, float] = {}
    for places in families.values():
        over_models |= zip(places, benjamini_hochberg([tests[place].p for place in places]), strict=True)
    over_all = benjamini_hochberg([tested.p for tested in tests])
    clustered = benjamini_hochberg([tested.p_clusters for tested in tests])
    return [
        replace(tested, p_bh=over_models[place], p_bh_all=p, supported=max(p, q) <= ALPHA, p_clusters_bh_all=q)
        for place, (tested, p, q) in enumerate(zip(tests, over_all, clustered, strict=True))
    ]


def _tested(units: _Units, model: str, style: str, columns: tuple[Codes, Codes], shift: float) -> Tested:
    said, hypothesis = np.stack(columns)[units.side, units.place], units.hypothesis
    replies, right, unclear = (units.counts(which) for which in (_replied(said), said == RIGHT, said == UNCLEAR))
    paired, asked = (replies == 1).all(axis=0), replies.any(axis=0)
    (first, second), (unclear_first, unclear_second) = right > 0, unclear > 0
    kinds = {
        "both": paired & first & second,
        "before_only": paired & first & ~second,
        "after_only": paired & ~first & second,
        "neither": paired & ~first & ~second,
        "unclear_before": paired & unclear_first,
        "unclear_after": paired & unclear_second,
        "left_out": asked & ~paired,
        "unanswered": units.whole & ~asked,
    }
    total = {kind: int(which.sum()) for kind, which in kinds.items()}
    table = [np.bincount(units.subset[which], minlength=len(units.subsets)).tolist() for which in kinds.values()]
    pairs = int(paired.sum())
    both, before_only, after_only = total["both"], total["before_only"], total["after_only"]
    note = "" if (paired & ~unclear_first & ~unclear_second).any() else "no pair has a clear reply to both"
    note = note or ("" if before_only + after_only else "no pair is right on one side only")
    held = units.cluster[paired]
    moved = np.bincount(held, weights=second[paired].astype(np.float64) - first[paired]).astype(np.int64)
    pairwise = [-1] * before_only + [1] * after_only
    test, clustered = (
        UNDEFINED if note else shift_test(some, hypothesis.expects) for some in (pairwise, moved.tolist())
    )
    discordant = (before_only + after_only) / pairs if pairs else nan
    two_sided = hypothesis.expects == "either"
    return Tested(
        hypothesis=hypothesis.name,
        before=units.change[0],
        after=units.change[1],
        model=model,
        style=style,
        pairs=pairs,
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
        clusters=len(np.unique(held)),
        p_clusters=clustered.p,
        p_clusters_bh_all=nan,
        shift_found=shift_found(pairs, discordant, two_sided),
        pairs_needed=pairs_needed(shift, discordant, two_sided),
        left_out_first=tuple(units.names[place] for place in np.flatnonzero(kinds["left_out"])[:_LISTED]),
        parts=tuple(SubsetTable(name, *row) for name, *row in zip(units.subsets, *table, strict=True)),
        note=note,
        **total,
    )


def _why_none(grid: Grid, hypothesis: Hypothesis, change: tuple[str, str]) -> str:
    there = {base_of(subset_of(item)) for item in grid.items}
    if not there & set(hypothesis.subsets):
        return f"none of its subsets is among the items: {', '.join(hypothesis.subsets)}"
    styles = {each.style for each in grid.series}
    if hypothesis.styles and (lacking := [style for style in change if style not in styles]):
        return f"it compares prompt styles, and no reply has the style {' or '.join(lacking)}"
    return "no model has replies to both sides of a pair"
