"""What changed between two audits, in the terminal: verdicts first, then kappas, answers, n-grams and settings."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from audit import notation
from audit import notation as plaintext
from audit.notation import drawn
from audit.report import words
from audit.report.terminal.ink import Ink
from audit.report.terminal.table import Column, TextTable
from audit.result.audit_result import Verdict
from audit.result.changes import Comparison, CueChange, Diff, KappaChange

__all__ = ["show_diff"]

_LISTED = 6
_KAPPAS = 8
"""Rows of the table of kappas, the largest changes first."""


def show_diff(diff: Diff, console: Console) -> None:
    """Print one block for each benchmark that changed, one line for all that did not, and what came and went."""
    ink = Ink(console)
    alike = 0
    for comparison in diff.benchmarks:
        if len(diff.benchmarks) > 1 and _is_unchanged(comparison):
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
                ink.item(plaintext.one_line(name, 300))
    said = "WORSE than before" if diff.worse else "not worse than before" if diff.comparable else "not comparable"
    ink.line(f"verdict: {said}", "bold")


def _is_unchanged(comparison: Comparison) -> bool:
    return comparison.same_file and comparison.comparable and comparison.old_verdict == comparison.new_verdict


def _show(comparison: Comparison, ink: Ink) -> None:
    parts: list[str | tuple[str, str]] = [_verdict(comparison.old_verdict, ink)]
    if comparison.old_verdict != comparison.new_verdict:
        parts += [ink.fit(" → "), _verdict(comparison.new_verdict, ink)]
    elif comparison.same_file:
        parts += [" as before, same file"]
    else:
        parts += [" as before"]
    ink.print(Text.assemble(*parts, "  ", (ink.one_line(comparison.name, 50), "bold")))
    if comparison.old_verdict != comparison.new_verdict:
        ink.item(plaintext.one_line(words.sentence(comparison.reason), 1200), mark="")
    if comparison.old_items != comparison.new_items:
        gain = comparison.new_items - comparison.old_items
        old, new = notation.count(comparison.old_items), notation.count(comparison.new_items)
        ink.fact("items", f"{old} -> {new} ({'+' if gain > 0 else '-'}{notation.count(abs(gain))})")
    if comparison.labels:
        shown = [
            f"{plaintext.one_line(drawn(change.label), 24)} {change.old:,} -> {change.new:,}"
            for change in comparison.labels[:_LISTED]
        ]
        ink.fact("answers", ", ".join(_more(shown, len(comparison.labels))))
    for name, changes in (("settings", comparison.settings), ("versions", comparison.versions)):
        if changes:
            said = [
                f"{change.name} {plaintext.one_line(change.old, 40)} -> {plaintext.one_line(change.new, 40)}"
                for change in changes[:_LISTED]
            ]
            ink.fact(name, ", ".join(_more(said, len(changes))))
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
        ink.fact("" if index else "notes", plaintext.one_line(note, 400))


def _verdict(verdict: Verdict, ink: Ink) -> tuple[str, str]:
    look = words.VERDICTS[verdict]
    return ink.fit(f" {ink.symbol(look)} {verdict} "), f"bold reverse {look.colour}"


def _kappas(kappas: Sequence[KappaChange]) -> TextTable:
    table = TextTable(
        Column("feature vector", "text"), Column("folds", "words"), Column("old"), Column("new"), Column("change"),
        Column("95 %"),
    )  # fmt: skip
    for change in kappas:
        table.row(
            plaintext.one_line(change.label, 60),
            change.scheme,
            notation.kappa(change.old),
            notation.kappa(change.new),
            notation.signed(change.change),
            notation.interval(change.low, change.high) or "",
        )
    return table


def _cues(title: str, cues: Sequence[CueChange], ink: Ink) -> None:
    if cues:
        said = [
            f"“{plaintext.one_line(drawn(cue.ngram), 30)}” for {plaintext.one_line(drawn(cue.label), 16)} "
            f"{cue.count_label}/{cue.count}"
            for cue in cues[:_LISTED]
        ]
        ink.fact(title, "; ".join(_more(said, len(cues))))


def _more(said: list[str], count: int) -> list[str]:
    return said if count <= len(said) else [*said, f"and {count - len(said)} more"]
