"""A comparison of two models for the terminal: the verdict, a table of its parts, notes, the items that changed."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf, isnan
from typing import TYPE_CHECKING

from audit.notation import kappa, p_is, p_value, points, things
from audit.paired.comparison import Comparison
from audit.paired.verdict import FEWEST_GROUPS
from audit.responses.hypotheses.power import ALPHA
from audit.responses.paired import FEW

if TYPE_CHECKING:
    from audit.paired.difference import Difference
    from audit.paired.planning import Plan
    from audit.paired.sides import Side
    from audit.report.terminal.ink import Ink

__all__ = ["show_changes", "show_comparison", "show_plan"]


def show_comparison(comparison: Comparison, ink: Ink) -> None:
    """Print the verdict in a sentence, a row per part, and what to know of the numbers."""
    from audit.report.terminal.table import Column, Table

    ink.line(_sentence(comparison), "bold")
    ink.blank()
    parts = comparison.parts
    grouped = any(part.difference.groups < part.difference.items for part in parts)
    columns: dict[str, list[str]] = {
        "items": [f"{part.difference.items:,}" for part in parts],
        "groups": [f"{part.difference.groups:,}" if grouped else "" for part in parts],
        "A": [points(part.difference.a) for part in parts],
        "B": [points(part.difference.b) for part in parts],
        "A - B": [_interval(part.difference) for part in parts],
        "se": [points(part.difference.se) for part in parts],
        "only A/B": [f"{part.difference.a_only:,}/{part.difference.b_only:,}" for part in parts],
        "p": [p_value(part.difference.p) for part in parts],
        "Holm\np": [p_value(part.p_holm) if part.by not in _WHOLE else "" for part in parts],
        "McNemar\np": [p_value(part.difference.mcnemar_p) if grouped else "" for part in parts],
        "equal\np": [p_value(part.equivalent_p_holm) for part in parts],
        "r": [_correlation(part.difference.correlation) for part in parts],
        "80 %\npower": [_found(part.difference.detectable) for part in parts],
        "verdict": [str(part.verdict) for part in parts],
    }
    kept = {title: cells for title, cells in columns.items() if any(cells)}
    table = Table(
        Column("% [95 % interval]", "phrases"),
        *(
            Column(title, "words" if title == "verdict" else "numbers",
                   goes=_GOING.index(title) if title in _GOING else None)
            for title in kept
        ),
        title=f"{comparison.benchmark}: A = {comparison.a}, B = {comparison.b}",
    )  # fmt: skip
    for place, part in enumerate(parts):
        if place and parts[place - 1].by != part.by:
            table.section()
        name = _WHOLE.get(part.by) or f"{part.by} {part.name or '(unnamed)'}"
        table.row(name, *(cells[place] for cells in kept.values()))
    if gone := ink.table(table):
        ink.note(f"too narrow for: {', '.join(gone)}".replace("\n", " "))
    for note in _notes(comparison, grouped):
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


def show_plan(rows: Sequence[Plan], between: tuple[Side, Side] | None, origin: str, ink: Ink) -> None:
    """Print the items that differences need, or the differences that items show, and what that rests on."""
    from audit.report.terminal.table import Column, Table

    design = rows[0].design
    grouped = design.group_size > 1
    ranged = not isnan(design.low)
    table = Table(
        Column("difference\nin points"),
        Column("items"),
        *([Column("groups")] if grouped else []),
        *([Column("between")] if ranged else []),
        title="Found with 80 % power, two-sided at 5 %"
        + (f": {between[0].title} and {between[1].title}" if between else ""),
    )
    for row in rows:
        low, high = sorted((row.low, row.high)) if ranged else (row.low, row.high)
        of_items = row.low != row.low or row.low >= 1 or row.low == 0
        span = f"{_count(low)} and {_count(high)} items" if of_items else f"{points(low)} and {points(high)} points"
        table.row(
            "none" if isnan(row.difference) else f"{100 * row.difference:.3g}",
            _count(row.items),
            *([_count(row.groups)] if grouped else []),
            *([span] if ranged else []),
        )
    ink.table(table)
    ends = f" [{points(design.low)}, {points(design.high)}]" if ranged else ""
    ink.note(f"items right with only one of the two: {points(design.discordant)} %{ends}, {origin}")
    if grouped:
        ink.note(
            f"groups of {design.group_size:.3g} items, intraclass correlation {_correlation(design.icc)}: "
            f"{design.effect:.2f} times as many items as without groups (design effect)"
        )
    if ranged:
        ink.note("between: at the ends of the 95 % interval of that share")


_WHOLE = {"all": "all", "clear": "both replies clear"}

_GOING = ("se", "r", "equal\np", "McNemar\np", "groups", "only A/B", "80 %\npower", "items")
"""Columns that a narrow terminal leaves out, first to last."""


def _sentence(comparison: Comparison) -> str:
    whole = comparison.whole
    measured = whole.difference
    margin = f"{100 * comparison.margin:g} points"
    scores = (
        f"{comparison.a} is right on {points(measured.a)} %, {comparison.b} on {points(measured.b)} % of "
        f"{things(measured.items, 'item')}"
    )
    what = f"{scores}: {_interval(measured)} points, {p_is(measured.p)}"
    if whole.verdict == "INCONCLUSIVE":
        few = measured.items < FEW
        reason = (
            f"fewer than {FEW} items in common" if few else f"fewer than {FEWEST_GROUPS} independent groups of items"
        )
        return f"INCONCLUSIVE: {reason}. {what}."
    if whole.verdict == "equivalent":
        return f"Equivalent: the difference is smaller than {margin} ({p_is(measured.equivalent_p)}). {what}."
    if whole.verdict == "no difference shown":
        shown = _found(measured.detectable)
        least = f" A true difference of {shown} points would have been found 80 % of the time." if shown else ""
        return f"No difference shown, and none of {margin} ruled out. {what}.{least}"
    small = f" The difference is smaller than {margin}." if measured.equivalent_p <= ALPHA else ""
    return f"{whole.verdict}: {what}.{small}"


def _notes(comparison: Comparison, grouped: bool) -> list[str]:
    parts = comparison.parts
    notes = []
    if grouped:
        notes.append(
            "p: exact, could A and B change places in every group (sign-flip test over groups); McNemar p takes items "
            "that share a group for independent, which they are not; intervals and se count groups"
        )
    else:
        notes.append("p: exact test of McNemar; every item is a group of its own")
    if any(part.by not in _WHOLE for part in parts):
        notes.append("Holm p: corrected over the subsets, or over the conditions; it makes their verdicts")
    notes.append(
        f"equal p: a small one rules out a true difference of {100 * comparison.margin:g} points or more (two "
        "one-sided tests); 80 % power: the smallest difference that would be found so often, in points"
    )
    doubts: dict[str, list[str]] = {}
    for part in parts:
        if part.difference.note:
            doubts.setdefault(part.difference.note, []).append(part.name or _WHOLE.get(part.by, part.by))
    notes += [f"{note}: {', '.join(where)}" if len(parts) > 1 else note for note, where in doubts.items()]
    whole = parts[0]
    for what, (a, b) in (("without one clear answer", whole.unparsed), ("missing", whole.missing)):
        if a or b:
            notes.append(f"replies {what}, counted as wrong: A {a:,}, B {b:,}")
    if any(part.by == "clear" for part in parts):
        notes.append(
            "both replies clear: without items whose replies are missing or unclear, which may be the hard ones"
        )
    if any(comparison.left_out):
        a, b = comparison.left_out
        notes.append(f"items that only one of the two was asked, left out: A {a:,}, B {b:,}")
    if comparison.skipped:
        notes.append(f"items without a reply of both, left out: {comparison.skipped:,}")
    return notes


def _interval(measured: Difference) -> str:
    if isnan(measured.difference):
        return ""
    low, high = max(measured.low, -1.0), min(measured.high, 1.0)
    text = points(measured.difference, "+")
    return text if isnan(measured.low) else f"{text} [{points(low)}, {points(high)}]"


def _found(share: float) -> str:
    return "" if isnan(share) else "> 100" if share > 1 else f"{100 * share:.1f}"


def _correlation(value: float) -> str:
    return "" if isnan(value) else kappa(value)


def _count(number: float) -> str:
    return "" if isnan(number) else "no number" if isinf(number) else f"{number:,.0f}"
