"""The kinds of analysis and their table: effects, hypotheses, shortcut, experiment, phenotype."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hansproof.audit.notation import NAMELESS
from hansproof.commands.options import ITEM_OPTIONS, item_reading, named_files, named_once, reply_reading
from hansproof.commands.phenotype import measured
from hansproof.generators.errors import InputError, UsageError
from hansproof.terminal.outputs import Made, files_of, show_tables

if TYPE_CHECKING:
    from hansproof.audit.report.terminal import Ink

__all__ = ["KINDS", "reading", "tested"]

Given = Mapping[str, Any]
"""The options of `analyse` by their names, with None or an empty tuple for those that were not given."""

READING = ("models", "styles", "columns", "reply_columns")
"""Options that say how replies are read."""


@dataclass(frozen=True)
class AnalysisKind:
    """One thing by which answers are analysed."""

    name: str
    """What --by calls it."""
    takes: Sequence[str]
    """The options that go with it, beside those of every kind: REPLIES, --items, --json, --csv, --html, --force."""
    reads: Callable[[Given], Sequence[str]]
    """The files that it reads, which no output may be; raises UsageError where they are not named as it needs them."""
    make: Callable[[Given, Sequence[str]], Made]
    """Does the work; the names of the outputs that are wanted, such as `html`, come with what was given."""


def files_read(given: Given) -> list[str]:
    """The files of replies under their own names, those of items, and the table of families."""
    return [*named_once(given["answers"]), *given["sources"], *filter(None, [given["families"]])]


def reading(given: Given) -> dict[str, Any]:
    """How answers and items are read, as the functions want it."""
    return {
        "models": given["models"],
        "styles": given["styles"],
        **reply_reading(given["columns"], given["reply_columns"]),
        **item_reading(given),
    }


def single_source(given: Given) -> str:
    """The items, of a kind that takes one benchmark. Raises UsageError where there are none or several."""
    sources: Sequence[str] = given["sources"]
    if len(sources) != 1:
        raise UsageError("name the items that were answered, once: --items SOURCE")
    return sources[0]


def _one_read(given: Given) -> list[str]:
    """`files_read`, of a kind that takes one benchmark."""
    single_source(given)
    return files_read(given)


def _make_effects(given: Given, wanted: Sequence[str]) -> Made:
    from hansproof.audit.notation import csv_text
    from hansproof.audit.report.score_rows import effect_rows
    from hansproof.audit.result.record import json_bytes
    from hansproof.scoring import score
    from hansproof.terminal.differences import effect_tables, show_effect_notes, why_no_effects
    from hansproof.terminal.scores import notes_of_all
    from hansproof.terminal.streams import on_stderr

    source = single_source(given)
    with on_stderr() as progress:
        reports = score(
            given["answers"], source, original=given["original"], judged=given["judged"] or "reply",
            skip_missing=bool(given["skip_missing"]), **reading(given), progress=progress,
        )  # fmt: skip
    if reason := why_no_effects(reports):
        raise InputError(f"nothing to compare: {reason}", source)
    names = ("model", "style", "run", "effects")
    record = {
        "answers": list(given["answers"]),
        "items": source,
        "judged": reports.judged,
        "read": reports.joined.read,
        "models": [{name: whole[name] for name in names} for whole in (report.record() for report in reports)],
    }

    def show(ink: Ink) -> None:
        for place, report in enumerate(reports):
            if place:
                ink.blank()
            ink.line(report.title or NAMELESS, "bold")
            show_tables(effect_tables(report.effects), ink, ("--json", "--csv"))
            if not report.effects and not report.without_effects:
                ink.note("no effects: it has replies to one of two matched conditions at most")
        show_effect_notes(reports, ink)

    return Made(
        show,
        {
            "json": lambda: json_bytes(record),
            "csv": lambda: csv_text(effect_rows(reports)),
            "html": lambda: reports.page("effects"),
        },
        notes_of_all(reports, reports.joined, reports.judged),
    )


EFFECTS: Final = AnalysisKind(
    "effects", (*READING, *ITEM_OPTIONS, "judged", "original", "skip_missing"), _one_read, _make_effects
)

# `--by hypotheses`, which is also `score --test mcnemar`: those that a family declares, or of any matched items.

_POINTS: Final = 5.0
"""The shift of which the tables say how many pairs it needs, unless somebody says otherwise."""


def tested(
    answers: Sequence[str], source: str, chosen: Mapping[str, Any], names: Sequence[str], points: float | None
) -> Made:
    """The tests of the hypotheses `names`, or of all; `chosen` says how answers and items are read.

    Raises UsageError for a shift of `points` that no share can make.
    """
    points = _POINTS if points is None else points
    if not 0 < points <= 100:
        raise UsageError(f"the shift must be above 0 and up to 100 points, not {points:g}", "--shift")
    from hansproof.audit.report.hypothesis_figure import hypothesis_notes, paired_bars
    from hansproof.scoring import hypotheses
    from hansproof.terminal.scores import hypothesis_tables, unused_notes
    from hansproof.terminal.streams import on_stderr

    with on_stderr() as progress:
        report = hypotheses(answers, source, names=names, shift=points / 100, **chosen, progress=progress)
    files = files_of(report)

    def show(ink: Ink) -> None:
        show_tables(hypothesis_tables(report), ink)
        for note in hypothesis_notes(report):
            ink.note(note)

    return Made(
        show,
        {**files, "out": files["json"], "figure": lambda: paired_bars(report)},
        [*report.joined.read.about, *unused_notes(report.joined.read)],
    )


def _make_hypotheses(given: Given, wanted: Sequence[str]) -> Made:
    chosen = reading(given) | {name: given[name] for name in _COMPARED if given[name] is not None}
    del chosen["groups"]
    return tested(given["answers"], single_source(given), chosen, given["names"], given["shift"])


_COMPARED: Final = ("judged", "original", "original_style", "expect")
"""Options that `hansproof.hypotheses` has under the same names."""

HYPOTHESES: Final = AnalysisKind(
    "hypotheses",
    # Hypotheses say themselves which pairs belong together.
    (*READING, *(name for name in ITEM_OPTIONS if name != "groups"), *_COMPARED, "names", "shift", "figure"),
    _one_read,
    _make_hypotheses,
)

_OPTIONS: Final = (
    "protocol", "task", "threshold", "splits", "permutations", "seed", "workers", "judged", "skip_missing", "original",
)  # fmt: skip
"""Options that `hansproof.analyse` has under the same names."""


def _make_shortcut(given: Given, wanted: Sequence[str]) -> Made:
    from hansproof.api import analyse
    from hansproof.audit.report.study_figures import boxes, scatter
    from hansproof.audit.report.study_reliance import benchmark_notes, measured, undefined_notes
    from hansproof.terminal.reliance import reliance_tables
    from hansproof.terminal.streams import lines_on_stderr

    options = {name: given[name] for name in _OPTIONS if given[name] is not None}
    with lines_on_stderr() as (progress, begun):
        study = analyse(
            given["answers"], items=list(given["sources"]) or None, families=given["families"], progress=progress,
            begun=begun, **reading(given), **options,
        )  # fmt: skip

    def show(ink: Ink) -> None:
        for part in study.benchmarks:
            ink.line(measured(study, part))
        if study.benchmarks:
            ink.blank()
        show_tables(reliance_tables(study), ink, ("--json", "--html"))
        for note in [*benchmark_notes(study), *undefined_notes(study)]:
            ink.note(note)

    return Made(show, {**files_of(study), "figure": lambda: scatter(study), "boxes": lambda: boxes(study)}, study.notes)


SHORTCUT: Final = AnalysisKind(
    "shortcut", (*READING, *ITEM_OPTIONS, "families", *_OPTIONS, "figure", "boxes"), files_read, _make_shortcut
)


def _make_experiment(given: Given, wanted: Sequence[str]) -> Made:
    from hansproof.audit.report.study_differences import experiment_table
    from hansproof.scoring import experiment
    from hansproof.terminal.scores import joined_notes
    from hansproof.terminal.streams import on_stderr

    source, chosen = single_source(given), reading(given)
    del chosen["styles"]
    with on_stderr() as progress:
        made = experiment(given["answers"], source, **chosen, progress=progress)

    def show(ink: Ink) -> None:
        for each in made.arms:
            ink.line(f"{each.sentence[:1].upper()}{each.sentence[1:]}.", "bold" if each.shown else "")
        ink.blank()
        show_tables([experiment_table(made.arms)], ink)

    return Made(show, files_of(made), joined_notes(made.joined.read))


EXPERIMENT: Final = AnalysisKind(
    "experiment", ("models", "columns", "reply_columns", *ITEM_OPTIONS), _one_read, _make_experiment
)


def _phenotype_reads(given: Given) -> list[str]:
    if len(given["sources"]) > 1:
        raise UsageError("name the items that were played once, or leave them out: --items SOURCE")
    return [*named_files(given["answers"]), *given["sources"]]


def _make_phenotype(given: Given, wanted: Sequence[str]) -> Made:
    from hansproof.runs.participants import Measuring

    how = Measuring(models=given["models"], styles=given["styles"], seed=given["seed"] or 0)
    return measured(how, given["answers"], items=next(iter(given["sources"]), None), wanted=wanted)


PHENOTYPE: Final = AnalysisKind("phenotype", ("models", "styles", "seed", "figure"), _phenotype_reads, _make_phenotype)

KINDS: Final[dict[str, AnalysisKind]] = {
    kind.name: kind for kind in (SHORTCUT, EXPERIMENT, HYPOTHESES, EFFECTS, PHENOTYPE)
}
"""What --by names -> the kind, in the order of the help; the first is the default."""
