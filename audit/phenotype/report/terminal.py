"""A phenotype in the terminal: one row per metric, and below what is missing and what to know."""

from __future__ import annotations

from audit.notation import things
from audit.phenotype.report import words
from audit.phenotype.result import MetricValue, Phenotype
from audit.report.terminal.ink import Ink
from audit.report.terminal.table import Column, TextTable

__all__ = ["show"]


def show(phenotype: Phenotype, ink: Ink) -> None:
    """Print the table of the sixteen metrics, then that of the variants, then the notes."""
    title = words.heading([phenotype]) + (" (analysis as published)" if phenotype.as_published else "")
    ink.table(_table(phenotype.profile, title))
    ink.blank()
    if phenotype.variants and any(metric.value is not None for metric in phenotype.variants):
        ink.table(_table([metric for metric in phenotype.variants if metric.value is not None], "Variants"))
        ink.blank()
    ink.line(f"standardised: {words.AXIS}; 95 % bootstrap confidence intervals over runs", "dim")
    ink.line(words.STYLE, "dim")
    ink.line(words.references(phenotype), "dim")
    for sentence in words.gaps(phenotype):
        ink.item(sentence)
    for sentence in words.cautions(phenotype):
        ink.item(sentence)
    for sentence in words.notes(phenotype):
        ink.item(sentence)
    played = ", ".join(f"{task.task} {things(task.runs, 'run')}" for task in phenotype.tasks)
    ink.line(f"measured (a run is one finished episode): {played}", "dim")


def _table(metrics: list[MetricValue], title: str) -> TextTable:
    table = TextTable(
        Column("metric", "phrases"),
        Column("value"),
        Column("95 % CI", goes=2),
        Column("human", goes=1),
        Column("random", goes=0),
        Column("standardised", goes=4),
        Column("95 % CI", goes=3),
        title=title,
    )
    kind = metrics[0].kind if metrics else ""
    for metric in metrics:
        if metric.kind != kind and metric.variant_of is None:
            table.section()
        kind = metric.kind
        table.row(
            words.title(metric),
            words.value(metric),
            words.ends(metric),
            "" if metric.human is None else words.number(metric, metric.human),
            "" if metric.random is None else words.number(metric, metric.random),
            words.standard(metric),
            words.standard_ends(metric),
        )
    return table
