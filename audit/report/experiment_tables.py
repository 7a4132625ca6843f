"""Experiments as tables: one definition of the columns for the screen, the page and CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan

from hansproof.audit.models.experiment import ArmResult
from hansproof.audit.notation import p_value, points, points_within
from hansproof.audit.report.study_tables import Cell, PageRow, PageTable
from hansproof.audit.report.terminal import Column, TextTable

__all__ = ["experiment_page_table", "experiment_rows", "experiment_table"]

_COLUMNS: tuple[tuple[str, Callable[[ArmResult], str]], ...] = (
    ("arm", lambda each: each.arm),
    ("items", lambda each: f"{each.items:,}"),
    ("whole", lambda each: points(each.whole.a)),
    ("in the arm", lambda each: points(each.whole.b)),
    ("by luck", lambda each: "" if each.goes_with else points(each.luck)),
    ("constant", lambda each: points(each.constant)),
    ("beyond luck", lambda each: "" if each.goes_with else _effect(each)),
    ("follows the word", lambda each: _effect(each) if each.goes_with else ""),
    ("Holm p", lambda each: "" if isnan(each.p_holm) else p_value(each.p_holm)),
    ("unclear", lambda each: f"{each.unclear:,}"),
)  # fmt: skip
"""Heading, and the text of a result; accuracies and differences in points, with 95 % intervals."""


def _effect(result: ArmResult) -> str:
    return points_within(result.effect.value, result.effect.low, result.effect.high, "+")


def _shown_columns(results: Sequence[ArmResult]) -> list[tuple[str, Callable[[ArmResult], str]]]:
    return [(name, text) for name, text in _COLUMNS if any(text(each) for each in results)]


def experiment_table(results: Sequence[ArmResult]) -> TextTable:
    """For the screen: a row per model and arm; columns that say nothing are left out."""
    columns = _shown_columns(results)
    table = TextTable(Column("model", "words"), *(Column(name, "phrases" if name == "arm" else "numbers")
                                                  for name, _ in columns))  # fmt: skip
    for each in results:
        table.row(each.title, *(text(each) for _, text in columns))
    return table


def experiment_page_table(results: Sequence[ArmResult]) -> PageTable:
    """The same for the page."""
    columns = _shown_columns(results)
    table = PageTable("The same model on the changed items, in percentage points [95 % interval]",
                      ["model", *(name for name, _ in columns)])  # fmt: skip
    for each in results:
        cells = [Cell(text(each), "left" if name == "arm" else "") for name, text in columns]
        table.rows.append(PageRow(each.title, cells))
    return table


def experiment_rows(results: Sequence[ArmResult]) -> list[list[str | float | None]]:
    """The header, and a row of numbers per model and arm; shares from 0 to 1, undefined ones blank."""
    header = "model style run arm items unclear whole in_arm constant luck effect low high p p_holm shown sentence"
    rows: list[list[str | float | None]] = [[*header.split()]]
    for each in results:
        effect = each.effect
        numbers = [
            each.whole.a, each.whole.b, each.constant, each.luck, effect.value, effect.low, effect.high, effect.p,
            each.p_holm,
        ]  # fmt: skip
        known = [None if isnan(number) else number for number in numbers]
        named: list[str | float | None] = [each.model, each.style, each.run, each.arm, each.items, each.unclear]
        rows.append([*named, *known, int(each.shown), each.sentence])
    return rows
