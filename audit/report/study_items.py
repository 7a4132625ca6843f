"""The analysis of items: the numbers of a benchmark, what is not said and why, and the items, the worst first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hansproof.audit.models.items import ItemAnalysis, ItemNumbers
from hansproof.audit.models.study import PageContents
from hansproof.audit.notation import count, interval, listed, one_line, signed, things
from hansproof.audit.notation import kappa as decimals
from hansproof.audit.report import terms, words
from hansproof.audit.report.document import (
    Cell,
    Column,
    Fold,
    Note,
    Part,
    ReportTable,
    Section,
    captioned,
    filled,
    per_cent,
    tabulated,
)
from hansproof.audit.report.document import listed as points
from hansproof.audit.report.score_rows import cells_at, paths
from hansproof.audit.result.shown import Rows

__all__ = ["benchmark_sentence", "item_rows", "items_section"]

_WORST: Final = 20
"""Items on the screen, and on a page before the others are unfolded."""
_MOST: Final = 500
"""Flagged items on a page; the CSV has all."""


def _known(value: float | None) -> str:
    return "" if value is None else decimals(value)


def _flagged(flags: Sequence[str]) -> Cell:
    """The worst flag, and below it the others."""
    return Cell(flags[0] if flags else "", "left", listed(*flags[1:]))


_COLUMNS: Final[tuple[Column[ItemNumbers], ...]] = (
    Column(terms.FLAGS, lambda item: _flagged(item.flags), holds="words", brief=True),
    Column(terms.RIGHT, lambda item: per_cent(item.right)),
    Column(terms.WRONG_GOLD, lambda item: _known(item.wrong_gold)),
    Column(terms.AMBIGUOUS, lambda item: _known(item.ambiguous), goes=0),
    Column(terms.DISCRIMINATION, lambda item: _known(item.discrimination), goes=1),
    Column(terms.SLOPE, lambda item: "" if item.slope is None else signed(item.slope, 1), goes=2),
    Column(terms.COMMON_WRONG, lambda item: one_line(item.common_wrong, 60), holds="text"),
)


def items_section(contents: PageContents) -> Section:
    """The benchmarks one after the other; empty without any."""
    return words.section("item-analysis", [part for each in contents.item_analyses for part in _parts(each, contents)])


def _parts(of: ItemAnalysis, contents: PageContents) -> Iterator[Part]:
    name = of.benchmark if len(contents.item_analyses) > 1 else ""
    yield from [Note(name, "heading")] if name else []
    yield tabulated("", Column("", holds="words"), [Column("", lambda pair: pair[1], holds="phrases")],
                    [(what, (what, said)) for what, said in _facts(of) if said])  # fmt: skip
    yield from points(words.sentence(f"{each}.") for each in of.refused)
    flagged = [item for item in of.rows if item.flags]
    if not flagged:
        yield Note("No item is flagged.", "lead")
        return
    prose = words.SECTIONS["item-analysis"]
    title = captioned("The worst items", name) or "The worst items"
    yield _table(title, flagged[:_WORST])
    yield Fold(prose["reasons"], points(f"{item.id}: {'; '.join(item.reasons)}" for item in flagged[:_WORST]))
    if flagged[_WORST:]:
        more = flagged[_WORST:_MOST]
        yield Fold(things(len(more), "more flagged item"), [_table("", more)])
    yield Note(prose["columns"], "about")


def _table(title: str, items: Sequence[ItemNumbers]) -> ReportTable:
    head = Column[ItemNumbers](terms.ITEM, holds="identifiers")
    return tabulated(title, head, filled(_COLUMNS, items), [(item.id, item) for item in items])


def _facts(of: ItemAnalysis) -> Iterable[tuple[str, str]]:
    """Name and text of each number of a benchmark; an empty text where it is not said."""
    worth = f" (worth {of.independent:.1f} independent ones)" if of.series - of.independent >= 0.1 else ""
    grouped = f" in {count(of.groups)} groups" if of.groups < of.items else ""
    styled = f" in {count(of.series)} styles and runs" if of.series > of.models else ""
    yield "Items", f"{count(of.items)}{grouped}, answered by {things(of.models, 'model')}{styled}{worth}"
    yield "Audit", of.audit
    yield "Flagged", listed(*(f"{flag} {count(many)}" for flag, many in of.flagged.items()))
    yield terms.SHARE_WRONG, "" if of.share_wrong is None else f"{per_cent(of.share_wrong)} % of the items"
    if of.reliability is not None:
        what = "KR-20" if of.groups == of.items else "alpha over groups"
        ends = interval(of.reliability.low, of.reliability.high)
        yield terms.RELIABILITY, f"{decimals(of.reliability.value)} {ends} ({what})"
    if of.detectable is not None:
        yield terms.DETECTABLE_DIFFERENCE, f"{per_cent(of.detectable)} points between neighbours"
    yield terms.EFFECTIVE_ITEMS, "" if of.effective_items is None else f"{of.effective_items:,.0f}"
    if of.subset is not None:
        tau = f"{decimals(of.subset.tau)} {interval(of.subset.low, of.subset.high)} on models that did not choose them"
        said = f"{count(of.subset.items)} items: tau {tau}; at random {decimals(of.subset.random_tau)}"
        yield terms.SMALLEST_SUBSET, said


def benchmark_sentence(of: ItemAnalysis) -> str:
    """What was found, in a sentence."""
    flagged = sum(1 for item in of.rows if item.flags)
    said = listed(*(f"{flag} {many:,}" for flag, many in of.flagged.items()))
    return f"{of.benchmark}: {flagged:,} of {of.items:,} items flagged{f': {said}' if said else ''}"


_ROWS: Final = paths("""
    gold right models discrimination difficulty slope slope_low slope_high
    wrong_gold ambiguous suspected common_wrong common_wrong_share probe probe_probability copy_of
""")


def item_rows(analyses: Sequence[ItemAnalysis]) -> Rows:
    """A row per item, the worst of each benchmark first; flags and reasons are joined by semicolons."""
    header = ["id", "flags", "reasons", "benchmark", *_ROWS]
    rows: list[list[str | float | None]] = [
        [item.id, "; ".join(item.flags), "; ".join(item.reasons), of.benchmark, *cells_at(item, _ROWS).values()]
        for of in analyses
        for item in of.rows
    ]
    return [header, *rows]
