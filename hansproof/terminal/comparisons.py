"""A comparison of two models for the terminal: the verdict, a table of its parts, notes, the items that changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.notation import things
from audit.paired.comparison import Comparison
from audit.paired.wording.sentences import WHOLE, notes, sentence
from audit.study.columns import SCREEN, filled
from hansproof.terminal.reports import show_tables

if TYPE_CHECKING:
    from audit.paired.planned import Planned
    from audit.report.terminal.ink import Ink

__all__ = ["show_changes", "show_comparison", "show_plan"]


def show_comparison(comparison: Comparison, ink: Ink) -> None:
    """Print the verdict in a sentence, a row per part, and what to know of the numbers."""
    from audit.report.terminal.table import Column, TextTable

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
    from audit.report.terminal.table import Column, TextTable

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
