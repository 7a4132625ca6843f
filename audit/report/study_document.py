"""A study of answers as one document, from which its page and what a command prints are drawn; and the study itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from hansproof.audit import notation
from hansproof.audit.models.reliance.reliance_records import Reliance
from hansproof.audit.models.study import Answered, Kind, PageContents, Played
from hansproof.audit.report import words
from hansproof.audit.report.document import FOOTER, Document, KeyFigures, Note, Section, listed
from hansproof.audit.report.drawing import style as figure_style
from hansproof.audit.report.drawing import style_of
from hansproof.audit.report.html import page
from hansproof.audit.report.phenotype_figure import style as profile_style
from hansproof.audit.report.phenotype_screen import phenotype_method, phenotype_parts
from hansproof.audit.report.score_rows import pair_rows
from hansproof.audit.report.study_differences import (
    difference_section,
    effect_section,
    experiment_section,
    hypothesis_section,
)
from hansproof.audit.report.study_items import items_section
from hansproof.audit.report.study_reading import accuracy_section, figures, read_section
from hansproof.audit.report.study_reliance import probe_section
from hansproof.audit.report.study_scores import headlines, score_section
from hansproof.audit.result.shown import Rows, Shown

__all__ = ["Study", "study_document"]

_KICKERS: Final[dict[Kind, str]] = {
    "study": "Study of model answers",
    "scores": "Scores of model answers",
    "effects": "Effects of matched conditions",
    "hypotheses": "Hypotheses tested on model answers",
    "experiment": "Experiment with model answers",
    "item-analysis": "Items by model answers",
}
"""The line above the title."""


def study_document(contents: PageContents) -> Document:
    """What was asked for, and beside it what was read, accuracies and how all was had. The same contents give the same
    document."""
    made = [section for make in _SECTIONS for section in make(contents) if section.parts]
    # Key numbers stand first, then what was asked for. Scores in full are what accuracies are looked up in.
    first = ("numbers", "" if contents.kind == "scores" else contents.kind)
    made.sort(key=lambda section: first.index(section.id) if section.id in first else len(first))
    models = len(dict.fromkeys(each.model for part in contents.answered for each in part.series))
    reliance = contents.reliance
    benchmarks = (len(reliance.benchmarks) if reliance else 0) or len(contents.answered)
    profile = profile_style() + style_of("phenotype.css") if contents.played else ""
    return Document(
        _KICKERS[contents.kind],
        f"Answers of {notation.things(models, 'model')} to {notation.things(benchmarks, 'benchmark')}",
        [*made, _method(contents, {section.id for section in made})],
        footer=FOOTER,
        style=figure_style() + profile,
        is_indexed=True,
    )


def _numbers(contents: PageContents) -> Iterable[Section]:
    said = headlines(contents.reports) if contents.kind == "scores" else []
    yield words.section("numbers", [KeyFigures(figures(contents)), *(Note(text, "lead") for text in said)])


def _scores(contents: PageContents) -> Iterable[Section]:
    yield read_section(contents)
    yield accuracy_section(contents)
    yield score_section(contents)


def _compared(contents: PageContents) -> Iterable[Section]:
    if contents.kind in ("study", "scores"):
        yield difference_section(contents)
    if contents.kind != "hypotheses":
        yield effect_section(contents)
    if contents.kind in ("study", "hypotheses"):
        yield hypothesis_section(contents)
    yield experiment_section(contents)
    yield items_section(contents)


def _parted(contents: PageContents) -> Iterable[Section]:
    """The study of benchmarks that a probe parts, or of why there are none; not where tasks were only played."""
    study = contents.reliance
    if study is not None and (study.benchmarks or (study.notes and contents.played is None)):
        yield probe_section(study, [note for part in contents.answered for note in part.read.about])


def _played(contents: PageContents) -> Iterable[Section]:
    if (played := contents.played) is not None:
        shown = phenotype_parts(played.phenotypes, played.differences) if played.phenotypes else []
        yield words.section("phenotype", [*listed(played.notes), *shown])


_SECTIONS: Final[tuple[Callable[[PageContents], Iterable[Section]], ...]] = (
    _numbers, _scores, _compared, _parted, _played,
)  # fmt: skip


def _method(contents: PageContents, shown: set[str]) -> Section:
    prose, study = words.SECTIONS["study"], contents.reliance
    ids = ["shares"] * contents.right + [
        id for id in ("differences", "effects", "experiment", "hypotheses", "item-analysis") if id in shown
    ]
    if study is not None and study.benchmarks:
        ids += [f"parted-{study.protocol}", "probe"]
    said = [prose[id] for id in ids]
    if contents.played is not None and contents.played.phenotypes:
        said += phenotype_method(contents.played.phenotypes[0])
    return Section("Method", "method", listed([*said, prose["undefined"]]))


class Study(Shown, Reliance, frozen=True, kw_only=True):
    """The study of benchmarks that a probe parts, and the answers that it is about."""

    files: list[str]
    """That were read, as they were named."""
    answered: list[Answered]
    """One for each source of items."""
    played: Played | None
    """None where nothing was played."""

    def document(self) -> Document:
        """The study as a document."""
        return study_document(PageContents("study", self.files, self.answered, reliance=self, played=self.played))

    def page(self) -> str:
        """The study as one HTML page that works from disk, offline and in print, and runs nothing."""
        return page(self.document())

    def headline(self) -> str:
        """How many models were measured where, and how many benchmarks have a shortcut."""
        models, parted = len({pair.model for pair in self.pairs}), len(self.benchmarks)
        shortcuts = sum(part.shortcut for part in self.benchmarks)
        where = notation.things(parted, "benchmark")
        return f"{notation.things(models, 'model')} on {where}, of which the audit shows a shortcut in {shortcuts:,}"

    def rows(self) -> Rows:
        """A row per model and benchmark."""
        return pair_rows(self)
