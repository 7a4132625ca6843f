"""Phenotypes on screen and page: a row per metric, pairs of participants, comparisons across models."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from hansproof.audit import notation
from hansproof.audit.notation import things
from hansproof.audit.phenotype.measuring import MetricDifference
from hansproof.audit.phenotype.metric import FEWEST_RUNS
from hansproof.audit.phenotype.model_table import Coefficient, Components, Regression
from hansproof.audit.phenotype.result import MetricValue, Phenotype
from hansproof.audit.report import phenotype_words, words
from hansproof.audit.report.document import (
    Cell,
    Column,
    Document,
    Figure,
    Fold,
    Note,
    Part,
    ReportTable,
    Section,
    captioned,
    listed,
    sections,
    tabulated,
)
from hansproof.audit.report.drawing import style_of
from hansproof.audit.report.html import page
from hansproof.audit.report.phenotype_figure import MOST, figure, style
from hansproof.audit.report.terminal import Ink
from hansproof.generators.errors import UsageError

__all__ = [
    "difference_parts",
    "phenotype_method",
    "phenotype_page",
    "phenotype_parts",
    "show",
    "show_components",
    "show_differences",
    "show_regression",
]


def show(phenotype: Phenotype, ink: Ink) -> None:
    """Print the table of the sixteen metrics, then that of the variants, then the notes."""
    title = phenotype_words.heading([phenotype]) + (" (analysis as published)" if phenotype.as_published else "")
    variants = [metric for metric in phenotype.variants if metric.value is not None]
    legends = (
        f"standardised: {phenotype_words.AXIS}; 95 % bootstrap confidence intervals over runs",
        phenotype_words.STYLE,
        phenotype_words.references(phenotype),
    )
    for table in [_table(phenotype.profile, title), *([_table(variants, "Variants")] if variants else [])]:
        ink.table(table)
        ink.blank()
    ink.parts([*(Note(text, "legend") for text in legends), *_notes(phenotype), _played(phenotype)], ())


def _notes(phenotype: Phenotype) -> list[Part]:
    said = (phenotype_words.gaps, phenotype_words.cautions, phenotype_words.notes)
    return listed(sentence for about in said for sentence in about(phenotype))


def _played(phenotype: Phenotype) -> Note:
    played = ", ".join(f"{task.task} {things(task.runs, 'run')}" for task in phenotype.tasks)
    return Note(f"measured (a run is one finished episode): {played}", "legend")


def phenotype_parts(phenotypes: Sequence[Phenotype], differences: Sequence[MetricDifference]) -> list[Part]:
    """On a page: the figure of every six participants, the metrics of each, and the differences between them."""
    prose, several = words.SECTIONS["phenotype"], len(phenotypes) > 1
    drawn = [figure(phenotypes[first : first + MOST], within_page=True) for first in range(0, len(phenotypes), MOST)]
    legend = prose["legend"].format(axis=phenotype_words.AXIS, style=phenotype_words.STYLE)
    parts: list[Part] = [*(Figure(each, "Figure of the profile") for each in drawn), Note(legend, "legend")]
    for phenotype in phenotypes:
        name = phenotype.name or "unnamed"
        parts += [Note(name if several else "Metrics", "heading")]
        parts += [_table(phenotype.profile, captioned("The sixteen metrics of the profile", name if several else ""))]
        parts += [*_notes(phenotype), Fold("Variants of the metrics", [_table(phenotype.variants, "")])]
        parts += [_played(phenotype)]
    return [*parts, *([Note("Differences", "heading")] if differences else []), *difference_parts(differences)]


def phenotype_method(phenotype: Phenotype) -> list[str]:
    """How metrics, intervals and fits are had, a sentence or a few each."""
    said = phenotype_words.references(phenotype)
    published = "; here, as published, by maximum likelihood" if phenotype.as_published else ""
    return words.SECTIONS["phenotype"]["method"].format(
        references=said[:1].upper() + said[1:], resamples=notation.count(phenotype.resamples), seed=phenotype.seed,
        fewest=FEWEST_RUNS, published=published,
    ).split("\n")  # fmt: skip


def phenotype_page(phenotypes: Sequence[Phenotype], differences: Sequence[MetricDifference] = ()) -> str:
    """One to six phenotypes, and differences between them, as a self-contained page. The same phenotypes give the same
    text.

    Raises UsageError for another number of them.
    """
    if not 1 <= len(phenotypes) <= MOST:
        raise UsageError(f"a figure shows one to {MOST} phenotypes, not {len(phenotypes)}")
    known = "; analysis as published, with its known faults" if phenotypes[0].as_published else ""
    method = [*phenotype_method(phenotypes[0]), "What is undefined says why. It is never a zero."]
    return page(
        Document(
            "Cognitive phenotype",
            phenotype_words.heading(phenotypes),
            [
                Section("Profile", "profile", phenotype_parts(phenotypes, differences)),
                Section("Method", "method", listed(method)),
            ],
            f"Choices in seven tasks of cognitive psychology, beside people and random choices{known}",
            footer=words.SECTIONS["phenotype"]["footer"],
            style=style() + style_of("phenotype.css"),
        )
    )


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


def _table(metrics: Sequence[MetricValue], title: str) -> ReportTable:
    def name(metric: MetricValue) -> Cell:
        return Cell(phenotype_words.title(metric), below=metric.meaning)

    kinds = sections(metrics, lambda metric: "" if metric.variant_of else metric.kind, name)
    return tabulated(title, Column("metric", holds="phrases", brief=True), _METRICS, kinds, headings=False)


METHOD = "95 % bootstrap intervals over runs, each for itself; p is corrected for all metrics of all pairs (Holm)"
"""What holds for every difference."""


def _ends(difference: MetricDifference) -> str:
    return notation.interval(difference.low, difference.high, phenotype_words.decimals_of(difference.metric))


_DIFFERENCES: Final[tuple[Column[MetricDifference], ...]] = (
    Column("difference", lambda each: notation.signed(each.value, phenotype_words.decimals_of(each.metric))),
    Column("95 % CI", _ends, goes=1),
    Column("Holm p", lambda each: notation.p_value(each.p_corrected)),
)


def difference_parts(differences: Sequence[MetricDifference]) -> list[Part]:
    """A table for each pair, and below it what to know; nothing where there is nothing to compare."""
    parts: list[Part] = []
    for (first, second), group in groupby(differences, key=lambda each: (each.first, each.second)):
        entries = list(group)
        title = f"{first or 'unnamed'} minus {second or 'unnamed'}"
        parts.append(tabulated(title, "metric", _DIFFERENCES, [(entry.title, entry) for entry in entries]))
        reasons = notation.gathered((entry.reason, entry.title) for entry in entries if entry.reason)
        together = sum(entry.paired for entry in entries)
        how = (
            "the same episodes, resampled together"
            if together == len(entries)
            else "different episodes, resampled apart"
            if not together
            else "the same episodes in some tasks, resampled together"
        )
        parts += listed([how, *(f"{', '.join(titles)}: {reason}" for reason, titles in reasons.items())])
    return [*parts, *([Note(METHOD, "legend")] if parts else [])]


def show_differences(differences: Sequence[MetricDifference], ink: Ink) -> None:
    """Print what `difference_parts` has."""
    if differences:
        ink.blank()
    ink.parts(difference_parts(differences), ())


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
