"""The ladder in the terminal, one row per rung, and the parts of the prompt in a sentence."""

from __future__ import annotations

from rich.text import Text

from audit import notation
from audit import notation as plaintext
from audit.report.terminal.ink import Ink
from audit.report.terminal.table import OUTPUTS, Column, TextTable, too_narrow
from audit.result.shortcuts import Ladder, PartialInputs

__all__ = ["ladder_table", "partial_sentence", "show_ladder"]


def show_ladder(ladder: Ladder, ink: Ink) -> None:
    """Print the table, and below it what its mark and its columns mean."""
    ink.blank()
    gone = ink.table(ladder_table(ladder, ink))
    marks = [f"{_mark(ink)} the simplest that is enough"] if ladder.enough else []
    marks += ["gain: over the rung before, with its paired interval" if "gain" not in gone else ""]
    ink.line("; ".join(mark for mark in [*marks, *too_narrow(gone, OUTPUTS)] if mark), "dim")


def _mark(ink: Ink) -> str:
    """Of the rung that is enough: another one than that of the vector which the verdict is about."""
    return "#" if ink.ascii_only else "★"


def ladder_table(ladder: Ladder, ink: Ink) -> TextTable:
    """Rung, kappa with its interval, what it adds to the rung before, and what it sees."""
    table = TextTable(
        Column("ladder", "text"),
        Column("kappa"),
        Column("95 %", goes=2),
        Column("gain", goes=3),
        Column("95 % of gain", goes=1),
        Column("sees", "text", goes=0),
    )
    for rung in ladder.rungs:
        enough = rung.name == ladder.enough
        mark = _mark(ink) if enough else " "
        table.row(
            Text(f"{mark} {plaintext.one_line(rung.label, 33)}", style="bold" if enough else ""),
            notation.kappa(rung.kappa),
            notation.interval(rung.low, rung.high),
            "" if rung.gain is None else notation.signed(rung.gain),
            notation.interval(rung.gain_low, rung.gain_high),
            plaintext.one_line(rung.sees, 60),
        )
    return table


def partial_sentence(partial: PartialInputs) -> str:
    """Every partial input with its kappa, interval and p, then whole prompts; empty if there was nothing to look at."""
    if not partial.inputs:
        return ""
    each = [
        f"{entry.name}: {'kappa ' if index == 0 else ''}{notation.kappa(entry.kappa)} "
        f"{notation.interval(entry.low, entry.high)}, {notation.p_is(entry.p)}"
        for index, entry in enumerate(partial.inputs)
    ]
    whole = "options and whole questions" if partial.inputs[0].name == "options only" else "whole prompts"
    return f"{'; '.join(each)}; {whole}, same feature vectors: {notation.kappa(partial.whole)}"
