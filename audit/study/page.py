"""Findings as one HTML page that works from disk, on a phone and in print, and runs nothing."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from audit import notation
from audit.phenotype.intervals import FEWEST_RUNS
from audit.phenotype.report import words
from audit.phenotype.report.figure import STYLE as PROFILE_STYLE
from audit.phenotype.report.figure import drawing
from audit.phenotype.report.layout import MOST
from audit.phenotype.report.pairs import METHOD, pairs
from audit.reliance.figures.boxes import boxes
from audit.reliance.figures.canvas import style as figure_style
from audit.reliance.figures.scatter import scatter
from audit.report.page.document import document, style_of
from audit.report.page.document import environment as shared
from audit.study.findings import KICKERS, Findings
from audit.study.records import Played
from audit.study.sections.accuracies import LEGEND, accuracy_map, accuracy_table
from audit.study.sections.families import family_table, like_items_table, regression_table
from audit.study.sections.hypotheses import hypothesis_parts, tested_notes
from audit.study.sections.paired import (
    difference_notes,
    difference_table,
    effect_notes,
    effect_table,
    runs_table,
    slice_notes,
    slice_table,
)
from audit.study.sections.probe import (
    benchmark_notes,
    benchmark_table,
    error_table,
    model_table,
    pair_notes,
    pair_table,
)
from audit.study.sections.reading import figures, left_out, missing_notes, read_table
from audit.study.sections.scores import score_notes, score_table

__all__ = ["render"]


def render(findings: Findings) -> str:
    """The findings as a self-contained document. The same findings give the same text."""
    reliance = findings.reliance
    models = len(dict.fromkeys(each.model for part in findings.answered for each in part.series))
    benchmarks = (len(reliance.benchmarks) if reliance else 0) or len(findings.answered)
    # The texts of the figures are escaped where they are drawn.
    drawn = reliance is not None and bool(reliance.benchmarks)
    profile = PROFILE_STYLE + style_of("phenotype.css") if findings.played else ""
    return document(
        _environment(),
        "study.html.j2",
        style=figure_style(".drawn") + profile + style_of("study.css"),
        findings=findings,
        kicker=KICKERS[findings.kind],
        title=f"Answers of {notation.things(models, 'model')} to {notation.things(benchmarks, 'benchmark')}",
        scatter=Markup(scatter(reliance, within_page=True)) if reliance and drawn else "",
        boxes=Markup(boxes(reliance, within_page=True)) if reliance and drawn else "",
        profiles=_profiles(findings.played),
        pairs=pairs(findings.played.differences) if findings.played else [],
    )


def _profiles(played: Played | None) -> list[Markup]:
    """A figure for every six phenotypes, which is as many as fit into one."""
    every = played.phenotypes if played else []
    return [Markup(drawing(every[first : first + MOST])) for first in range(0, len(every), MOST)]


@cache
def _environment() -> Environment:
    environment = shared()
    environment.filters |= {"kappa": notation.kappa}
    environment.globals |= {
        "FEWEST_RUNS": FEWEST_RUNS,
        "LEGEND": LEGEND,
        "METHOD": METHOD,
        "accuracy_map": accuracy_map,
        "accuracy_table": accuracy_table,
        "benchmark_notes": benchmark_notes,
        "benchmark_table": benchmark_table,
        "difference_notes": difference_notes,
        "difference_table": difference_table,
        "effect_notes": effect_notes,
        "effect_table": effect_table,
        "error_table": error_table,
        "family_table": family_table,
        "figures": figures,
        "hypothesis_parts": hypothesis_parts,
        "left_out": left_out,
        "pair_notes": pair_notes,
        "pair_table": pair_table,
        "missing_notes": missing_notes,
        "model_table": model_table,
        "read_table": read_table,
        "like_items_table": like_items_table,
        "regression_table": regression_table,
        "runs_table": runs_table,
        "score_notes": score_notes,
        "score_table": score_table,
        "slice_notes": slice_notes,
        "slice_table": slice_table,
        "tested_notes": tested_notes,
        "words": words,
    }
    return environment
