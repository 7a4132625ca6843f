"""What the tables of an audit hold: the feature vectors, the most predictable items, the benchmarks of a folder."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from audit.report import plaintext, words
from audit.report.terminal.ink import Ink
from audit.report.terminal.table import Column, Table
from audit.result import AuditResult, ScanResult, SchemeResult, VectorResult

__all__ = ["giveaways_table", "scan_table", "vectors_table"]

_INSTRUCTION = 25
"""Shorter common beginnings of all prompts, such as `Premise: `, are shown."""


def _cell(value: float | None, threshold: float) -> Text:
    mark = "*" if value is not None and value >= threshold else " "
    return Text(f"{words.kappa(value)}{mark}", style="bold red" if mark == "*" else "")


def vectors_table(result: AuditResult, ink: Ink) -> Table:
    """All feature vectors, one row each.

    Both fold schemes stand side by side; the paper's single split stands alone.
    """
    first, threshold = result.schemes[0], result.settings.threshold
    second = None if words.unparted(result) or len(result.schemes) == 1 else result.schemes[1]
    vectors = sorted(first.vectors, key=lambda vector: not vector.counted)  # stable: the thirteen first
    name = Column("feature vector", "text")
    if first.scheme == "paper":
        # The paper decides by its own kappa, so that column comes first and carries the marks.
        table = Table(
            name, Column("uniform"), Column("Cohen", goes=2), Column("95 %", goes=1), Column("valid. acc.", goes=0)
        )
        for vector in vectors:
            table.row(
                _name(vector, result, ink),
                _cell(vector.uniform, threshold),
                words.kappa(vector.cohen),
                _interval(vector),
                words.per_cent(vector.validation_accuracy),
            )
        return table
    # What the verdict stands on goes last.
    random = [Column(second.scheme, goes=4 if result.deciding_scheme is second else 1)] if second else []
    table = Table(
        name,
        Column(first.scheme),
        Column("95 %", goes=3),
        Column("Holm p", goes=2),
        *random,
        Column("uniform", goes=0),
    )
    for vector in vectors:
        table.row(
            _name(vector, result, ink),
            _cell(vector.cohen, threshold),
            _interval(vector),
            words.p_value(vector.p_holm),
            *([_cell(_cohen(second, vector.vector), threshold)] if second else []),
            words.kappa(vector.uniform),
        )
    return table


def _name(vector: VectorResult, result: AuditResult, ink: Ink) -> Text:
    about = vector.vector == result.vector
    mark = ink.pointer if about else ink.second_mark if vector.vector == result.schemes[0].headline else " "
    label = plaintext.one_line(vector.label, 33)
    return Text(f"{mark if vector.counted else '+'} {label}", style="bold" if about else "")


def _interval(vector: VectorResult) -> str:
    return words.interval(vector.cohen_low, vector.cohen_high)


def _cohen(scheme: SchemeResult | None, vector: str) -> float | None:
    found = (one for one in scheme.vectors if one.vector == vector) if scheme else iter(())
    return next((one.cohen for one in found), None)


def giveaways_table(result: AuditResult) -> Table:
    """Up to ten items: id, gold answer, its probability out of fold, the first sixty characters."""
    table = Table(Column("", "text"), Column("", "text"), Column(""), Column("", "text"))
    shown = result.giveaways[:10]
    skipped = _common_start([item.prompt for item in shown])
    for item in shown:
        table.row(
            Text(plaintext.one_line(item.id, 20), style="dim"),
            plaintext.one_line(item.answer, 16),
            words.kappa(item.probability),
            plaintext.one_line(_from(item.prompt, skipped), 60),
        )
    return table


def _common_start(prompts: Sequence[str]) -> int:
    """Characters of an instruction that opens every prompt: sixty copies of it would show nothing."""
    first, last = min(prompts), max(prompts)  # what these two share, all between them share
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    start = first[:same]
    cut = max(start.rfind("\n") + 1, start.rfind(". ") + 2 if ". " in start else 0)
    return cut if cut >= _INSTRUCTION else 0


def _from(prompt: str, skipped: int) -> str:
    return f"…{prompt[skipped:]}" if skipped else prompt


def scan_table(scan: ScanResult, ink: Ink) -> Table:
    """All benchmarks of a folder, one row each, in the order of the scan."""
    table = Table(
        Column("benchmark", "text"),
        Column("verdict", "words"),
        Column("items", goes=3),
        Column("groups", goes=1),
        Column("kappa"),
        Column("95 %", goes=2),
        Column("random", goes=4),
        Column("vector", "words", goes=0),
    )
    for result in scan.results:
        look = words.VERDICTS[result.verdict]
        first = result.schemes[0] if result.schemes else None
        best = words.deciding(result)
        value = (best.uniform if first and first.scheme == "paper" else best.cohen) if best else None
        random = _cohen(result.scheme("random"), best.vector) if best else None
        table.row(
            plaintext.one_line(result.name, 24),
            Text(f"{ink.symbol(look)} {result.verdict}", style=f"bold {look.colour}"),
            words.count(result.items) if result.items else "",
            words.count(result.groups.count) if result.groups else "",
            _cell(value, result.settings.threshold) if best else "",
            _interval(best) if best else "",
            _cell(random, result.settings.threshold) if best and result.scheme("random") else "",
            plaintext.one_line(best.vector, 16) if best else "",
        )
    return table
