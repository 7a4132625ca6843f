"""Differences between two participants, as the terminal and the page show them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from audit import notation
from audit.phenotype.comparison.pairs import MetricDifference
from audit.phenotype.report import words
from audit.report.terminal.ink import Ink
from audit.report.terminal.table import Column, TextTable

__all__ = ["METHOD", "WrittenPair", "pairs", "show_differences"]

METHOD = "95 % bootstrap intervals over runs, each for itself; p is corrected for all metrics of all pairs (Holm)"
"""What holds for every difference."""


class WrittenPair(NamedTuple):
    """All differences of two participants, written."""

    title: str
    rows: list[tuple[str, str, str, str]]
    """Metric, difference, its interval, corrected p."""
    notes: list[str]


def pairs(differences: Sequence[MetricDifference]) -> list[WrittenPair]:
    """The differences pair by pair, as they come."""
    made = []
    for (first, second), group in groupby(differences, key=lambda each: (each.first, each.second)):
        entries = list(group)
        rows = [
            (
                entry.title,
                notation.signed(entry.value, digits := words.decimals_of(entry.metric)),
                ""
                if entry.low is None
                else f"[{notation.kappa(entry.low, digits)}, {notation.kappa(entry.high, digits)}]",
                notation.p_value(entry.p_corrected),
            )
            for entry in entries
        ]
        reasons: dict[str, list[str]] = {}
        for entry in entries:
            if entry.reason:
                reasons.setdefault(entry.reason, []).append(entry.title)
        together = sum(entry.paired for entry in entries)
        how = (
            "the same episodes, resampled together"
            if together == len(entries)
            else "different episodes, resampled apart"
            if not together
            else "the same episodes in some tasks, resampled together"
        )
        notes = [how, *(f"{', '.join(titles)}: {reason}" for reason, titles in reasons.items())]
        made.append(WrittenPair(f"{first or 'unnamed'} minus {second or 'unnamed'}", rows, notes))
    return made


def show_differences(differences: Sequence[MetricDifference], ink: Ink) -> None:
    """Print a table for each pair, and below what to know; nothing where there is nothing to compare."""
    made = pairs(differences)
    for pair in made:
        table = TextTable(
            Column("metric", "phrases"),
            Column("difference"),
            Column("95 % CI", goes=1),
            Column("Holm p"),
            title=pair.title,
        )
        for row in pair.rows:
            table.row(*row)
        ink.blank()
        ink.table(table)
        ink.blank()
        for note in pair.notes:
            ink.item(note)
    if made:
        ink.line(METHOD, "dim")
