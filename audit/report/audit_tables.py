"""The tables of an audit in the terminal: feature vectors, items, ladder, options, open answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hansproof.audit import notation
from hansproof.audit.notation import drawn
from hansproof.audit.report.audit_sentences import head_lines, is_asked, ranked_rules
from hansproof.audit.report.document import Cell, Column, ReportTable, tabulated
from hansproof.audit.report.findings import ArrangedResult, Probe
from hansproof.audit.report.open_ended_sentences import columns_explained, open_sentences, part_sentence
from hansproof.audit.report.terminal import OUTPUTS, Ink, too_narrow
from hansproof.audit.result.audit_result import AuditResult, ScanResult, VectorResult
from hansproof.audit.result.explanation import Giveaway
from hansproof.audit.result.shortcuts import Ladder, PartialInputs, Rung
from hansproof.audit.result.tasks import OpenEnded, OptionRule, Solved, StrategyResult

__all__ = [
    "giveaways_table",
    "partial_sentence",
    "scan_table",
    "show_head",
    "show_ladder",
    "show_open_ended",
    "show_rules",
    "vectors_table",
]

_INSTRUCTION = 25
"""Shorter common beginnings of all prompts, such as `Premise: `, are shown."""


def vectors_table(findings: ArrangedResult, ink: Ink) -> ReportTable:
    """All feature vectors, one row each: both fold schemes side by side, or the paper's single split alone.

    Where items have their own options, the vectors that see the question come last.
    """
    first, second, threshold = findings.first, findings.second, findings.result.settings.threshold
    options = findings.result.options is not None
    name: Column[str] = Column("feature vector", holds="text")
    probes = [(_name(probe, ink, 45 if options else 33), probe) for probe in findings.probes]

    def marked(title: str, kappa: Callable[[Probe], float | None], goes: int | None = None) -> Column[Probe]:
        return Column(title, lambda probe: _marked(kappa(probe), threshold), goes)

    if findings.paper and not options:
        # The kappa that the paper plots comes first. The verdict is about Cohen's, so both carry marks.
        single: list[Column[Probe]] = [
            marked("uniform", lambda probe: probe.kappa),
            marked("Cohen", lambda probe: probe.vector.cohen, 2),
            Column("95 %", lambda probe: _interval(probe.vector), 1),
            Column("valid. acc.", lambda probe: notation.per_cent(probe.vector.validation), 0),
        ]
        return tabulated("", name, single, probes)
    # The column that the verdict rests on goes last.
    goes = 4 if findings.deciding is second and not options else 1
    columns: list[Column[Probe]] = [
        marked("kappa" if findings.ungrouped or first is None else first.scheme, lambda probe: probe.kappa),
        Column("95 %", lambda probe: _interval(probe.vector), 3),
        Column("p", lambda probe: notation.p_value(probe.vector.p_corrected), 2),
        *([marked(second.scheme, lambda probe: probe.beside, goes)] if second else []),
    ]
    if not options:
        columns += [
            Column("Cohen", lambda probe: notation.kappa(probe.vector.cohen), 0),
            Column("uniform", lambda probe: notation.kappa(probe.vector.uniform), 0),
        ]
        return tabulated("", name, columns, probes)
    columns.append(Column("accuracy", lambda probe: notation.per_cent(probe.vector.accuracy), 0))
    asked = [pair for pair in probes if is_asked(pair[1].vector.vector)]
    only = [pair for pair in probes if not is_asked(pair[1].vector.vector)]
    return tabulated("", name, columns, [*only, *([""] if asked else []), *asked], headings=False)


def _name(probe: Probe, ink: Ink, width: int) -> Cell:
    mark = ink.pointer if probe.deciding else ink.second_mark if probe.chosen else " "
    label = notation.one_line(probe.vector.label, width)
    return Cell(f"{mark if probe.vector.counted else '+'} {label}", style="bold" if probe.deciding else "")


def _marked(kappa: float | None, threshold: float) -> Cell:
    mark = "*" if kappa is not None and kappa >= threshold else " "
    return Cell(f"{notation.kappa(kappa)}{mark}", style="bold red" if mark == "*" else "")


def _interval(vector: VectorResult) -> str:
    return notation.interval(vector.matched_low, vector.matched_high)


def giveaways_table(result: AuditResult) -> ReportTable:
    """Up to ten items: id, gold answer, its probability out of fold, the first sixty characters."""
    shown = result.giveaways[:10]
    folder = _shared([item.id for item in shown]).rpartition("/")
    skipped = _common_start([item.prompt for item in shown])
    columns: list[Column[Giveaway]] = [
        Column("", lambda item: notation.one_line(drawn(item.answer), 16), holds="text"),
        Column("", lambda item: notation.kappa(item.probability)),
        Column("", lambda item: notation.one_line(f"…{item.prompt[skipped:]}" if skipped else item.prompt, 60),
               holds="text"),
    ]  # fmt: skip
    named = [(_identifier(item.id.removeprefix("".join(folder[:2]))), item) for item in shown]
    return tabulated("", Column("", holds="identifiers"), columns, named)


def _identifier(name: str) -> Cell:
    return Cell(notation.last_part(name, 20), style="dim")


def _common_start(prompts: Sequence[str]) -> int:
    """The length of an instruction that opens every prompt: sixty characters of it would show nothing."""
    start = _shared(prompts)
    cut = max(start.rfind("\n") + 1, start.rfind(". ") + 2 if ". " in start else 0)
    return cut if cut >= _INSTRUCTION else 0


def _shared(texts: Sequence[str]) -> str:
    """What all texts begin with; empty for a single one."""
    first, last = min(texts), max(texts)  # whatever these two share, all between them share
    return next((first[:i] for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), "")


def scan_table(scan: ScanResult, ink: Ink) -> ReportTable:
    """All benchmarks of a folder, one row each, in the order of the scan."""
    columns: list[Column[Any]] = [
        Column("benchmark", holds="text"),
        Column("verdict", holds="words"),
        Column("items", goes=3),
        Column("groups", goes=1),
        Column("kappa"),
        Column("95 %", goes=2),
        Column("random", goes=4),
        Column("feature vector", holds="words", goes=0),
    ]
    table = ReportTable("", columns)
    for result in scan.results:
        table.row(
            notation.one_line(result.name, 24),
            ink.verdict(result.verdict),
            notation.count(result.items) if result.items else "",
            notation.count(result.groups.count) if result.groups else "",
            *_deciding(result),
        )
    return table


def _deciding(result: AuditResult) -> list[Cell | str]:
    """Kappa, interval, kappa under random folds, and name of what the verdict is about: a feature vector, or of
    open-ended answers a strategy, or the best one."""
    threshold, random, record = result.settings.threshold, result.scheme("random"), result.open_ended
    probe = next((probe for probe in ArrangedResult(result).probes if probe.deciding), None)
    if probe is not None:
        beside = random.find(probe.vector.vector) if random else None
        shown = _marked(beside.matched, threshold) if beside else ""
        name = notation.one_line(probe.vector.vector, 16)
        return [_marked(probe.kappa, threshold), _interval(probe.vector), shown, name]
    if record is None or not record.strategies:
        return ["", "", "", ""]
    way = next((way for way in record.strategies if way.name == record.strategy), record.strategies[0])
    ends = notation.interval(way.low, way.high)
    return [_marked(way.advantage, threshold), ends, "", notation.one_line(way.name, 16)]


def show_ladder(ladder: Ladder, ink: Ink) -> None:
    """Print the table, and below it what its mark and its columns mean."""
    ink.blank()
    gone = ink.table(ladder_table(ladder, ink))
    marks = [f"{_mark(ink)} the simplest that is enough"] if ladder.enough else []
    if said := [*marks, *too_narrow(gone, OUTPUTS)]:
        ink.line("; ".join(said), "dim")


def _mark(ink: Ink) -> str:
    """Of the rung that is enough: another one than that of the vector which the verdict is about."""
    return "#" if ink.ascii_only else "★"


def ladder_table(ladder: Ladder, ink: Ink) -> ReportTable:
    """Rung, kappa with its interval, and what it sees."""
    columns: list[Column[Rung]] = [
        Column("kappa", lambda rung: notation.kappa(rung.kappa)),
        Column("95 %", lambda rung: notation.interval(rung.low, rung.high), 2),
        Column("sees", lambda rung: notation.one_line(rung.sees, 60), 0, holds="text"),
    ]

    def name(rung: Rung) -> Cell:
        enough = rung.name == ladder.enough
        mark = _mark(ink) if enough else " "
        return Cell(f"{mark} {notation.one_line(rung.label, 33)}", style="bold" if enough else "")

    return tabulated("", Column("ladder", holds="text"), columns, [(name(rung), rung) for rung in ladder.rungs])


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


_RULES = 8
"""Rules shown before the others are left to the page."""


def show_head(findings: ArrangedResult, ink: Ink) -> None:
    """Print what the options are and how far the best probes go, a fact per line."""
    for name, sentence in head_lines(findings):
        ink.fact(_SHORT.get(name, name), notation.one_line(sentence, 300))


_SHORT = {"options only": "only", "with question": "asked"}
"""The column of names is narrow; the facts say the rest."""


def show_rules(findings: ArrangedResult, ink: Ink) -> None:
    """Print the simple rules that go furthest."""
    options = findings.result.options
    if options is None or not options.rules:
        return
    ink.blank()
    ink.table(rules_table(findings))
    ink.line(
        "told apart: items whose options the rule does not treat all alike; it guesses in the others. Intervals are "
        f"not corrected for {len(options.rules)} rules",
        "dim",
    )


def rules_table(findings: ArrangedResult) -> ReportTable:
    """The rules with the largest kappas, one row each."""
    options, threshold = findings.result.options, findings.result.settings.threshold
    columns: list[Column[OptionRule]] = [
        Column("kappa", lambda rule: _marked(rule.kappa, threshold)),
        Column("95 %", lambda rule: notation.interval(rule.low, rule.high), 2),
        Column("accuracy", lambda rule: notation.per_cent(rule.accuracy), 1),
        Column("told apart", lambda rule: notation.count(rule.applies), 0),
    ]
    shown = ranked_rules(options)[:_RULES] if options else []
    named = [(notation.one_line(rule.rule, 45), rule) for rule in shown]
    return tabulated("", Column("simple rule: choose ...", holds="text"), columns, named)


_ROWS = 10
_PARTS = 4
_ITEMS = 4


def show_open_ended(result: AuditResult, ink: Ink) -> None:
    """Print the table of strategies, the facts beside it, and examples; nothing where the answers are not open."""
    record = result.open_ended
    if record is None:
        return
    ink.blank()
    gone = ink.table(_table(record, result.settings.threshold, ink))
    marks = [f"{ink.pointer} what the verdict is about"] if record.strategy else []
    marks += [f"* at least {notation.kappa(result.settings.threshold)}"]
    ink.line("; ".join([*marks, *too_narrow(gone, OUTPUTS)]), "dim")
    ink.line(columns_explained(), "dim")
    if len(record.strategies) > _ROWS:
        ink.line(f"and {len(record.strategies) - _ROWS} more strategies, listed by --json and --html", "dim")
    for name, sentence in open_sentences(record, result.items):
        ink.fact(name, notation.one_line(sentence, 500))
    parts = [part_sentence(part) for part in record.parts]
    for at, sentence in enumerate(parts[:_PARTS]):
        ink.fact("parts" if at == 0 else "", notation.one_line(sentence, 400))
    if len(parts) > _PARTS:
        ink.fact("", f"and {len(parts) - _PARTS} more, listed by --json and --html")
    _solved(record, ink)


def _table(record: OpenEnded, threshold: float, ink: Ink) -> ReportTable:
    columns: list[Column[StrategyResult]] = [
        Column("exact", lambda way: notation.per_cent(way.exact)),
        Column("F1", lambda way: notation.kappa(way.f1), 1),
        Column("advantage", lambda way: _marked(way.advantage, threshold)),
        Column("95 %", lambda way: notation.interval(way.low, way.high), 3),
        Column("p", lambda way: notation.p_value(way.p_corrected), 2),
        Column("answers", lambda way: notation.per_cent(way.answered, 0), 0),
    ]

    def name(way: StrategyResult) -> Cell:
        about = way.name == record.strategy
        learnt = " (learnt)" if way.kind == "learnt" else ""
        mark = ink.pointer if about else " "
        return Cell(f"{mark} {notation.one_line(way.name, 36)}{learnt}", style="bold" if about else "")

    shown = record.strategies[:_ROWS] + [way for way in record.strategies[_ROWS:] if way.name == record.strategy]
    table = tabulated("", Column("strategy", holds="text"), columns, [(name(way), way) for way in shown])
    constant = [f"  always {_quoted(record.constant, 26)}", notation.per_cent(record.constant_exact)]
    blank = [""] * (len(columns) - 2)
    if record.offered:
        offered = ["  one of the alternatives", notation.per_cent(record.chance), notation.kappa(record.chance_f1)]
        table.rows.insert(0, [*map(Cell, [*offered, *blank])])
    table.rows.insert(0, [*map(Cell, [*constant, notation.kappa(record.constant_f1), *blank])])
    return table


def _solved(record: OpenEnded, ink: Ink) -> None:
    if not record.solved:
        return
    ink.blank()
    ink.line(f"items that “{record.strategy}” gets right (answer, end of the prompt)", "bold")
    # What is asked mostly stands at the end of the prompt.
    columns: list[Column[Solved]] = [
        Column("", lambda item: _quoted(item.answer, 20), holds="text"),
        Column("", lambda item: f"…{item.prompt[-90:]}" if len(item.prompt) > 90 else item.prompt, holds="text"),
    ]
    named = [(_identifier(item.id), item) for item in record.solved[:_ITEMS]]
    ink.table(tabulated("", Column("", holds="identifiers"), columns, named))


def _quoted(text: str, width: int) -> str:
    return f"“{notation.one_line(drawn(text), width)}”"
