"""The kinds of analysis and their table: effects, hypotheses, shortcut, experiment, items, phenotype."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hansproof.commands.options import ITEM_OPTIONS, item_reading, named_once, reply_reading
from hansproof.commands.phenotype import measured
from hansproof.generators.errors import InputError, UsageError
from hansproof.terminal.outputs import Made, files_of

if TYPE_CHECKING:
    from hansproof.audit.report.document import Document
    from hansproof.audit.report.terminal import Ink
    from hansproof.scoring import Scores

__all__ = ["KINDS", "printed", "reading", "tested"]

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


def printed(document: Document, *ids: str, every: bool = False) -> Callable[[Ink], None]:
    """Prints these sections of a document without their headings; with what a page folds away, if `every`."""
    from hansproof.audit.report.document import Fold

    parts = [part for section in document.sections if section.id in ids for part in section.parts]
    if every:
        parts = [own for part in parts for own in (part.parts if isinstance(part, Fold) else [part])]
    return lambda ink: ink.parts(parts, ("--json", "--html"), spaced=True)


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
    from hansproof.audit.report.study_reading import notes_of_all
    from hansproof.audit.result.record import json_bytes
    from hansproof.scoring import score
    from hansproof.terminal.streams import on_stderr

    source = single_source(given)
    with on_stderr() as progress:
        reports = score(
            given["answers"], source, original=given["original"], judged=given["judged"] or "reply",
            skip_missing=bool(given["skip_missing"]), **reading(given), progress=progress,
        )  # fmt: skip
    if reason := _why_no_effects(reports):
        raise InputError(f"nothing to compare: {reason}", source)
    names = ("model", "style", "run", "effects")
    record = {
        "answers": list(given["answers"]),
        "items": source,
        "judged": reports.judged,
        "read": reports.joined.read,
        "models": [{name: whole[name] for name in names} for whole in (report.record() for report in reports)],
    }
    return Made(
        printed(reports.document("effects"), "effects"),
        {
            "json": lambda: json_bytes(record),
            "csv": lambda: csv_text(effect_rows(reports)),
            "html": lambda: reports.page("effects"),
        },
        notes_of_all(reports, reports.joined, reports.judged),
    )


def _why_no_effects(reports: Scores) -> str:
    """Why nothing at all could be compared: what was looked for, and what to write; empty where something was."""
    from hansproof.audit.models.matching import why_none
    from hansproof.audit.replies.grid import NOT_ASKED
    from hansproof.audit.report.study_scores import uncompared

    if any(effect.difference.items for report in reports for effect in report.effects) or not reports:
        return ""
    grid = reports.joined.grid
    asked = [item for item, codes in zip(grid.items, grid.outcomes, strict=True) if (codes != NOT_ASKED).any()]
    return (
        why_none(asked)
        or next(filter(None, map(uncompared, reports)), "")
        or (
            "no group has exactly one item of each of two conditions"
            if any(report.effects for report in reports)
            else ""
        )
        or "there are matched conditions, but no model has replies to both of any two"
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
    from hansproof.audit.report.hypothesis_figure import paired_bars
    from hansproof.audit.report.study_reading import joined_notes
    from hansproof.scoring import hypotheses
    from hansproof.terminal.streams import on_stderr

    with on_stderr() as progress:
        report = hypotheses(answers, source, names=names, shift=points / 100, **chosen, progress=progress)
    files = files_of(report)
    return Made(
        printed(report.document(), "hypotheses"),
        {**files, "out": files["json"], "figure": lambda: paired_bars(report)},
        joined_notes(report.joined.read, read=False),
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
    from hansproof.terminal.streams import lines_on_stderr

    options = {name: given[name] for name in _OPTIONS if given[name] is not None}
    with lines_on_stderr() as (progress, begun):
        study = analyse(
            given["answers"], items=list(given["sources"]) or None, families=given["families"], progress=progress,
            begun=begun, **reading(given), **options,
        )  # fmt: skip
    figures = {"figure": lambda: scatter(study), "boxes": lambda: boxes(study)}
    return Made(printed(study.document(), "probe"), files_of(study) | figures, study.notes)


SHORTCUT: Final = AnalysisKind(
    "shortcut", (*READING, *ITEM_OPTIONS, "families", *_OPTIONS, "figure", "boxes"), files_read, _make_shortcut
)


def _make_experiment(given: Given, wanted: Sequence[str]) -> Made:
    from hansproof.audit.report.study_reading import joined_notes
    from hansproof.scoring import experiment
    from hansproof.terminal.streams import on_stderr

    source, chosen = single_source(given), reading(given)
    del chosen["styles"]
    with on_stderr() as progress:
        made = experiment(given["answers"], source, **chosen, progress=progress)
    return Made(printed(made.document(), "experiment"), files_of(made), joined_notes(made.joined.read))


EXPERIMENT: Final = AnalysisKind(
    "experiment", ("models", "columns", "reply_columns", *ITEM_OPTIONS), _one_read, _make_experiment
)


_AUDITED: Final = ("task", "threshold", "splits", "permutations", "seed", "workers", "judged", "no_audit")
"""Options that `hansproof.items` has under the same names."""


def _few_read(given: Given) -> list[str]:
    """`files_read`, of a kind that takes one benchmark or none."""
    if len(given["sources"]) > 1:
        raise UsageError("name the items once, or leave them out: --items SOURCE")
    return files_read(given)


def _make_items(given: Given, wanted: Sequence[str]) -> Made:
    from hansproof.audit.report.study_reading import joined_notes
    from hansproof.item_analysis import items
    from hansproof.terminal.streams import on_stderr

    options = {name: given[name] for name in _AUDITED if given[name] is not None}
    with on_stderr() as progress:
        study = items(
            given["answers"], next(iter(given["sources"]), None), families=given["families"], progress=progress,
            **reading(given), **options,
        )  # fmt: skip
    notes = [*study.notes, *joined_notes(study.joined.read)]
    return Made(printed(study.document(), "item-analysis"), files_of(study), notes)


ITEMS: Final = AnalysisKind("items", (*READING, *ITEM_OPTIONS, "families", *_AUDITED), _few_read, _make_items)


def _make_phenotype(given: Given, wanted: Sequence[str]) -> Made:
    from hansproof.runs.participants import Measuring

    how = Measuring(models=given["models"], styles=given["styles"], seed=given["seed"] or 0)
    return measured(how, given["answers"], items=next(iter(given["sources"]), None), wanted=wanted)


PHENOTYPE: Final = AnalysisKind("phenotype", ("models", "styles", "seed", "figure"), _few_read, _make_phenotype)

KINDS: Final[dict[str, AnalysisKind]] = {
    kind.name: kind for kind in (SHORTCUT, EXPERIMENT, HYPOTHESES, EFFECTS, ITEMS, PHENOTYPE)
}
"""What --by names -> the kind, in the order of the help; the first is the default."""
