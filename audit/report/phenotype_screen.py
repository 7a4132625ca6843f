"""Phenotypes in the terminal: a row per metric, pairs of participants, comparisons across models."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from hansproof.audit import notation
from hansproof.audit.notation import things
from hansproof.audit.phenotype.measuring import MetricDifference
from hansproof.audit.phenotype.model_table import Components, Regression
from hansproof.audit.phenotype.result import MetricValue, Phenotype
from hansproof.audit.report import phenotype_words
from hansproof.audit.report.terminal import Column, Ink, TextTable

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
            phenotype_words.title(metric),
            phenotype_words.value(metric),
            phenotype_words.ends(metric),
            "" if metric.human is None else phenotype_words.number(metric, metric.human),
            "" if metric.random is None else phenotype_words.number(metric, metric.random),
            phenotype_words.standard(metric),
            phenotype_words.standard_ends(metric),
        )
    return table


METHOD = "95 % bootstrap intervals over runs, each for itself; p is corrected for all metrics of all pairs (Holm)"
"""What holds for every difference."""


class WrittenPair(NamedTuple):
    """All differences of two participants, written."""

    title: str
    rows: list[tuple[str, str, str, str]]
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
        reasons: dict[str, list[str]] = {}
        for entry in entries:
            if entry.reason:
                reasons.setdefault(entry.reason, []).append(entry.title)
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
    made = pairs(differences)
    for pair in made:
        table = TextTable(
            Column("metric", "phrases"),
            Column("difference"),
            Column("95 % CI", goes=1),
            Column("Holm p"),
            title=pair.title,
        )
        for row in pair.rows:
            table.row(*row)
        ink.blank()
        ink.table(table)
        ink.blank()
        for note in pair.notes:
            ink.item(note)
    if made:
        ink.line(METHOD, "dim")


_SHOWN = 4
"""Components with a column of their own."""


def show_regression(regression: Regression, ink: Ink) -> None:
    """Print one row per feature, and below what to know of the fit."""
    if regression.inconclusive:
        ink.line(f"INCONCLUSIVE: {regression.inconclusive}", "bold")
    table = TextTable(
        Column("feature", "text"),
        Column("effect"),
        Column("95 % CI", goes=1),
        Column("p", goes=2),
        Column("Holm p"),
        Column("df", goes=0),
        title=f"{regression.metric} by features of {notation.things(regression.models, 'model')}",
    )
    for entry in regression.coefficients:
        table.row(
            entry.feature,
            notation.signed(entry.estimate, 3),
            notation.interval(entry.low, entry.high, 3),
            notation.p_value(entry.p),
            notation.p_value(entry.p_corrected),
            str(entry.degrees),
        )
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
    table = TextTable(
        Column("metric", "text"),
        *(Column(f"component {number}", goes=-number) for number in range(1, len(shown) + 1)),
        title=f"Principal components of {notation.things(len(components.metrics), 'metric')} "
        f"over {notation.things(len(components.models), 'model')}",
    )
    for name in components.metrics:
        table.row(name, *(notation.kappa(component.loadings[name]) for component in shown))
    table.section()
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
