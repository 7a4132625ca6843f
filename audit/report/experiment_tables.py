"""Experiments as tables: one definition of the columns for the screen and the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hansproof.audit.models.experiment import ArmResult
from hansproof.audit.notation import count, p_value, points, points_within
from hansproof.audit.report import terms
from hansproof.audit.report.columns import Field, filled, page_table, text_table
from hansproof.audit.report.study_tables import PageTable
from hansproof.audit.report.terminal import TextTable
from hansproof.audit.report.terms import Term

__all__ = ["experiment_page_table", "experiment_table"]

_COLUMNS: Final[tuple[Field[ArmResult], ...]] = (
    Field(Term("arm"), lambda each: each.arm, holds="phrases"),
    Field(terms.ITEMS, lambda each: count(each.items)),
    Field(Term("whole"), lambda each: points(each.whole.a)),
    Field(Term("in the arm"), lambda each: points(each.whole.b)),
    Field(Term("by luck"), lambda each: "" if each.goes_with else points(each.luck)),
    Field(Term("constant"), lambda each: points(each.constant)),
    Field(Term("beyond luck"), lambda each: "" if each.goes_with else _effect(each)),
    Field(Term("follows the word"), lambda each: _effect(each) if each.goes_with else ""),
    Field(Term(terms.HOLM_P.name), lambda each: p_value(each.p_holm)),
    Field(terms.UNCLEAR, lambda each: count(each.unclear)),
)
"""Accuracies and differences in points, with 95 % intervals; columns that say nothing are left out."""


def _effect(result: ArmResult) -> str:
    return points_within(result.effect.value, result.effect.low, result.effect.high, "+")


def experiment_table(results: Sequence[ArmResult]) -> TextTable:
    """For the screen: a row per model and arm."""
    return text_table("", "model", filled(_COLUMNS, results), [(each.title, each) for each in results])


def experiment_page_table(results: Sequence[ArmResult]) -> PageTable:
    """The same for the page."""
    caption = "The same model on the changed items, in percentage points [95 % interval]"
    return page_table(caption, "Model", filled(_COLUMNS, results), [(each.title, each) for each in results])
