"""A study by shortcut for the terminal: a sentence per benchmark, a row per pair, and the paper's table of families."""

from __future__ import annotations

from dataclasses import replace

from hansproof.audit.models.reliance.reliance_records import (
    FOLLOWS,
    ClusteredEstimate,
    ModelResult,
    PairResult,
    Reliance,
)
from hansproof.audit.notation import count, p_value, points_within
from hansproof.audit.report import terms
from hansproof.audit.report.document import Column, ReportTable, filled, sections, tabulated
from hansproof.audit.report.study_reliance import (
    CORRECTED,
    CORRECTED_CAPTION,
    FAMILIES,
    PAPER,
    Own,
    corrected,
    measured_on,
    not_clear,
    pair_columns,
    title,
)

__all__ = ["reliance_tables"]


def reliance_tables(study: Reliance) -> list[ReportTable]:
    """A row per pair, models whose wrong answers can be compared, and the paper's tables; empty tables are left out."""
    model: Column[Own] = Column("model", lambda own: title(own[0]), holds="phrases")
    tables = [
        _pairs(study),
        _models(study),
        tabulated(
            CORRECTED_CAPTION, "benchmark", [model, *CORRECTED], [(own[0].benchmark, own) for own in corrected(study)]
        ),
        tabulated(
            f"Families after {PAPER}: probe right less probe wrong, corrected by chance; one-sided paired t-test",
            "family",
            [*FAMILIES[:-1], replace(FAMILIES[-1], title="")],
            [(test.family, test) for test in study.families],
        ),
    ]
    return [table for table in tables if table.rows]


def _pairs(study: Reliance) -> ReportTable:
    lacking = filled([Column(terms.NOT_CLEAR, not_clear)], study.pairs)
    columns: list[Column[PairResult]] = [
        Column(terms.ITEMS, lambda pair: count(pair.items), goes=1),
        *lacking,
        *pair_columns(_with_ends),
    ]
    several = len(study.benchmarks) > 1
    unclear = "; unclear and missing replies count as wrong" if lacking else ""
    return tabulated(
        "Right answers in per cent where the probe is right, and where it is wrong; differences in points, with 95 % "
        f"intervals{unclear}",
        "model",
        columns,
        sections(study.pairs, lambda pair: pair.benchmark if several else "", title),
    )


def _models(study: Reliance) -> ReportTable:
    columns: list[Column[ModelResult]] = [
        Column("benchmarks", measured_on, goes=0),
        Column(terms.AGREEMENT, lambda model: _with_ends(model.errors), holds="words"),
        Column("Holm p", lambda model: p_value(model.p_holm)),
        Column("", lambda model: FOLLOWS if model.follows else "", holds="words"),
    ]
    heading = "Agreement in error over the benchmarks with a shortcut: points more than expected, with 95 % intervals"
    named = [(title(model), model) for model in study.models if model.errors.estimate is not None]
    return tabulated(heading, "model", columns, named)


def _with_ends(of: ClusteredEstimate) -> str:
    """`+3.1 [-1.0, 7.2]`; empty where it is undefined."""
    if of.estimate is None or of.low is None or of.high is None:
        return ""
    return points_within(of.estimate, of.low, of.high, "+")
