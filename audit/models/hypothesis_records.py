"""Matched pairs of replies before and after a change, and what tests of hypotheses came to, as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.matching import matched_by
from hansproof.audit.notation import series_title
from hansproof.audit.replies.account import Left
from hansproof.audit.replies.grid import NOT_ASKED, RIGHT, UNCLEAR, WRONG, Grid
from hansproof.audit.replies.scorers import subset_of
from hansproof.generators.dataset import Hypothesis
from hansproof.generators.item import Item

__all__ = ["HypothesisReport", "Pairs", "SubsetTable", "Tested", "Untested", "about", "count_pairs", "replied"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_LISTED: Final = 20


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


class Pairs(NamedTuple):
    """The pairs of one change, for one model and style."""

    model: str
    """Repetitions of a run are models of their own: `gpt, epoch 2`."""
    style: str
    """The style of both replies; empty where the change is one of styles."""
    parts: tuple[SubsetTable, ...]
    """By subset, in the order of the hypothesis, each that is among the items."""
    left_out: tuple[str, ...]
    """The first that are left out: groups, or ids where the change is one of styles."""
    clear: int
    """Pairs with a clear reply to both."""
    clusters: int
    """Among the pairs."""
    shifts: tuple[int, ...]
    """n21 less n12 of each cluster, where it is not 0."""


def about(item: Item, hypothesis: Hypothesis) -> bool:
    """Whether replies to `item` count for some change of the hypothesis."""
    if subset_of(item) not in hypothesis.subsets:
        return False
    if hypothesis.styles:
        return not hypothesis.conditions or item.condition in hypothesis.conditions
    return any(item.condition in change for change in hypothesis.changes)


def replied(codes: NDArray[np.int8]) -> Bools:
    """Where `codes` of a grid are those of replies: one that is null, or skipped, is none."""
    return np.isin(codes, (RIGHT, WRONG, UNCLEAR))


class _Side(NamedTuple):
    """Replies of one model on one side of a change, unit by unit."""

    replies: Ints
    right: Bools
    """Of units with one reply."""
    unclear: Bools


class _Units:
    """What pairs are counted by: groups of matched items, or items where the change is one of styles."""

    def __init__(self, items: Sequence[Item], hypothesis: Hypothesis, change: tuple[str, str]) -> None:
        self.styles = hypothesis.styles
        numbers: dict[tuple[str, str], int] = {}
        clusters: dict[str, int] = {}
        cluster: list[int] = []
        rows: list[tuple[int, int, int]] = []
        for place, item in enumerate(items):
            if not about(item, hypothesis) or not (self.styles or item.condition in change):
                continue
            key = subset_of(item), item.id if self.styles else matched_by(item)
            unit = numbers.setdefault(key, len(numbers))
            if unit == len(cluster):
                shared = next((item.metadata[name] for name in hypothesis.shared if name in item.metadata), item.group)
                cluster.append(clusters.setdefault(str(shared), len(clusters)))
            rows.append((place, unit, 0 if self.styles else change.index(item.condition)))
        self.place, self.unit, self.side = np.array(rows, dtype=np.int64).reshape(-1, 3).T
        self.names = [name for _, name in numbers]
        self.cluster = np.array(cluster, dtype=np.int64)
        there = {subset for subset, _ in numbers}
        self.subsets = [subset for subset in hypothesis.subsets if subset in there]
        self.subset = np.array([self.subsets.index(subset) for subset, _ in numbers], dtype=np.int64)
        sides = (0,) if self.styles else (0, 1)
        self.whole = np.all([np.bincount(self.unit[self.side == side], minlength=len(cluster)) == 1 for side in sides],
                            axis=0)  # fmt: skip
        """(U,): whether a model that answers every item has a pair there."""

    def side_of(self, codes: NDArray[np.int8], side: int) -> _Side:
        """The replies with these `codes` (N,) on a `side`."""
        said = codes[self.place]
        own = replied(said) & (self.styles | (self.side == side))
        replies, right, unclear = (
            np.bincount(self.unit[own & kind], minlength=len(self.names))
            for kind in (own, said == RIGHT, said == UNCLEAR)
        )
        return _Side(replies, right > 0, unclear > 0)


def count_pairs(grid: Grid, hypothesis: Hypothesis, change: tuple[str, str]) -> list[Pairs]:
    """The pairs of every model and style that has a reply on either side, by model and then by style.

    A pair is an item of each condition in one group, or one item in each style. A group with replies to several items
    of one condition is no pair: it is left out.
    """
    units = _Units(grid.items, hypothesis, change)
    return [
        _pairs(units, model, style, first, second)
        for model, style, first, second in _both_sides(grid, units, change)
        if (first.replies + second.replies).any()
    ]


def _both_sides(grid: Grid, units: _Units, change: tuple[str, str]) -> Iterator[tuple[str, str, _Side, _Side]]:
    columns: dict[str, dict[str, NDArray[np.int8]]] = {}
    none = np.full(len(grid.items), NOT_ASKED, dtype=np.int8)
    order = list(dict.fromkeys(each.style for each in grid.series))
    for at, each in enumerate(grid.series):
        columns.setdefault(series_title(each.model, run=each.run), {})[each.style] = grid.outcomes[:, at]
    for model, by_style in columns.items():
        if units.styles:
            before, after = (by_style.get(style, none) for style in change)
            yield model, "", units.side_of(before, 0), units.side_of(after, 1)
        else:
            for style in sorted(by_style, key=order.index):
                yield model, style, units.side_of(by_style[style], 0), units.side_of(by_style[style], 1)


def _pairs(units: _Units, model: str, style: str, first: _Side, second: _Side) -> Pairs:
    paired = (first.replies == 1) & (second.replies == 1)
    asked = (first.replies + second.replies) > 0

    def by_subset(which: Bools) -> list[int]:
        counts: list[int] = np.bincount(units.subset[which], minlength=len(units.subsets)).tolist()
        return counts

    columns = (
        paired & first.right & second.right,
        paired & first.right & ~second.right,
        paired & ~first.right & second.right,
        paired & ~first.right & ~second.right,
        paired & first.unclear,
        paired & second.unclear,
        asked & ~paired,
        units.whole & ~asked,
    )
    shift = second.right[paired].astype(np.int64) - first.right[paired]
    held = units.cluster[paired]
    shifts = np.bincount(held, weights=shift).astype(np.int64)
    return Pairs(
        model=model,
        style=style,
        parts=tuple(
            SubsetTable(name, *row) for name, *row in zip(units.subsets, *map(by_subset, columns), strict=True)
        ),
        left_out=tuple(units.names[place] for place in np.flatnonzero(asked & ~paired)[:_LISTED]),
        clear=int((paired & ~first.unclear & ~second.unclear).sum()),
        clusters=len(np.unique(held)),
        shifts=tuple(sorted(shifts[shifts != 0].tolist())),
    )


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
