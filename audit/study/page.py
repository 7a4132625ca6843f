"""A whole study as one HTML page that works from disk, on a phone and in print, and runs nothing."""

from __future__ import annotations

from functools import cache
from typing import Final

from jinja2 import Environment
from markupsafe import Markup

from audit import notation
from audit.reliance.figures.boxes import boxes
from audit.reliance.figures.canvas import style as figure_style
from audit.reliance.figures.scatter import scatter
from audit.report import plaintext
from audit.report.page.document import document, style_of
from audit.report.page.document import environment as shared
from audit.study.records import Study
from audit.study.sections.accuracies import LEGEND, accuracy_map, accuracy_table
from audit.study.sections.families import family_table, regression_table
from audit.study.sections.leaning import (
    RULE,
    benchmark_notes,
    benchmark_table,
    error_table,
    evidence_table,
    pair_notes,
    pair_table,
    verdicts,
)
from audit.study.sections.paired import difference_table, effect_notes, effect_table
from audit.study.sections.reading import figures, left_out, read_table

__all__ = ["render"]

_HERE: Final = "audit.study"


def render(study: Study) -> str:
    """The study as a self-contained document. The same study gives the same text."""
    models = len(dict.fromkeys(each.model for part in study.answered for each in part.series))
    benchmarks = len(study.benchmarks) or len(study.answered)
    return document(
        _environment(),
        "study.html.j2",
        style=figure_style(".drawn") + style_of(_HERE, "study.css"),
        study=study,
        title=f"Answers of {notation.things(models, 'model')} to {notation.things(benchmarks, 'benchmark')}",
        # The texts of the figures are escaped where they are drawn.
        scatter=Markup(scatter(study, within_page=True)),
        boxes=Markup(boxes(study, within_page=True)),
    )


@cache
def _environment() -> Environment:
    environment = shared(_HERE)
    environment.filters |= {"ending": plaintext.last_part, "kappa": notation.kappa}
    environment.globals |= {
        "LEGEND": LEGEND,
        "RULE": RULE,
        "accuracy_map": accuracy_map,
        "accuracy_table": accuracy_table,
        "benchmark_notes": benchmark_notes,
        "benchmark_table": benchmark_table,
        "difference_table": difference_table,
        "effect_notes": effect_notes,
        "effect_table": effect_table,
        "error_table": error_table,
        "evidence_table": evidence_table,
        "family_table": family_table,
        "figures": figures,
        "left_out": left_out,
        "pair_notes": pair_notes,
        "pair_table": pair_table,
        "read_table": read_table,
        "regression_table": regression_table,
        "verdicts": verdicts,
    }
    return environment
