"""Differences as tables: between matched conditions, between all models, and between two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from math import isnan
from typing import Final

from hansproof.audit.models.comparison import Comparison, OverRuns, foremost
from hansproof.audit.models.contrast import Contrast, clear_notes
from hansproof.audit.models.matching import INCOMPLETE, contrast_name, guessed_note, why_none
from hansproof.audit.models.scores import Report
from hansproof.audit.notation import points, points_within, things
from hansproof.audit.replies.grid import NOT_ASKED
from hansproof.audit.replies.judged_reply import Judged
from hansproof.audit.report import comparison_words, terms
from hansproof.audit.report.comparison_words import ends, notes, sentence
from hansproof.audit.report.plan_words import Planned
from hansproof.audit.report.terminal import Column, Ink, TextTable
from hansproof.audit.report.terms import SCREEN, WHOLE, filled
from hansproof.generators.item import Item
from hansproof.scoring import Scores
from hansproof.terminal.outputs import show_tables

__all__ = [
    "difference_notes",
    "difference_table",
    "effect_notes",
    "effect_tables",
    "runs_table",
    "shared_notes",
    "show_changes",
    "show_comparison",
    "show_plan",
    "uncompared",
    "why_no_effects",
]

_NAMED: Final = 3
"""Models that stand in front of a note."""


def uncompared(report: Report) -> str:
    """Why matched items have no effects: no answer to them is right; empty where every contrast has its effects."""
    if not report.without_effects:
        return ""
    return (
        f"no effects in {', '.join(report.without_effects)}: no answer is right there, so no accuracy can differ; "
        "compare the measures by condition"
    )


def why_no_effects(reports: Scores) -> str:
    """Why nothing at all could be compared: what was looked for, and what to write; empty where something was."""
    if any(effect.difference.items for report in reports for effect in report.effects) or not reports:
        return ""
    return (
        why_none(_asked(reports))
        or next(filter(None, map(uncompared, reports)), "")
        or (
            "no group has exactly one item of each of two conditions"
            if any(report.effects for report in reports)
            else ""
        )
        or "there are matched conditions, but no model has replies to both of any two"
    )


def _asked(reports: Scores) -> list[Item]:
    """The items of all subsets of which any model has a reply, those that are left out among them."""
    grid = reports.joined.grid
    return [item for item, codes in zip(grid.items, grid.outcomes, strict=True) if (codes != NOT_ASKED).any()]


def effect_tables(effects: Sequence[Contrast]) -> list[TextTable]:
    """One table of the whole subsets and one of the slices, if there are any; none without effects.

    Effects, their 95 % intervals and the smallest effects found about 80 % of the time after Holm's correction are
    percentage points of accuracy.
    """
    whole = [effect for effect in effects if not effect.by]
    if not whole:
        return []
    label = _labels(whole)
    title = "Effects in percentage points [95 % interval]"
    main = _table("original - perturbed", title, _EFFECT_COLUMNS, [("", [(label(effect), effect) for effect in whole])])
    sliced = [effect for effect in effects if effect.by]
    if not sliced:
        return [main]
    sections = [
        (name, [(f"{effect.by} {effect.name}", effect) for effect in slices])
        for name, slices in groupby(sliced, key=label)
    ]
    title = "Effects by slice; Holm's correction is over the slices of a subset"
    return [main, _table("by slice", title, _EFFECT_COLUMNS, sections)]


def effect_notes(effects: Sequence[Contrast]) -> list[str]:
    """Lines below the tables: what is compared, what cannot be relied on and where, what is missing."""
    whole = [effect for effect in effects if not effect.by]
    label = _labels(whole)
    contrasts: dict[str, list[str]] = {}
    for effect in whole:
        if effect.subset:
            contrast = contrast_name("", effect.first, effect.second)
            contrasts.setdefault(contrast, []).append(effect.subset)
    doubts: dict[str, dict[str, list[str]]] = {}
    for effect in effects:
        for doubt in (*filter(None, [effect.difference.note]), *ends(effect, clear=False)):
            places = doubts.setdefault(doubt, {}).setdefault(label(effect), [])
            places.append(f"{effect.by} {effect.name}" if effect.by else "as a whole")
    missing = [
        f"{label(effect)} {effect.missing[0]:,}/{effect.missing[1]:,}" for effect in whole if any(effect.missing)
    ]
    left_out = [f"{label(effect)} {effect.left_out:,}" for effect in whole if effect.left_out]
    lines = [f"{contrast}: {', '.join(subsets)}" for contrast, subsets in contrasts.items()]
    lines += filter(None, [guessed_note(whole)])
    lines += clear_notes([(label(effect), effect) for effect in whole])
    powered = {bool(effect.by) for effect in effects if not isnan(effect.difference.detectable)}
    if powered:
        unsliced = any(effect.by for effect in effects) and True not in powered
        lines.append(
            f"{terms.DETECTABLE.name}{' (no slice has the pairs for it)' if unsliced else ''}: the smallest effect "
            "that would be found about 80 % of the time after Holm's correction; intervals are before it"
        )
    lines += [
        f"{doubt}: {'; '.join(name + ' ' + ', '.join(places) for name, places in where.items())}"
        for doubt, where in doubts.items()
    ]
    if missing:
        lines.append(f"missing replies, counted as wrong, original/perturbed: {', '.join(missing)}")
    if left_out:
        lines.append(f"{INCOMPLETE}: {', '.join(left_out)}")
    return lines


def shared_notes(models: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """The notes of several models, by title, each once: with the models in front, unless it is one of all of them."""
    said: dict[str, list[str]] = {}
    for title, lines in models:
        for line in lines:
            said.setdefault(line, []).append(title)
    return [line if len(titles) == len(models) else f"{_some(titles)}: {line}" for line, titles in said.items()]


def _some(titles: Sequence[str]) -> str:
    more = len(titles) - _NAMED
    return ", ".join(titles[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _labels(whole: Sequence[Contrast]) -> Callable[[Contrast], str]:
    """What an effect is called: its subset, with the perturbation where the subset has several; or both conditions."""
    counts = Counter(effect.subset for effect in whole)

    def label(effect: Contrast) -> str:
        if not effect.subset:
            return contrast_name("", effect.first, effect.second)
        return effect.subset if counts[effect.subset] == 1 else f"{effect.subset}: {effect.second}"

    return label


_Columns = Sequence[tuple[str, str, int | None]]
"""Name of the cell (`terms.CELLS`), heading, and how soon a terminal that is too narrow leaves the column out."""

_EFFECT_COLUMNS: Final[_Columns] = (
    ("A - B", terms.EFFECT.screen, None),
    ("p", terms.P.screen, 1),
    ("Holm p", terms.HOLM_P.screen, None),
    ("t-test p", terms.T_P.screen, 0),
    ("items", terms.PAIRS.screen, 5),
    ("both right", terms.BOTH_RIGHT.screen, 3),
    ("only A/B", terms.ONLY.screen, 4),
    ("detectable", terms.DETECTABLE.screen, 2),
)


def _table(
    first: str, title: str, columns: _Columns, sections: Sequence[tuple[str, Sequence[tuple[str, Contrast]]]]
) -> TextTable:
    """A row per contrast, below the name of its section if that has one, without the columns that would be empty."""
    every = [each for _, named in sections for _, each in named]
    kept = [column for column in columns if any(map(terms.CELLS[column[0]], every))]
    shown = (Column(heading, goes=goes) for _, heading, goes in kept)
    table = TextTable(Column(first, "phrases"), *shown, title=title)
    for section, named in sections:
        if section:
            table.section()
            table.row(section, *[""] * len(kept))
        for name, each in named:
            table.row(name, *(terms.CELLS[cell](each) for cell, _, _ in kept))
    return table


_MODELS: Final = 8
"""Models between which differences are shown."""


def difference_table(differences: Sequence[Contrast]) -> TextTable | None:
    """One row per pair of models, of many models those that are right most often; None where there is none."""
    if not differences:
        return None
    shown = foremost(differences, _MODELS)
    more = ""
    if len(shown) < len(differences):
        more = f": the {_MODELS} that are right most often; --json and --csv have all {len(differences):,}"
    # Where runs are averaged, an item is not right or wrong.
    only = terms.ONLY.screen if all(each.runs == (1, 1) for each in shown) else terms.BETTER.screen
    columns: _Columns = (
        ("A - B", f"{terms.POINTS.screen} [95 % interval]", None),
        ("se", terms.SE.screen, 0),
        ("Holm p", terms.HOLM_P.name, None),
        ("items", terms.ITEMS.screen, None),
        ("only A/B", only, 1),
        ("clear points", terms.CLEAR_POINTS.screen, 3),
        ("clear items", terms.CLEAR_ITEMS.screen, 2),
    )
    title = f"differences between models on common items{more}"
    return _table("difference", title, columns, [("", [(each.title, each) for each in shown])])


def runs_table(every: Sequence[OverRuns]) -> TextTable | None:
    """One row per model of several runs, and one for each of its subsets; None where each has one run."""
    if not every:
        return None
    table = TextTable(
        Column("mean over runs", "phrases"),
        Column(f"{terms.RIGHT.screen} [95 % interval]"),
        Column(terms.SE.screen, goes=0),
        Column(terms.ITEMS.screen),
        title="right answers in %, over all runs of a model: an item counts with the mean of its runs",
    )
    for each in every:
        name = f"{each.title}, subset {each.subset}" if each.subset else each.title
        right = points_within(each.right, each.low, each.high) or each.note
        table.row(name, right, points(each.se), f"{each.items:,}")
    return table


def difference_notes(differences: Sequence[Contrast], *, missing: bool = False, judged: Judged = "reply") -> list[str]:
    """Which differences are not there on clear replies; why some have no test, no interval or no standard error, a line
    for each reason; and what becomes of replies (or verdicts) where some are `missing`."""
    shown = foremost(differences, _MODELS)
    what = "verdicts" if judged == "harness" else "replies"
    said = [f"missing {what} count as wrong here, too"] if missing else []
    return [*said, *comparison_words.difference_notes(shown)]


def show_comparison(comparison: Comparison, ink: Ink) -> None:
    """Print the verdict in a sentence, a row per part, and what to know of the numbers."""
    ink.line(sentence(comparison), "bold")
    ink.blank()
    parts = comparison.parts
    kept = filled(SCREEN, comparison)
    table = TextTable(
        Column("% [95 % interval]", "phrases"),
        *(
            Column(column.on_screen(comparison), "words" if column.words else "numbers", goes=column.goes)
            for column, _ in kept
        ),
        title=f"{comparison.benchmark}: A = {comparison.a}, B = {comparison.b}",
    )
    for place, part in enumerate(parts):
        if place and parts[place - 1].by != part.by:
            table.section()
        name = WHOLE.get(part.by) or f"{part.by} {part.name or '(unnamed)'}"
        table.row(name, *(cells[place] for _, cells in kept))
    show_tables([table], ink, ("--json", "--html"))  # the rows of --csv are items
    for note in notes(comparison):
        ink.note(note)


def show_changes(comparison: Comparison, most: int, ink: Ink) -> None:
    """Print the first `most` items on which A does better, and those on which B does."""
    right = "right with A, wrong with B" if comparison.runs == (1, 1) else "right more often with A"
    wrong = "wrong with A, right with B" if comparison.runs == (1, 1) else "right more often with B"
    if not comparison.a_better and not comparison.b_better:
        return
    ink.blank()
    for changes, said in ((comparison.a_better, right), (comparison.b_better, wrong)):
        rest = len(changes) - most
        listed = ", ".join(change.id for change in changes[:most])
        more = f", ... and {rest:,} more (--json or --csv has all)" if most and rest > 0 else ""
        ink.note(f"{said}: {things(len(changes), 'item')}{f': {listed}{more}' if listed else ''}")
    ink.note("their prompts, gold answers and what was read from the replies: --html, --csv and --json")


def show_plan(planned: Planned, ink: Ink) -> None:
    """Print the items that differences need, or the differences that items show, and what that rests on."""
    if planned.warning:
        ink.line(f"Warning: {planned.warning}.", "bold")
        ink.blank()
    headings = [heading.replace(" in ", "\nin ") for heading in planned.columns()]
    table = TextTable(*map(Column, headings), title=planned.title)
    for cells in planned.cells():
        table.row(*cells)
    ink.table(table)
    for note in planned.notes():
        ink.note(note)
