"""Phenotypes as one HTML page that works from disk, in print and without scripts: figure, tables, method."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from hansproof.audit.phenotype.measuring import MetricDifference
from hansproof.audit.phenotype.result import Phenotype
from hansproof.audit.phenotype.run_intervals import FEWEST_RUNS
from hansproof.audit.report import phenotype_words
from hansproof.audit.report.html import document, style_of
from hansproof.audit.report.html import environment as shared
from hansproof.audit.report.phenotype_figure import STYLE, drawing
from hansproof.audit.report.phenotype_screen import METHOD, pairs

__all__ = ["page"]


def page(phenotypes: Sequence[Phenotype], differences: Sequence[MetricDifference] = ()) -> str:
    """One to six phenotypes, and differences between them, as a self-contained document. The same phenotypes give the
    same text.

    Raises UsageError for another number of them.
    """
    figure = Markup(drawing(phenotypes))  # its texts are escaped where they are drawn
    return document(
        _environment(),
        "phenotype.html.j2",
        style=STYLE + style_of("phenotype.css"),
        title=phenotype_words.heading(phenotypes),
        phenotypes=phenotypes,
        figure=figure,
        pairs=pairs(differences),
    )


@cache
def _environment() -> Environment:
    environment = shared()
    environment.globals |= {"words": phenotype_words, "FEWEST_RUNS": FEWEST_RUNS, "METHOD": METHOD}
    return environment
