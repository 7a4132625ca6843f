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
from hansproof.audit.report.columns import Field, filled, sections, text_table
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
from hansproof.audit.report.terminal import TextTable
from hansproof.audit.report.terms import Term

__all__ = ["reliance_tables"]


def reliance_tables(study: Reliance) -> list[TextTable]:
    """A row per pair, models whose wrong answers can be compared, and the paper's tables; empty tables are left out."""
    model: Field[Own] = Field(Term("model"), lambda own: title(own[0]), holds="phrases")
    tables = [
        _pairs(study),
        _models(study),
        text_table(
            CORRECTED_CAPTION, "benchmark", [model, *CORRECTED], [(own[0].benchmark, own) for own in corrected(study)]
        ),
        text_table(
            f"Families after {PAPER}: probe right less probe wrong, corrected by chance; one-sided paired t-test",
            "family",
            [*FAMILIES[:-1], replace(FAMILIES[-1], term=Term(""))],
            [(test.family, test) for test in study.families],
        ),
    ]
    return [table for table in tables if table.rows]


def _pairs(study: Reliance) -> TextTable:
    lacking = filled([Field(terms.NOT_CLEAR, not_clear)], study.pairs)
    columns: list[Field[PairResult]] = [
        Field(terms.ITEMS, lambda pair: count(pair.items), goes=1),
        *lacking,
        *pair_columns(_with_ends),
    ]
    several = len(study.benchmarks) > 1
    unclear = "; unclear and missing replies count as wrong" if lacking else ""
    return text_table(
        "Right answers in per cent where the probe is right, and where it is wrong; differences in points, with 95 % "
        f"intervals{unclear}",
        "model",
        columns,
        sections(study.pairs, lambda pair: pair.benchmark if several else "", title),
    )


def _models(study: Reliance) -> TextTable:
    columns: list[Field[ModelResult]] = [
        Field(Term("benchmarks"), measured_on, goes=0),
        Field(terms.AGREEMENT, lambda model: _with_ends(model.errors), holds="words"),
        Field(Term(terms.HOLM_P.name), lambda model: p_value(model.p_holm)),
        Field(Term(""), lambda model: FOLLOWS if model.follows else "", holds="words"),
    ]
    heading = "Agreement in error over the benchmarks with a shortcut: points more than expected, with 95 % intervals"
    named = [(title(model), model) for model in study.models if model.errors.estimate is not None]
    return text_table(heading, "model", columns, named)


def _with_ends(of: ClusteredEstimate) -> str:
    """`+3.1 [-1.0, 7.2]`; empty where it is undefined."""
    if of.estimate is None or of.low is None or of.high is None:
        return ""
    return points_within(of.estimate, of.low, of.high, "+")
