"""A comparison of two models, and the plan of one, on the screen and as one HTML page each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from hansproof.audit import notation
from hansproof.audit.models.comparison import Comparison
from hansproof.audit.models.contrast import Contrast, Word
from hansproof.audit.report import terms, words
from hansproof.audit.report.comparison_words import changed_items, changed_tables, notes, sentence
from hansproof.audit.report.document import (
    FOOTER,
    Banner,
    Column,
    Document,
    Fold,
    KeyFigure,
    KeyFigures,
    Note,
    Part,
    ReportTable,
    Section,
    between,
    listed,
    per_cent,
    points,
    sections,
    tabulated,
)
from hansproof.audit.report.html import page
from hansproof.audit.report.plan_words import TITLE, Planned
from hansproof.audit.report.terminal import Ink
from hansproof.audit.report.terms import PAGE, SCREEN, WHOLE, comparison_columns, grouped, measured
from hansproof.audit.report.words import VERDICTS

__all__ = ["render_comparison", "render_plan", "show_changes", "show_comparison", "show_plan"]

_LOOKS: Final[dict[Word, tuple[str, str]]] = {
    "A better": (VERDICTS["TRACES"].key, "A > B"),
    "B better": (VERDICTS["TRACES"].key, "A < B"),
    "equivalent": (VERDICTS["CLEAN"].key, "A = B"),
    "no difference shown": (VERDICTS["INCONCLUSIVE"].key, "A ? B"),
    "INCONCLUSIVE": (VERDICTS["NOT ASSESSED"].key, "?"),
}
"""Key of the style sheet, and a sign."""


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
    ink.parts([table], ("--json", "--html"))  # the rows of --csv are items
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
        ink.note(f"{said}: {notation.things(len(changes), 'item')}{f': {listed}{more}' if listed else ''}")
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


def render_comparison(comparison: Comparison, files: Sequence[str] = (), remarks: Sequence[str] = ()) -> str:
    """The comparison as a self-contained document; `files` were read, and `remarks` say what of them is not used.

    The same comparison gives the same text.
    """
    key, symbol = _LOOKS[comparison.whole.verdict]
    sides = {"A": (comparison.a, comparison.runs[0]), "B": (comparison.b, comparison.runs[1])}
    named = [
        Note(f"{name}{f', the mean of {runs} runs' if runs > 1 else ''}", "fact", side)
        for side, (name, runs) in sides.items()
    ]
    legend = words.SECTIONS["comparison"]["legend"].format(margin=f"{100 * comparison.margin:g}")
    parts: list[Part] = [_parts(comparison), Note(legend, "legend"), Fold("All numbers", [_numbers(comparison)])]
    changed: list[Part] = [
        Fold(heading, [table]) if table.rows else Note(heading, "legend")
        for heading, table in changed_tables(comparison)
    ]
    shown = Document(
        "Comparison on the same items",
        f"{comparison.a} and {comparison.b} on {comparison.benchmark}",
        [
            Section("Key numbers", "numbers", [*named, KeyFigures(_comparison_figures(comparison))], is_hidden=True),
            Section("The difference, part by part", "parts", [*parts, *listed(notes(comparison))]),
            Section("Items that changed", "changed", changed),
            *_read(files, remarks),
            Section("Method", "method", listed(words.SECTIONS["comparison"]["method"].split("\n"))),
        ],
        banner=Banner(key, symbol, "", sentence(comparison)),
        footer=FOOTER,
    )
    return page(shown)


def _read(files: Sequence[str], remarks: Sequence[str]) -> list[Section]:
    read = listed([*(notation.last_part(file, 300) for file in files), *remarks])
    return [Section("What was read", "read", read)] if read else []


def _comparison_figures(comparison: Comparison) -> list[KeyFigure]:
    measured = comparison.whole.difference
    of = f"of {notation.things(measured.items, 'item')}"
    ends = between(measured.low, measured.high, signed=True)
    groups = f"in {notation.things(measured.groups, 'group')}" if grouped(comparison) else "that both were asked"
    return [
        KeyFigure("A: per cent right", per_cent(measured.a) or notation.UNDEFINED, of),
        KeyFigure("B: per cent right", per_cent(measured.b) or notation.UNDEFINED, of),
        KeyFigure("A − B in points", points(measured.difference) or notation.UNDEFINED, ends or "no interval"),
        KeyFigure("Items", notation.count(measured.items), groups),
    ]


def _parts(comparison: Comparison) -> ReportTable:
    """The difference in each part, its interval and its verdict, with a drawing between the ends of the margin."""
    margin = comparison.margin
    scale, (apart, ends, drawing) = measured("A − B", comparison.parts, -margin, margin)
    # The verdict stands first, where a phone shows it, and p is that which makes it.
    verdict: Column[Contrast] = Column("verdict", lambda part: part.verdict, holds="words")
    p: Column[Contrast] = Column(terms.P, lambda part: notation.p_value(part.p_holm))
    fields = [verdict, apart, ends, p, drawing]
    table = tabulated("A less B in percentage points", "Part", fields, _named(comparison), scale=scale)
    return replace(table, limits=(scale.at(-margin), scale.at(margin)))


def _named(comparison: Comparison) -> Iterator[tuple[str, Contrast] | str]:
    """The parts by their names, below the heading of each cut."""
    return sections(
        comparison.parts,
        lambda part: "" if part.by in WHOLE else f"by {part.by}",
        lambda part: WHOLE.get(part.by) or part.name or "(unnamed)",
    )


def _numbers(comparison: Comparison) -> ReportTable:
    """Everything else that was measured in each part; columns that would be empty are left out."""
    fields = comparison_columns(PAGE, comparison)
    return tabulated("All numbers of the comparison", "Part", fields, _named(comparison), css="full dense")


def render_plan(planned: Planned, files: Sequence[str] = (), remarks: Sequence[str] = ()) -> str:
    """The plan as a self-contained document; `files` were read, and `remarks` say what of them is not used.

    The same plan gives the same text.
    """
    rows = planned.rows()
    table = ReportTable(TITLE, [*map(Column, rows[0])])
    for row in rows:
        table.row(*row.values())
    between = f" for {planned.between[0]} and {planned.between[1]}" if planned.between else ""
    warning = f"{planned.warning[:1].upper()}{planned.warning[1:]}."
    shown = Document(
        "Plan of a comparison",
        f"How many items a difference takes{between}",
        [
            Section("Key numbers", "numbers", [KeyFigures(_plan_figures(planned))], is_hidden=True),
            Section("Items and differences", "plan", [table, *listed(planned.notes())]),
            *_read(files, remarks),
            Section("Method", "method", listed([words.SECTIONS["plan"]["method"]])),
        ],
        banner=Banner(VERDICTS["INCONCLUSIVE"].key, "!", "", warning) if planned.warning else None,
        footer=FOOTER,
    )
    return page(shown)


def _plan_figures(planned: Planned) -> list[KeyFigure]:
    """What each row says, in large: the items that a difference takes, or the difference that items find."""
    figures = []
    for place, row in enumerate(planned.rows()):
        difference, items = row["difference in points"], row["items"]
        counted = f"{items} {'item' if items == '1' else 'items'}" if items[:1].isdigit() else items
        asked = f"{difference} {'point' if difference == '1' else 'points'}" if difference[:1].isdigit() else difference
        groups = f"in {row['groups']} groups" if row.get("groups", "")[:1].isdigit() else ""
        note = "; ".join(filter(None, (groups, f"between {row['between']}" if "between" in row else "")))
        of_items = place < len(planned.needs)
        name, value = (f"To find {asked}", counted) if of_items else (f"{counted} find", asked)
        figures.append(KeyFigure(name, value, note))
    return figures
