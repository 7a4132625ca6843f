"""What hardening did, in the terminal: the goal, the audits before and after, the steps and what they cost."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.text import Text

from audit import notation
from audit import notation as plaintext
from audit.repair.records import HardenResult, KappaReading, Reading
from audit.report import words
from audit.report.terminal.ink import Ink
from audit.report.terminal.table import Column, TextTable

__all__ = ["show_repair"]

_COLOURS: Final = {"clean": "green", "no fault shown": "green", "nothing to repair": "green", "not reached": "red"}


def show_repair(result: HardenResult, console: Console) -> None:
    """Print one screen. The kappa of the held-out items is the number to quote, and the caution is always there."""
    ink = Ink(console)
    head = (f" {result.goal.upper()} ", f"bold reverse {_COLOURS[result.goal]}")
    ink.print(Text.assemble(head, " ", (ink.one_line(result.name, 50), "bold")))
    ink.item(plaintext.one_line(words.sentence(result.reason), 1200), mark="")
    share = notation.per_cent(result.kept / max(result.items, 1))
    ink.fact("kept", f"{notation.count(result.kept)} of {notation.count(result.items)} items ({share})")
    if result.reordered:
        ink.fact("reordered", f"the options of {notation.count(result.reordered)} of them; --removed lists these too")
    if result.not_reordered:
        ink.fact("", plaintext.one_line(f"Options were not reordered: {result.not_reordered}.", 600))
    if result.after is not None or result.steps:
        ink.blank()
        ink.table(_readings(result, ink))
        ink.line("kappa: of the feature vector that the first verdict was about; largest: of all vectors", "dim")
    if result.steps:
        ink.blank()
        ink.table(_steps(result))
        ink.line("kappa: of the vector that was the strongest on the choosing items after the step", "dim")
    if result.held_out_after is not None:
        ink.blank()
        ink.fact("honest", plaintext.one_line(_honest(result), 600))
    if any(step.kind == "filter" for step in result.steps):
        ink.fact("", "Removing what was predicted right leaves a kappa below 0 on the choosing items: do not quote it.")
    ink.blank()
    ink.fact("caution", result.caution)


def _honest(result: HardenResult) -> str:
    old = result.held_out_before.first if result.held_out_before else None
    new = result.held_out_after.first if result.held_out_after else None
    if old is None or new is None or result.change is None:
        return "the kappa of the held-out items is undefined"
    change = notation.signed(result.change)
    ends = notation.interval(result.change_low, result.change_high)
    said = (
        f"on groups without a say in the choice, kappa of {old.label} was {_kappa(old)} and is {_kappa(new)}: {change}"
    )
    if result.change_low is None or result.change_high is None:
        return f"{said}, with an undefined interval."
    shown = "" if result.change_low > 0 or result.change_high < 0 else ", which shows no change"
    return f"{said} {ends}{shown}."


def _kappa(of: KappaReading) -> str:
    return f"{notation.kappa(of.kappa)} {notation.interval(of.low, of.high)}".strip()


def _readings(result: HardenResult, ink: Ink) -> TextTable:
    table = TextTable(
        Column("audit of", "phrases"), Column("items"), Column("verdict", "words"), Column("kappa"), Column("95 %"),
        Column("largest", goes=0), Column("splits", goes=1),
    )  # fmt: skip
    for name, reading in (
        ("all items", result.before),
        ("all that are left", result.after),
        ("held-out items", result.held_out_before),
        ("held-out items that are left", result.held_out_after),
    ):
        if reading is not None:
            table.row(name, notation.count(reading.items), _verdict(reading, ink), *_cells(reading))
    return table


def _verdict(reading: Reading, ink: Ink) -> Text:
    look = words.VERDICTS[reading.verdict]
    return Text(f"{ink.symbol(look)} {reading.verdict}", style=f"bold {look.colour}")


def _cells(reading: Reading) -> list[str]:
    first, strongest = reading.first, reading.strongest
    return [
        notation.kappa(first.kappa) if first else "",
        (notation.interval(first.low, first.high) or "") if first else "",
        notation.kappa(strongest.kappa) if strongest else "",
        str(reading.splits),
    ]


def _steps(result: HardenResult) -> TextTable:
    table = TextTable(
        Column("step", "phrases"), Column("removes"), Column("left"), Column("kappa,\nchoosing"),
        Column("kappa,\nheld out"),
    )  # fmt: skip
    for number, step in enumerate(result.steps, 1):
        table.row(
            plaintext.one_line(f"{number}. {step.rule}", 90),
            notation.count(step.removed_chosen + step.removed_held_out),
            notation.count(step.kept),
            notation.kappa(step.kappa_chosen),
            notation.kappa(step.kappa_held_out),
        )
    return table
