"""Findings as one HTML page that works from disk, on a phone and in print, and runs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from hansproof.audit import notation
from hansproof.audit.models.reliance.reliance_records import Reliance
from hansproof.audit.models.study import KICKERS, Answered, PageContents, Played
from hansproof.audit.phenotype.measuring import MetricDifference
from hansproof.audit.phenotype.result import Phenotype
from hansproof.audit.phenotype.run_intervals import FEWEST_RUNS
from hansproof.audit.report import (
    hypothesis_figure,
    phenotype_words,
    study_differences,
    study_reading,
    study_reliance,
    study_scores,
)
from hansproof.audit.report.html import document, style_of
from hansproof.audit.report.html import environment as shared
from hansproof.audit.report.phenotype_figure import MOST, drawing
from hansproof.audit.report.phenotype_figure import style as profile_style
from hansproof.audit.report.phenotype_screen import METHOD, pairs
from hansproof.audit.report.score_rows import pair_rows
from hansproof.audit.report.svg_figures import boxes, scatter
from hansproof.audit.report.svg_figures import style as figure_style
from hansproof.audit.result.shown import Rows, Shown

__all__ = ["Study", "phenotype_page", "render"]


def render(findings: PageContents) -> str:
    """The findings as a self-contained document. The same findings give the same text."""
    reliance = findings.reliance
    models = len(dict.fromkeys(each.model for part in findings.answered for each in part.series))
    benchmarks = (len(reliance.benchmarks) if reliance else 0) or len(findings.answered)
    # The texts of the figures are escaped where they are drawn.
    drawn = reliance is not None and bool(reliance.benchmarks)
    every = findings.played.phenotypes if findings.played else []
    profile = profile_style() + style_of("phenotype.css") if findings.played else ""
    return document(
        _environment(),
        "study.html.j2",
        style=figure_style() + profile,
        findings=findings,
        kicker=KICKERS[findings.kind],
        title=f"Answers of {notation.things(models, 'model')} to {notation.things(benchmarks, 'benchmark')}",
        scatter=Markup(scatter(reliance, within_page=True)) if reliance and drawn else "",
        boxes=Markup(boxes(reliance, within_page=True)) if reliance and drawn else "",
        profiles=[Markup(drawing(every[first : first + MOST])) for first in range(0, len(every), MOST)],
        pairs=pairs(findings.played.differences) if findings.played else [],
    )


def phenotype_page(phenotypes: Sequence[Phenotype], differences: Sequence[MetricDifference] = ()) -> str:
    """One to six phenotypes, and differences between them, as a self-contained document. The same phenotypes give the
    same text.

    Raises UsageError for another number of them.
    """
    figure = Markup(drawing(phenotypes))  # its texts are escaped where they are drawn
    return document(
        _environment(),
        "phenotype.html.j2",
        style=profile_style() + style_of("phenotype.css"),
        title=phenotype_words.heading(phenotypes),
        phenotypes=phenotypes,
        figure=figure,
        pairs=pairs(differences),
    )


@cache
def _environment() -> Environment:
    environment = shared()
    environment.filters |= {"kappa": notation.kappa}
    environment.globals |= {
        "FEWEST_RUNS": FEWEST_RUNS,
        "METHOD": METHOD,
        "hypothesis_figure": hypothesis_figure,
        "study_differences": study_differences,
        "study_reading": study_reading,
        "study_reliance": study_reliance,
        "study_scores": study_scores,
        "words": phenotype_words,
    }
    return environment


class Study(Shown, Reliance, frozen=True, kw_only=True):
    """The study of benchmarks that a probe parts, and the answers that it is about."""

    files: list[str]
    """That were read, as they were named."""
    answered: list[Answered]
    """One for each source of items."""
    played: Played | None
    """None where nothing was played."""

    def page(self) -> str:
        """The study as one HTML page that works from disk, offline and in print, and runs nothing."""
        from hansproof.audit.models.study import PageContents as Findings

        return render(Findings("study", self.files, self.answered, reliance=self, played=self.played))

    def headline(self) -> str:
        """How many models were measured where, and how many benchmarks have a shortcut."""
        models, parted = len({pair.model for pair in self.pairs}), len(self.benchmarks)
        shortcuts = sum(part.shortcut for part in self.benchmarks)
        where = notation.things(parted, "benchmark")
        return f"{notation.things(models, 'model')} on {where}, of which the audit shows a shortcut in {shortcuts:,}"

    def rows(self) -> Rows:
        """A row per model and benchmark."""
        return pair_rows(self)
