"""What changed between two audits, and what hardening did, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from hansproof.audit import notation
from hansproof.audit.notation import drawn
from hansproof.audit.repair.records import HardenResult, KappaReading, Reading, RepairStep
from hansproof.audit.report import words
from hansproof.audit.report.document import Column, ReportTable, tabulated
from hansproof.audit.report.terminal import Ink
from hansproof.audit.result.audit_result import Verdict
from hansproof.audit.result.changes import Comparison, CueChange, Diff, KappaChange

__all__ = ["show_diff", "show_repair"]

_LISTED = 6
_KAPPAS = 8
"""Rows of the table of kappas, the largest changes first."""


def show_diff(diff: Diff, console: Console) -> None:
    """Print one block for each benchmark that changed, one line for all that did not, and what came and went."""
    ink = Ink(console)
    alike = 0
    for comparison in diff.benchmarks:
        kept = comparison.same_file and comparison.comparable and comparison.old_verdict == comparison.new_verdict
        if len(diff.benchmarks) > 1 and kept:
            alike += 1
            continue
        _show(comparison, ink)
        ink.blank()
    if alike:
        ink.line(f"{notation.things(alike, 'benchmark')} unchanged")
    for title, names in (
        ("only in the new audit", diff.added),
        ("only in the old audit", diff.removed),
        ("can no longer be audited", diff.failures),
    ):
        if names:
            ink.line(title, "bold")
            for name in names:
                ink.item(notation.one_line(name, 300))
    said = "WORSE than before" if diff.worse else "not worse than before" if diff.comparable else "not comparable"
    ink.line(f"verdict: {said}", "bold")


def _show(comparison: Comparison, ink: Ink) -> None:
    parts: list[str | tuple[str, str]] = [_verdict_cells(comparison.old_verdict, ink)]
    if comparison.old_verdict != comparison.new_verdict:
        parts += [ink.fit(" → "), _verdict_cells(comparison.new_verdict, ink)]
    elif comparison.same_file:
        parts += [" as before, same file"]
    else:
        parts += [" as before"]
    ink.print(Text.assemble(*parts, "  ", (ink.one_line(comparison.name, 50), "bold")))
    if comparison.old_verdict != comparison.new_verdict:
        ink.item(notation.one_line(words.sentence(comparison.reason), 1200), mark="")
    if comparison.old_items != comparison.new_items:
        gain = comparison.new_items - comparison.old_items
        old, new = notation.count(comparison.old_items), notation.count(comparison.new_items)
        ink.fact("items", f"{old} -> {new} ({'+' if gain > 0 else '-'}{notation.count(abs(gain))})")
    if comparison.labels:
        shown = [
            f"{notation.one_line(drawn(change.label), 24)} {change.old:,} -> {change.new:,}"
            for change in comparison.labels[:_LISTED]
        ]
        ink.fact("answers", notation.first_of(shown, len(shown), len(comparison.labels)))
    for name, changes in (("settings", comparison.settings), ("versions", comparison.versions)):
        if changes:
            said = [
                f"{change.name} {notation.one_line(change.old, 40)} -> {notation.one_line(change.new, 40)}"
                for change in changes[:_LISTED]
            ]
            ink.fact(name, notation.first_of(said, len(said), len(changes)))
    if comparison.kappas and not (comparison.same_file and comparison.comparable):
        ink.blank()
        ink.table(_kappas(comparison.kappas[:_KAPPAS]))
        if len(comparison.kappas) > _KAPPAS:
            ink.line(f"and {len(comparison.kappas) - _KAPPAS} smaller changes, in --json", "dim")
        what = (
            "advantage over the best constant"
            if comparison.kappas[0].scheme == "open"
            else "kappa of matched predictions"
        )
        ink.line(f"{what}, with the 95 % interval of the change", "dim")
    _cues("new cues", comparison.cues, ink)
    _cues("gone", comparison.gone, ink)
    for index, note in enumerate(comparison.notes):
        ink.fact("" if index else "notes", notation.one_line(note, 400))


def _verdict_cells(verdict: Verdict, ink: Ink) -> tuple[str, str]:
    look = words.VERDICTS[verdict]
    return ink.fit(f" {look.symbol} {verdict} "), f"bold reverse {look.colour}"


_CHANGES: Final[tuple[Column[KappaChange], ...]] = (
    Column("folds", lambda change: change.scheme, holds="words"),
    Column("old", lambda change: notation.kappa(change.old)),
    Column("new", lambda change: notation.kappa(change.new)),
    Column("change", lambda change: notation.signed(change.change)),
    Column("95 %", lambda change: notation.interval(change.low, change.high)),
)


def _kappas(kappas: Sequence[KappaChange]) -> ReportTable:
    named = [(notation.one_line(change.label, 60), change) for change in kappas]
    return tabulated("", Column("feature vector", holds="text"), _CHANGES, named)


def _cues(title: str, cues: Sequence[CueChange], ink: Ink) -> None:
    if cues:
        said = [
            f"“{notation.one_line(drawn(cue.ngram), 30)}” for {notation.one_line(drawn(cue.label), 16)} "
            f"{cue.count_label}/{cue.count}"
            for cue in cues[:_LISTED]
        ]
        ink.fact(title, notation.first_of(said, _LISTED, len(cues)))


_COLOURS: Final = {"clean": "green", "no fault shown": "green", "nothing to repair": "green", "not reached": "red"}


def show_repair(result: HardenResult, console: Console) -> None:
    """Print one screen. The kappa of the held-out items is the number to quote, and the caution is always there."""
    ink = Ink(console)
    head = (f" {result.goal.upper()} ", f"bold reverse {_COLOURS[result.goal]}")
    ink.print(Text.assemble(head, " ", (ink.one_line(result.name, 50), "bold")))
    ink.item(notation.one_line(words.sentence(result.reason), 1200), mark="")
    share = notation.per_cent(result.kept / max(result.items, 1))
    ink.fact("kept", f"{notation.count(result.kept)} of {notation.count(result.items)} items ({share})")
    if result.dropped:
        ink.fact("dropped", f"{notation.things(result.dropped, 'further item')} before anything else, as the list says")
    if result.reordered:
        ink.fact("reordered", f"the options of {notation.count(result.reordered)} of them; --removed lists these too")
    if result.not_reordered:
        ink.fact("", notation.one_line(f"Options were not reordered: {result.not_reordered}.", 600))
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
        ink.fact("honest", notation.one_line(_honest(result), 600))
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


def _readings(result: HardenResult, ink: Ink) -> ReportTable:
    columns: list[Column[Reading]] = [
        Column("items", lambda reading: notation.count(reading.items)),
        Column("verdict", lambda reading: ink.verdict(reading.verdict), holds="words"),
        Column("kappa", lambda reading: notation.kappa(reading.first.kappa) if reading.first else ""),
        Column(
            "95 %", lambda reading: notation.interval(reading.first.low, reading.first.high) if reading.first else ""
        ),
        Column("largest", lambda reading: notation.kappa(reading.strongest.kappa) if reading.strongest else "", 0),
        Column("splits", lambda reading: str(reading.splits), 1),
    ]
    readings = {
        "all items": result.before,
        "all that are left": result.after,
        "held-out items": result.held_out_before,
        "held-out items that are left": result.held_out_after,
    }
    return tabulated("", "audit of", columns, [(name, of) for name, of in readings.items() if of is not None])


_STEPS: Final[tuple[Column[RepairStep], ...]] = (
    Column("removes", lambda step: notation.count(step.removed_chosen + step.removed_held_out)),
    Column("left", lambda step: notation.count(step.kept)),
    Column("kappa,\nchoosing", lambda step: notation.kappa(step.kappa_chosen)),
    Column("kappa,\nheld out", lambda step: notation.kappa(step.kappa_held_out)),
)


def _steps(result: HardenResult) -> ReportTable:
    named = [(notation.one_line(f"{number}. {step.rule}", 90), step) for number, step in enumerate(result.steps, 1)]
    return tabulated("", "step", _STEPS, named)
