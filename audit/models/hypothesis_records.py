"""Matched pairs of replies before and after a change, and what tests of hypotheses came to, as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hansproof.audit.notation import series_title
from hansproof.audit.replies.account import Left
from hansproof.audit.replies.grid import MISSING, NOT_ASKED, RIGHT, UNCLEAR
from hansproof.audit.replies.joining import Joined
from hansproof.generators.dataset import Hypothesis
from hansproof.generators.item import Item

if TYPE_CHECKING:
    import polars

__all__ = [
    "MISSING",
    "HypothesisReport",
    "Outcomes",
    "Pairs",
    "Tested",
    "Untested",
    "about",
    "count_pairs",
    "outcomes_of",
]

# Replies of many models in many prompt styles, scored as they are read: memory holds a byte a reply, no texts.


@dataclass
class Outcomes:
    """What the replies of some files came to."""

    table: polars.DataFrame
    """One row per item, model and style: `item` (place among the items), `model`, `style` (places in the lists),
    `outcome` (RIGHT, WRONG or UNCLEAR), by model and style and then by item; nothing where there is no reply."""
    models: list[str]
    """Repetitions of a run are models of their own: `gpt, epoch 2`."""
    styles: list[str]
    """In the order of their first occurrence; the empty text where records name none."""
    lines: int
    """Replies read."""
    empty: int
    """Replies that are null."""
    unmatched: Left
    """Replies that belong to no item."""
    doubled: Left
    """Replies whose item, model and style an earlier one has: the first reply that is not null counts."""


def outcomes_of(joined: Joined) -> Outcomes:
    """The outcomes of replies that have found their items."""
    import polars

    series = joined.grid.series
    titles = [series_title(each.model, run=each.run) for each in series]
    models = list(dict.fromkeys(titles))
    styles = list(dict.fromkeys(each.style for each in series))
    columns: list[list[np.ndarray[tuple[int], np.dtype[np.int32]]]] = [[], [], [], []]
    for at, (each, title) in enumerate(zip(series, titles, strict=True)):
        codes = joined.grid.outcomes[:, at]
        places = np.flatnonzero((codes != MISSING) & (codes < NOT_ASKED))
        model, style = models.index(title), styles.index(each.style)
        values = places, np.full(len(places), model), np.full(len(places), style), codes[places]
        for column, value in zip(columns, values, strict=True):
            column.append(np.asarray(value, dtype=np.int32))
    named = zip(("item", "model", "style", "outcome"), columns, strict=True)
    table = polars.DataFrame({name: np.concatenate(column) for name, column in named})
    read = joined.read
    return Outcomes(table, models, styles, read.replies, read.empty, read.unmatched, read.doubled)


_LISTED: Final = 20
_BOTH_SIDES: Final = 2
"""The side of an item that is its own twin."""


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

    model: int
    style: int
    """The style of both replies; -1 where the change is one of styles."""
    parts: tuple[SubsetTable, ...]
    """By subset, in the order of the hypothesis, each that is among the items."""
    left_out: tuple[str, ...]
    """The first that are left out: groups, or ids where the change is one of styles."""
    clusters: int
    """Among the pairs."""
    shifts: tuple[int, ...]
    """n21 less n12 of each cluster, where it is not 0."""


def about(item: Item, hypothesis: Hypothesis) -> bool:
    """Whether replies to `item` count for some change of the hypothesis."""
    if item.metadata["subset"] not in hypothesis.subsets:
        return False
    if hypothesis.styles:
        return not hypothesis.conditions or item.condition in hypothesis.conditions
    return any(item.condition in change for change in hypothesis.changes)


def count_pairs(
    items: Sequence[Item], replies: Outcomes, hypothesis: Hypothesis, change: tuple[str, str]
) -> list[Pairs]:
    """The pairs of every model and style that has a reply on either side, in this order.

    A pair is an item of each condition in one group, or one item in each style. A reply that is null is none. A group
    with several items of one condition is no pair: it is left out.
    """
    import polars as pl

    units, known = _units(items, hypothesis, change)
    table = replies.table.join(known, on="item", how="inner")
    if hypothesis.styles:
        places = [replies.styles.index(name) if name in replies.styles else -1 for name in change]
        sides = [table.filter(pl.col("style") == place).with_columns(style=pl.lit(-1, pl.Int32)) for place in places]
    else:
        sides = [table.filter(pl.col("side") == side) for side in (0, 1)]
    keys = ["model", "style", "unit"]
    left, right = (side.group_by(keys, maintain_order=True).agg(pl.len(), pl.col("outcome").first()) for side in sides)
    joined = left.join(right, on=keys, how="full", coalesce=True, suffix="_after").join(units, on="unit")
    paired = (pl.col("len") == 1).fill_null(False) & (pl.col("len_after") == 1).fill_null(False)
    first, second = pl.col("outcome") == RIGHT, pl.col("outcome_after") == RIGHT
    shift = second.cast(pl.Int32) - first.cast(pl.Int32)

    def counted(which: pl.Expr) -> pl.Expr:
        return (paired & which).fill_null(False).sum()

    of_model = ["model", "style"]
    counts = joined.group_by([*of_model, "subset"]).agg(
        both=counted(first & second),
        before_only=counted(first & ~second),
        after_only=counted(~first & second),
        neither=counted(~first & ~second),
        unclear_before=counted(pl.col("outcome") == UNCLEAR),
        unclear_after=counted(pl.col("outcome_after") == UNCLEAR),
        left_out=(~paired).sum(),
        answered=pl.col("whole").sum(),
    )
    by_cluster = joined.filter(paired).group_by([*of_model, "cluster"]).agg(shift=shift.sum())
    clusters = by_cluster.group_by(of_model).agg(pl.len(), pl.col("shift").filter(pl.col("shift") != 0).sort())
    halves = joined.filter(~paired).sort("unit").group_by(of_model).agg(pl.col("name").head(_LISTED))
    whole = dict(units.group_by("subset").agg(pl.col("whole").sum()).rows())
    tables: dict[tuple[int, int, str], tuple[int, ...]] = {row[:3]: row[3:] for row in counts.rows()}
    shifts = {row[:2]: row[2:] for row in clusters.rows()}
    listed = {row[:2]: row[2] for row in halves.rows()}
    subsets = [subset for subset in hypothesis.subsets if subset in whole]
    made = []
    for model, style in sorted({key[:2] for key in tables}):
        rows = {subset: tables.get((model, style, subset), (0,) * 8) for subset in subsets}
        parts = tuple(SubsetTable(subset, *(*row[:-1], whole[subset] - row[-1])) for subset, row in rows.items())
        number, moved = shifts.get((model, style), (0, ()))
        made.append(Pairs(model, style, parts, tuple(listed.get((model, style), ())), number, tuple(moved)))
    return made


def _units(
    items: Sequence[Item], hypothesis: Hypothesis, change: tuple[str, str]
) -> tuple[polars.DataFrame, polars.DataFrame]:
    """What pairs are counted by (groups, or items where the change is one of styles), and the items in them.

    A unit is whole if a model that answers every item has a pair in it.
    """
    import polars as pl

    numbers: dict[tuple[str, str], int] = {}
    places: list[tuple[int, int, int]] = []
    clusters: list[str] = []
    for place, item in enumerate(items):
        if not about(item, hypothesis) or not (hypothesis.styles or item.condition in change):
            continue
        name = item.id if hypothesis.styles else item.group
        unit = numbers.setdefault((str(item.metadata["subset"]), name), len(numbers))
        if unit == len(clusters):
            clusters.append(str(next((item.metadata[key] for key in hypothesis.shared if key in item.metadata), name)))
        places.append((place, unit, _BOTH_SIDES if hypothesis.styles else change.index(item.condition)))
    known = pl.DataFrame(places, schema={"item": pl.Int32, "unit": pl.Int32, "side": pl.Int32}, orient="row")
    named = [(number, *key, cluster) for (key, number), cluster in zip(numbers.items(), clusters, strict=True)]
    schema = {"unit": pl.Int32, "subset": pl.String, "name": pl.String, "cluster": pl.String}
    units = pl.DataFrame(named, schema=schema, orient="row")
    once = [(pl.col("side") == side).sum() == 1 for side in ((_BOTH_SIDES,) if hypothesis.styles else (0, 1))]
    return units.join(known.group_by("unit").agg(whole=pl.all_horizontal(once)), on="unit"), known


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
    two-sided where either is expected."""
    method: str
    """`exact` or `normal`."""
    p_exact: float
    """The exact p, however many pairs are discordant."""
    p_bh: float
    """`p` after Benjamini and Hochberg's correction over the models, for one change and one style."""
    p_bh_all: float
    """The same over all tests of the hypothesis: every model, change and style."""
    supported: bool
    """Whether `p_bh_all` is at most .05: of hypotheses without any effect, at most 5 % have a supported test."""
    clusters: int
    """Sets of pairs with something in common (`Hypothesis.shared`: a story, a person); as many as pairs without it."""
    p_clusters: float
    """`p` if only clusters are independent, not the pairs of one; see `hypotheses.clustered_p`."""
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
