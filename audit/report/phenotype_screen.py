"""Phenotypes in the terminal: a row per metric, pairs of participants, comparisons across models."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from hansproof.audit import notation
from hansproof.audit.notation import things
from hansproof.audit.phenotype.measuring import MetricDifference
from hansproof.audit.phenotype.model_table import Coefficient, Components, Regression
from hansproof.audit.phenotype.result import MetricValue, Phenotype
from hansproof.audit.report import phenotype_words
from hansproof.audit.report.document import Column, ReportTable, sections, tabulated
from hansproof.audit.report.terminal import Ink

__all__ = ["METHOD", "pairs", "show", "show_components", "show_differences", "show_regression"]


def show(phenotype: Phenotype, ink: Ink) -> None:
    """Print the table of the sixteen metrics, then that of the variants, then the notes."""
    title = phenotype_words.heading([phenotype]) + (" (analysis as published)" if phenotype.as_published else "")
    ink.table(_table(phenotype.profile, title))
    ink.blank()
    if phenotype.variants and any(metric.value is not None for metric in phenotype.variants):
        ink.table(_table([metric for metric in phenotype.variants if metric.value is not None], "Variants"))
        ink.blank()
    ink.line(f"standardised: {phenotype_words.AXIS}; 95 % bootstrap confidence intervals over runs", "dim")
    ink.line(phenotype_words.STYLE, "dim")
    ink.line(phenotype_words.references(phenotype), "dim")
    for said in (phenotype_words.gaps, phenotype_words.cautions, phenotype_words.notes):
        for sentence in said(phenotype):
            ink.item(sentence)
    played = ", ".join(f"{task.task} {things(task.runs, 'run')}" for task in phenotype.tasks)
    ink.line(f"measured (a run is one finished episode): {played}", "dim")


_METRICS: Final[tuple[Column[MetricValue], ...]] = (
    Column("value", phenotype_words.value),
    Column("95 % CI", phenotype_words.ends, goes=2),
    Column("human", lambda metric: _known(metric, metric.human), goes=1),
    Column("random", lambda metric: _known(metric, metric.random), goes=0),
    Column("standardised", phenotype_words.standard, goes=4),
    Column("95 % CI", phenotype_words.standard_ends, goes=3),
)


def _known(metric: MetricValue, value: float | None) -> str:
    return "" if value is None else phenotype_words.number(metric, value)


def _table(metrics: list[MetricValue], title: str) -> ReportTable:
    kinds = sections(metrics, lambda metric: "" if metric.variant_of else metric.kind, phenotype_words.title)
    return tabulated(title, "metric", _METRICS, kinds, headings=False)


METHOD = "95 % bootstrap intervals over runs, each for itself; p is corrected for all metrics of all pairs (Holm)"
"""What holds for every difference."""


Written = tuple[str, str, str, str]


class WrittenPair(NamedTuple):
    """All differences of two participants, written."""

    title: str
    rows: list[Written]
    """Metric, difference, its interval, corrected p."""
    notes: list[str]


def pairs(differences: Sequence[MetricDifference]) -> list[WrittenPair]:
    """The differences pair by pair, as they come."""
    made = []
    for (first, second), group in groupby(differences, key=lambda each: (each.first, each.second)):
        entries = list(group)
        rows = [
            (
                entry.title,
                notation.signed(entry.value, digits := phenotype_words.decimals_of(entry.metric)),
                notation.interval(entry.low, entry.high, digits),
                notation.p_value(entry.p_corrected),
            )
            for entry in entries
        ]
        reasons = notation.gathered((entry.reason, entry.title) for entry in entries if entry.reason)
        together = sum(entry.paired for entry in entries)
        how = (
            "the same episodes, resampled together"
            if together == len(entries)
            else "different episodes, resampled apart"
            if not together
            else "the same episodes in some tasks, resampled together"
        )
        notes = [how, *(f"{', '.join(titles)}: {reason}" for reason, titles in reasons.items())]
        made.append(WrittenPair(f"{first or 'unnamed'} minus {second or 'unnamed'}", rows, notes))
    return made


def show_differences(differences: Sequence[MetricDifference], ink: Ink) -> None:
    """Print a table for each pair, and below what to know; nothing where there is nothing to compare."""
    fields: tuple[Column[Written], ...] = (
        Column("difference", lambda row: row[1]),
        Column("95 % CI", lambda row: row[2], goes=1),
        Column("Holm p", lambda row: row[3]),
    )
    made = pairs(differences)
    for pair in made:
        table = tabulated(pair.title, "metric", fields, [(row[0], row) for row in pair.rows])
        ink.blank()
        ink.table(table)
        ink.blank()
        for note in pair.notes:
            ink.item(note)
    if made:
        ink.line(METHOD, "dim")


_SHOWN = 4
"""Components with a column of their own."""


_COEFFICIENTS: Final[tuple[Column[Coefficient], ...]] = (
    Column("effect", lambda entry: notation.signed(entry.estimate, 3)),
    Column("95 % CI", lambda entry: notation.interval(entry.low, entry.high, 3), goes=1),
    Column("p", lambda entry: notation.p_value(entry.p), goes=2),
    Column("Holm p", lambda entry: notation.p_value(entry.p_corrected)),
    Column("df", lambda entry: str(entry.degrees), goes=0),
)


def show_regression(regression: Regression, ink: Ink) -> None:
    """Print one row per feature, and below what to know of the fit."""
    if regression.inconclusive:
        ink.line(f"INCONCLUSIVE: {regression.inconclusive}", "bold")
    title = f"{regression.metric} by features of {notation.things(regression.models, 'model')}"
    table = tabulated(title, "feature", _COEFFICIENTS, [(entry.feature, entry) for entry in regression.coefficients])
    ink.table(table)
    ink.blank()
    spread = f"; standard deviation between base models {notation.kappa(regression.base_sd, 3)}"
    ink.line(
        f"effects per standard deviation of a feature, or from no to yes; {regression.method} over "
        f"{notation.things(regression.bases, 'base model')}{spread if regression.method == 'mixed' else ''}, "
        f"residual standard deviation {notation.kappa(regression.residual_sd, 3)}; df between or within base models",
        "dim",
    )
    for note in regression.notes:
        ink.item(note)


def show_components(components: Components, ink: Ink) -> None:
    """Print the loadings of the first components, what they explain, and how many count."""
    if components.inconclusive:
        ink.line(f"INCONCLUSIVE: {components.inconclusive}", "bold")
    shown = components.components[:_SHOWN]
    columns: list[Column[Any]] = [
        Column("metric", holds="text"),
        *(Column(f"component {number}", goes=-number) for number in range(1, len(shown) + 1)),
    ]
    metrics, models = things(len(components.metrics), "metric"), things(len(components.models), "model")
    table = ReportTable(f"Principal components of {metrics} over {models}", columns)
    for name in components.metrics:
        table.row(name, *(notation.kappa(component.loadings[name]) for component in shown))
    table.rows.append([])
    table.row("variance explained", *(notation.per_cent(component.share, 0) for component in shown))
    table.row("by chance, at most", *(notation.per_cent(component.chance, 0) for component in shown))
    ink.table(table)
    ink.blank()
    ink.line(
        f"{notation.things(components.dimensions, 'component')} explained more variance than in shuffled data "
        "(parallel analysis)"
    )
    ink.line("loadings are correlations of metrics with components", "dim")
    for note in components.notes:
        ink.item(note)
