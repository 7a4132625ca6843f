"""Comparisons across models in the terminal."""

from __future__ import annotations

from audit import notation
from audit.phenotype.comparison.components import Components
from audit.phenotype.comparison.mixed import Regression
from audit.report.terminal.ink import Ink
from audit.report.terminal.table import Column, TextTable

__all__ = ["show_components", "show_regression"]

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
            "" if entry.low is None else f"[{notation.kappa(entry.low, 3)}, {notation.kappa(entry.high, 3)}]",
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
