"""A study by shortcut for the terminal: a sentence per benchmark, a row per pair, and the paper's table of families."""

from __future__ import annotations

from hansproof.audit.models.reliance.reliance_records import FOLLOWS, ClusteredEstimate, Reliance
from hansproof.audit.notation import p_value, points, points_within
from hansproof.audit.report import terms
from hansproof.audit.report.study_reliance import PAPER, firsts, measured_on, not_clear, title
from hansproof.audit.report.terminal import Column, TextTable

__all__ = ["reliance_tables"]


def reliance_tables(study: Reliance) -> list[TextTable]:
    """A row per pair, models whose wrong answers can be compared, and the paper's tables; empty tables are left out."""
    tables = [_pairs(study), _models(study), _corrected(study), _families(study)]
    return [table for table in tables if table.rows]


def _pairs(study: Reliance) -> TextTable:
    unclear = any(map(not_clear, study.pairs))
    table = TextTable(
        Column("model", "phrases"), Column("items", goes=1), *([Column(terms.NOT_CLEAR.screen)] if unclear else []),
        Column(terms.PROBE_RIGHT.screen), Column(terms.PROBE_WRONG.screen),
        Column(terms.RAW.name, "words"), Column(terms.AT_EQUAL_GOLD.screen, "words"),
        title="Right answers in per cent where the probe is right, and where it is wrong; differences in points, "
        "with 95 % intervals" + ("; unclear and missing replies count as wrong" if unclear else ""),
    )  # fmt: skip
    several = len(study.benchmarks) > 1
    for pair, first in firsts(study.pairs):
        if first and several:
            table.section()
            table.row(pair.benchmark, *[""] * (len(table.columns) - 1))
        table.row(
            f"  {title(pair)}" if several else title(pair), f"{pair.items:,}", *([not_clear(pair)] if unclear else []),
            _points(pair.on_right.share), _points(pair.on_wrong.share), _with_ends(pair.raw),
            _with_ends(pair.equal_gold),
        )  # fmt: skip
    return table


def _models(study: Reliance) -> TextTable:
    table = TextTable(
        Column("model", "phrases"), Column("benchmarks", goes=0), Column(terms.AGREEMENT.screen, "words"),
        Column(terms.HOLM_P.name), Column("", "words"),
        title="Agreement in error over the benchmarks with a shortcut: points more than expected, with 95 % intervals",
    )  # fmt: skip
    for model in study.models:
        if model.errors.estimate is not None:
            table.row(
                title(model), measured_on(model), _with_ends(model.errors), p_value(model.p_holm),
                FOLLOWS if model.follows else "",
            )  # fmt: skip
    return table


def _corrected(study: Reliance) -> TextTable:
    table = TextTable(
        Column("benchmark", "phrases"), Column("model", "phrases"), Column(terms.CORRECTED.screen),
        Column(terms.PROBE_RIGHT.screen), Column(terms.PROBE_WRONG.screen), Column("difference"),
        title=f"Accuracies corrected by uniform chance, in per cent, after {PAPER}",
    )  # fmt: skip
    for pair in study.pairs:
        if (own := pair.corrected) is not None:
            shares = map(_points, (own.accuracy, own.on_right, own.on_wrong))
            table.row(pair.benchmark, title(pair), *shares, _points(own.difference, "+"))
    return table


def _families(study: Reliance) -> TextTable:
    table = TextTable(
        Column("family", "phrases"), Column(terms.PAIRS.screen), Column(terms.MEAN_DIFFERENCE.screen), Column("t"),
        Column("p"), Column(terms.BH_P.screen), Column("", "phrases", goes=0),
        title=f"Families after {PAPER}: probe right less probe wrong, corrected by chance; one-sided paired t-test",
    )  # fmt: skip
    for test in study.families:
        table.row(
            test.family, f"{test.pairs:,}", _points(test.mean, "+"), "" if test.t is None else f"{test.t:.2f}",
            p_value(test.p), p_value(test.p_bh), test.warning,
        )  # fmt: skip
    return table


def _points(value: float | None, sign: str = "") -> str:
    return "" if value is None else points(value, sign)


def _with_ends(of: ClusteredEstimate) -> str:
    """`+3.1 [-1.0, 7.2]`; empty where it is undefined."""
    if of.estimate is None or of.low is None or of.high is None:
        return ""
    return points_within(of.estimate, of.low, of.high, "+")
