"""Findings as one HTML page that works from disk, on a phone and in print, and runs nothing."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from hansproof.audit import notation
from hansproof.audit.models.reliance.reliance_records import Reliance
from hansproof.audit.models.study import KICKERS, Answered, PageContents, Played
from hansproof.audit.report import (
    hypothesis_figure,
    study_differences,
    study_reading,
    study_reliance,
    study_scores,
    words,
)
from hansproof.audit.report.document import Note, Part, listed
from hansproof.audit.report.drawing import style as figure_style
from hansproof.audit.report.drawing import style_of
from hansproof.audit.report.html import document
from hansproof.audit.report.html import environment as shared
from hansproof.audit.report.phenotype_figure import style as profile_style
from hansproof.audit.report.phenotype_screen import phenotype_method, phenotype_parts
from hansproof.audit.report.score_rows import pair_rows
from hansproof.audit.report.study_figures import boxes, scatter
from hansproof.audit.result.shown import Rows, Shown

__all__ = ["Study", "render"]


def render(findings: PageContents) -> str:
    """The findings as a self-contained document. The same findings give the same text."""
    reliance = findings.reliance
    models = len(dict.fromkeys(each.model for part in findings.answered for each in part.series))
    benchmarks = (len(reliance.benchmarks) if reliance else 0) or len(findings.answered)
    # The texts of the figures are escaped where they are drawn.
    drawn = reliance is not None and bool(reliance.benchmarks)
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
        played=_played(findings.played) if findings.played else [],
        played_method=phenotype_method(findings.played.phenotypes[0])
        if findings.played and findings.played.phenotypes
        else [],
    )


def _played(played: Played) -> list[Part]:
    about = [Note(words.SECTIONS["phenotype"]["about"]), *listed(played.notes)]
    return [*about, *(phenotype_parts(played.phenotypes, played.differences) if played.phenotypes else [])]


@cache
def _environment() -> Environment:
    environment = shared()
    environment.filters |= {"kappa": notation.kappa}
    environment.globals |= {
        "hypothesis_figure": hypothesis_figure,
        "study_differences": study_differences,
        "study_reading": study_reading,
        "study_reliance": study_reliance,
        "study_scores": study_scores,
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
