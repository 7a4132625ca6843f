"""Matched pairs of replies: who was right before a change, and who after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from audit.responses.hypotheses.records import RIGHT, UNCLEAR, Outcomes
from generators.dataset import Hypothesis
from generators.item import Item

if TYPE_CHECKING:
    import polars

__all__ = ["Pairs", "SubsetTable", "about", "count_pairs"]

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
        parts = tuple(_part(subset, row, whole[subset]) for subset, row in rows.items())
        number, moved = shifts.get((model, style), (0, ()))
        made.append(Pairs(model, style, parts, tuple(listed.get((model, style), ())), number, tuple(moved)))
    return made


def _part(subset: str, row: Sequence[int], whole: int) -> SubsetTable:
    both, before_only, after_only, neither, unclear_before, unclear_after, left_out, answered = row
    return SubsetTable(
        subset, both, before_only, after_only, neither, unclear_before, unclear_after, left_out, whole - answered
    )


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
