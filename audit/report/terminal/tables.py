"""What the tables of an audit hold: feature vectors, the most predictable items, the benchmarks of a folder."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from audit import notation
from audit import notation as plaintext
from audit.notation import drawn
from audit.report import words
from audit.report.findings import Findings, Probe
from audit.report.terminal.ink import Ink
from audit.report.terminal.table import Column, TextTable
from audit.result.audit_result import AuditResult, ScanResult, VectorResult

__all__ = ["giveaways_table", "scan_table", "vectors_table"]

_INSTRUCTION = 25
"""Shorter common beginnings of all prompts, such as `Premise: `, are shown."""


def vectors_table(findings: Findings, ink: Ink) -> TextTable:
    """All feature vectors, one row each: both fold schemes side by side, or the paper's single split alone."""
    first, second, threshold = findings.first, findings.second, findings.result.settings.threshold
    name = Column("feature vector", "text")
    if first is None or findings.paper:
        # The kappa that the paper plots comes first. The verdict is about Cohen's, so both carry marks.
        table = TextTable(
            name, Column("uniform"), Column("Cohen", goes=2), Column("95 %", goes=1), Column("valid. acc.", goes=0)
        )
        for probe in findings.probes:
            table.row(
                _name(probe, ink),
                _marked(probe.kappa, threshold),
                _marked(probe.vector.cohen, threshold),
                _interval(probe.vector),
                notation.per_cent(probe.vector.validation),
            )
        return table
    # The column that the verdict rests on goes last.
    beside = [Column(second.scheme, goes=4 if findings.deciding is second else 1)] if second else []
    table = TextTable(
        name,
        Column("kappa" if findings.ungrouped else first.scheme),
        Column("95 %", goes=3),
        Column("p", goes=2),
        *beside,
        Column("Cohen", goes=0),
        Column("uniform", goes=0),
    )
    for probe in findings.probes:
        table.row(
            _name(probe, ink),
            _marked(probe.kappa, threshold),
            _interval(probe.vector),
            notation.p_value(probe.vector.p_corrected),
            *([_marked(probe.beside, threshold)] if second else []),
            notation.kappa(probe.vector.cohen),
            notation.kappa(probe.vector.uniform),
        )
    return table


def _name(probe: Probe, ink: Ink) -> Text:
    mark = ink.pointer if probe.deciding else ink.second_mark if probe.chosen else " "
    label = plaintext.one_line(probe.vector.label, 33)
    return Text(f"{mark if probe.vector.counted else '+'} {label}", style="bold" if probe.deciding else "")


def _marked(kappa: float | None, threshold: float) -> Text:
    mark = "*" if kappa is not None and kappa >= threshold else " "
    return Text(f"{notation.kappa(kappa)}{mark}", style="bold red" if mark == "*" else "")


def _interval(vector: VectorResult) -> str:
    return notation.interval(vector.matched_low, vector.matched_high)


def giveaways_table(result: AuditResult) -> TextTable:
    """Up to ten items: id, gold answer, its probability out of fold, the first sixty characters."""
    table = TextTable(Column("", "identifiers"), Column("", "text"), Column(""), Column("", "text"))
    shown = result.giveaways[:10]
    folder = _shared([item.id for item in shown]).rpartition("/")
    skipped = _common_start([item.prompt for item in shown])
    for item in shown:
        table.row(
            Text(plaintext.last_part(item.id.removeprefix("".join(folder[:2])), 20), style="dim"),
            plaintext.one_line(drawn(item.answer), 16),
            notation.kappa(item.probability),
            plaintext.one_line(_from(item.prompt, skipped), 60),
        )
    return table


def _common_start(prompts: Sequence[str]) -> int:
    """The length of an instruction that opens every prompt: sixty characters of it would show nothing."""
    start = _shared(prompts)
    cut = max(start.rfind("\n") + 1, start.rfind(". ") + 2 if ". " in start else 0)
    return cut if cut >= _INSTRUCTION else 0


def _shared(texts: Sequence[str]) -> str:
    """What all texts begin with; empty for a single one."""
    first, last = min(texts), max(texts)  # whatever these two share, all between them share
    return next((first[:i] for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), "")


def _from(prompt: str, skipped: int) -> str:
    return f"…{prompt[skipped:]}" if skipped else prompt


def scan_table(scan: ScanResult, ink: Ink) -> TextTable:
    """All benchmarks of a folder, one row each, in the order of the scan."""
    table = TextTable(
        Column("benchmark", "text"),
        Column("verdict", "words"),
        Column("items", goes=3),
        Column("groups", goes=1),
        Column("kappa"),
        Column("95 %", goes=2),
        Column("random", goes=4),
        Column("feature vector", "words", goes=0),
    )
    for result in scan.results:
        look = words.VERDICTS[result.verdict]
        table.row(
            plaintext.one_line(result.name, 24),
            Text(f"{ink.symbol(look)} {result.verdict}", style=f"bold {look.colour}"),
            notation.count(result.items) if result.items else "",
            notation.count(result.groups.count) if result.groups else "",
            *_deciding(result),
        )
    return table


def _deciding(result: AuditResult) -> list[Text | str]:
    """Kappa, interval, kappa under random folds, and name of the feature vector that the verdict is about."""
    findings = Findings(result)
    probe = next((probe for probe in findings.probes if probe.deciding), None)
    if probe is None:
        return _best_strategy(result)
    threshold, random = result.settings.threshold, result.scheme("random")
    beside = random.find(probe.vector.vector) if random else None
    return [
        _marked(probe.kappa, threshold),
        _interval(probe.vector),
        _marked(beside.matched, threshold) if beside else "",
        plaintext.one_line(probe.vector.vector, 16),
    ]


def _best_strategy(result: AuditResult) -> list[Text | str]:
    """The same of the strategy that the verdict on open-ended answers is about, or of the best one."""
    ways = result.open_ended.strategies if result.open_ended is not None else []
    named = [way for way in ways if result.open_ended is not None and way.name == result.open_ended.strategy]
    if not ways:
        return ["", "", "", ""]
    best = (named or ways)[0]
    marked = _marked(best.advantage, result.settings.threshold)
    return [marked, notation.interval(best.low, best.high), "", plaintext.one_line(best.name, 16)]
