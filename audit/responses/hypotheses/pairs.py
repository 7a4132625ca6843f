"""Matched pairs of replies: who was right before a change, and who after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from audit.responses.hypotheses.records import MISSING, RIGHT, UNPARSED, Replies
from generators.hypothesis import Hypothesis
from generators.item import Item

if TYPE_CHECKING:
    import polars

__all__ = ["Counts", "count_pairs"]


class Counts(NamedTuple):
    """The contingency table of one change in one subset, for one model and style."""

    model: int
    style: int
    """The style of both replies; -1 where the change is one of styles."""
    subset: str
    both: int
    """Pairs with both answers right."""
    before_only: int
    """n12: right before the change alone."""
    after_only: int
    """n21: right after the change alone."""
    neither: int
    unparsed_before: int
    """Replies of these pairs that give no clear answer; they count as wrong."""
    unparsed_after: int
    left_out: int
    """Groups (for styles: items) with a reply to only one of the two."""


def count_pairs(
    items: Sequence[Item], replies: Replies, hypothesis: Hypothesis, change: tuple[str, str]
) -> list[Counts]:
    """One table per model, style and subset that has a reply on either side, in this order.

    A pair is an item of each condition in one group, or one item in each style. A reply that is null is none. A group
    with several items of one condition is no pair: it is left out.
    """
    import polars as pl

    before, after = change
    known = _known(items, hypothesis)
    table = replies.table.filter(pl.col("outcome") != MISSING).join(known, on="item", how="inner")
    if hypothesis.styles:
        places = [replies.styles.index(name) if name in replies.styles else -1 for name in change]
        sides = [table.filter(pl.col("style") == place).with_columns(style=pl.lit(-1, pl.Int32)) for place in places]
        keys = ["model", "style", "subset", "item"]
    else:
        sides = [table.filter(pl.col("condition") == condition) for condition in (before, after)]
        keys = ["model", "style", "subset", "group"]
    left, right = (side.group_by(keys, maintain_order=True).agg(pl.len(), pl.col("outcome").first()) for side in sides)
    joined = left.join(right, on=keys, how="full", coalesce=True, suffix="_after", maintain_order="left_right")
    paired = (pl.col("len") == 1).fill_null(False) & (pl.col("len_after") == 1).fill_null(False)
    first, second = pl.col("outcome") == RIGHT, pl.col("outcome_after") == RIGHT

    def counted(which: pl.Expr) -> pl.Expr:
        return (paired & which).fill_null(False).sum()

    counts = joined.group_by(["model", "style", "subset"], maintain_order=True).agg(
        both=counted(first & second),
        before_only=counted(first & ~second),
        after_only=counted(~first & second),
        neither=counted(~first & ~second),
        unparsed_before=counted(pl.col("outcome") == UNPARSED),
        unparsed_after=counted(pl.col("outcome_after") == UNPARSED),
        left_out=(~paired).sum(),
    )
    order = {name: place for place, name in enumerate(hypothesis.subsets)}
    rows = [Counts(*row) for row in counts.rows()]
    return sorted(rows, key=lambda row: (row.model, row.style, order[row.subset]))


def _known(items: Sequence[Item], hypothesis: Hypothesis) -> polars.DataFrame:
    """The items that the hypothesis is about: their place, subset, group and condition."""
    import polars as pl

    wanted = set(hypothesis.subsets)
    rows = [
        (place, str(item.metadata["subset"]), item.group, item.condition)
        for place, item in enumerate(items)
        if item.metadata["subset"] in wanted and (not hypothesis.conditions or item.condition in hypothesis.conditions)
    ]
    schema = {"item": pl.Int32, "subset": pl.String, "group": pl.String, "condition": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")
