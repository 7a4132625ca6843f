"""Differences as tables: between matched conditions, between all models, and between two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import isnan
from typing import Final

from hansproof.audit.models.comparison import Comparison, OverRuns, foremost
from hansproof.audit.models.contrast import Contrast, clear_notes
from hansproof.audit.models.matching import INCOMPLETE, contrast_name, guessed_note, why_none
from hansproof.audit.models.scores import Report
from hansproof.audit.notation import NAMELESS, count, first_of, gathered, listed, points, points_within, things
from hansproof.audit.replies.grid import NOT_ASKED
from hansproof.audit.replies.judged_reply import Judged
from hansproof.audit.report import comparison_words, terms
from hansproof.audit.report.comparison_words import changed_items, ends, notes, sentence
from hansproof.audit.report.document import Column, ReportTable, filled, sections, tabulated
from hansproof.audit.report.plan_words import Planned
from hansproof.audit.report.study_differences import only_term
from hansproof.audit.report.study_scores import uncompared
from hansproof.audit.report.terminal import Ink
from hansproof.audit.report.terms import CONTRASTS, SCREEN, WHOLE, comparison_columns
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
    "show_effect_notes",
    "show_plan",
    "why_no_effects",
]


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


def effect_tables(effects: Sequence[Contrast]) -> list[ReportTable]:
    """One table of the whole subsets and one of the slices, if there are any; none without effects.

    Effects, their 95 % intervals and the smallest effects found about 80 % of the time after Holm's correction are
    percentage points of accuracy.
    """
    whole = [effect for effect in effects if not effect.by]
    if not whole:
        return []
    label = _labels(whole)
    title = "Effects in percentage points [95 % interval]"
    tables = [_table("original - perturbed", title, _EFFECT_COLUMNS, [(label(effect), effect) for effect in whole])]
    if sliced := [effect for effect in effects if effect.by]:
        title = "Effects by slice; Holm's correction is over the slices of a subset"
        named = [*sections(sliced, label, lambda effect: f"{effect.by} {effect.name}")]
        tables.append(_table("by slice", title, _EFFECT_COLUMNS, named))
    return tables


def effect_notes(effects: Sequence[Contrast]) -> list[str]:
    """Lines below the tables: what is compared, what cannot be relied on and where, what is missing."""
    whole = [effect for effect in effects if not effect.by]
    label = _labels(whole)
    contrasts = gathered(
        (contrast_name("", effect.first, effect.second), effect.subset) for effect in whole if effect.subset
    )
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
            f"{terms.DETECTABLE}{' (no slice has the pairs for it)' if unsliced else ''}: the smallest effect "
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


def show_effect_notes(reports: Sequence[Report], ink: Ink) -> None:
    """Print the lines below the tables of all models, each once."""
    said = shared_notes(
        [(report.title or NAMELESS, [*effect_notes(report.effects), uncompared(report)]) for report in reports]
    )
    if said and len(reports) > 1:
        ink.blank()
    for note in said:
        ink.note(note)


def shared_notes(models: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """The notes of several models, by title, each once: with the models in front, unless it is one of all of them."""
    said = gathered((line, title) for title, lines in models for line in lines if line)
    return [line if len(titles) == len(models) else f"{first_of(titles)}: {line}" for line, titles in said.items()]


def _labels(whole: Sequence[Contrast]) -> Callable[[Contrast], str]:
    """What an effect is called: its subset, with the perturbation where the subset has several; or both conditions."""
    counts = Counter(effect.subset for effect in whole)

    def label(effect: Contrast) -> str:
        if not effect.subset:
            return contrast_name("", effect.first, effect.second)
        return effect.subset if counts[effect.subset] == 1 else f"{effect.subset}: {effect.second}"

    return label


_EFFECT_COLUMNS: Final[tuple[Column[Contrast], ...]] = (
    Column(terms.EFFECT, CONTRASTS["A - B"].cell),
    Column(terms.P, CONTRASTS["p"].cell, goes=1),
    Column(terms.HOLM_P, CONTRASTS["Holm p"].cell),
    Column(terms.T_P, CONTRASTS["t-test p"].cell, goes=0),
    Column(terms.PAIRS, CONTRASTS["items"].cell, goes=5),
    Column(terms.BOTH_RIGHT, CONTRASTS["both right"].cell, goes=3),
    Column(terms.ONLY, CONTRASTS["only A/B"].cell, goes=4),
    Column(terms.DETECTABLE, CONTRASTS["detectable"].cell, goes=2),
)


def _table(
    first: str, title: str, fields: Sequence[Column[Contrast]], named: Sequence[tuple[str, Contrast] | str]
) -> ReportTable:
    """A row per contrast, without the columns that would be empty."""
    return tabulated(title, first, filled(fields, [row[1] for row in named if not isinstance(row, str)]), named)


_MODELS: Final = 8
"""Models between which differences are shown."""


def difference_table(differences: Sequence[Contrast]) -> ReportTable | None:
    """One row per pair of models, of many models those that are right most often; None where there is none."""
    if not differences:
        return None
    shown = foremost(differences, _MODELS)
    more = ""
    if len(shown) < len(differences):
        more = f": the {_MODELS} that are right most often; --json and --csv have all {len(differences):,}"
    fields: list[Column[Contrast]] = [
        Column(f"{terms.POINTS} [95 % interval]", CONTRASTS["A - B"].cell),
        Column(terms.SE, CONTRASTS["se"].cell, goes=0),
        Column("Holm p", CONTRASTS["Holm p"].cell),
        Column(terms.ITEMS, CONTRASTS["items"].cell),
        Column(only_term(shown), CONTRASTS["only A/B"].cell, goes=1),
        Column(terms.CLEAR_POINTS, CONTRASTS["clear points"].cell, goes=3),
        Column(terms.CLEAR_ITEMS, CONTRASTS["clear items"].cell, goes=2),
    ]
    named = [(each.title, each) for each in shown]
    return _table("difference", f"differences between models on common items{more}", fields, named)


_RUNS: Final[tuple[Column[OverRuns], ...]] = (
    Column(f"{terms.RIGHT} [95 % interval]", lambda each: points_within(each.right, each.low, each.high) or each.note),
    Column(terms.SE, lambda each: points(each.se), goes=0),
    Column(terms.ITEMS, lambda each: count(each.items)),
)


def runs_table(every: Sequence[OverRuns]) -> ReportTable | None:
    """One row per model of several runs, and one for each of its subsets; None where each has one run."""
    title = "right answers in %, over all runs of a model: an item counts with the mean of its runs"
    named = [(listed(each.title, each.subset and f"subset {each.subset}"), each) for each in every]
    return tabulated(title, "mean over runs", _RUNS, named) if named else None


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
    named = sections(
        comparison.parts,
        lambda part: part.by,
        lambda part: WHOLE.get(part.by) or f"{part.by} {part.name or '(unnamed)'}",
    )
    title = f"{comparison.benchmark}: A = {comparison.a}, B = {comparison.b}"
    fields = comparison_columns(SCREEN, comparison)
    table = tabulated(title, "% [95 % interval]", fields, named, headings=False)
    show_tables([table], ink, ("--json", "--html"))  # the rows of --csv are items
    for note in notes(comparison):
        ink.note(note)


def show_changes(comparison: Comparison, most: int, ink: Ink) -> None:
    """Print the first `most` items on which A does better, and those on which B does."""
    if not comparison.a_better and not comparison.b_better:
        return
    ink.blank()
    for changes, said in changed_items(comparison):
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
    rows = planned.rows()
    table = ReportTable(planned.title, [Column(heading.replace(" in ", "\nin ")) for heading in rows[0]])
    for row in rows:
        table.row(*row.values())
    ink.table(table)
    for note in planned.notes():
        ink.note(note)
