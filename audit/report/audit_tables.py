"""The tables of an audit in the terminal: feature vectors, items, ladder, options, open answers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from hansproof.audit import notation
from hansproof.audit.notation import drawn
from hansproof.audit.report import words
from hansproof.audit.report.audit_sentences import head_lines, is_asked, ranked_rules
from hansproof.audit.report.findings import ArrangedResult, Probe
from hansproof.audit.report.open_ended_sentences import columns_explained, open_sentences, part_sentence
from hansproof.audit.report.terminal import OUTPUTS, Column, Ink, TextTable, too_narrow
from hansproof.audit.result.audit_result import AuditResult, ScanResult, VectorResult
from hansproof.audit.result.shortcuts import Ladder, PartialInputs
from hansproof.audit.result.tasks import OpenEnded, StrategyResult

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


def vectors_table(findings: ArrangedResult, ink: Ink) -> TextTable:
    """All feature vectors, one row each: both fold schemes side by side, or the paper's single split alone.

    Where items have their own options, the vectors that see the question come last.
    """
    first, second, threshold = findings.first, findings.second, findings.result.settings.threshold
    options = findings.result.options is not None
    name = Column("feature vector", "text")
    if findings.paper and not options:
        # The kappa that the paper plots comes first. The verdict is about Cohen's, so both carry marks.
        table = TextTable(
            name, Column("uniform"), Column("Cohen", goes=2), Column("95 %", goes=1), Column("valid. acc.", goes=0)
        )
        for probe in findings.probes:
            table.row(
                _name(probe, ink, 33),
                _marked(probe.kappa, threshold),
                _marked(probe.vector.cohen, threshold),
                _interval(probe.vector),
                notation.per_cent(probe.vector.validation),
            )
        return table
    # The column that the verdict rests on goes last.
    beside = [Column(second.scheme, goes=4 if findings.deciding is second and not options else 1)] if second else []
    table = TextTable(
        name,
        Column("kappa" if findings.ungrouped or first is None else first.scheme),
        Column("95 %", goes=3),
        Column("p", goes=2),
        *beside,
        *(Column(title, goes=0) for title in (["accuracy"] if options else ["Cohen", "uniform"])),
    )
    asked = [probe for probe in findings.probes if options and is_asked(probe.vector.vector)]
    for probe in [*(probe for probe in findings.probes if probe not in asked), *asked]:
        if asked and probe is asked[0]:
            table.section()
        vector = probe.vector
        kappas = [notation.kappa(vector.cohen), notation.kappa(vector.uniform)]
        table.row(
            _name(probe, ink, 45 if options else 33),
            _marked(probe.kappa, threshold),
            _interval(probe.vector),
            notation.p_value(probe.vector.p_corrected),
            *([_marked(probe.beside, threshold)] if second else []),
            *([notation.per_cent(vector.accuracy)] if options else kappas),
        )
    return table


def _name(probe: Probe, ink: Ink, width: int) -> Text:
    mark = ink.pointer if probe.deciding else ink.second_mark if probe.chosen else " "
    label = notation.one_line(probe.vector.label, width)
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
            Text(notation.last_part(item.id.removeprefix("".join(folder[:2])), 20), style="dim"),
            notation.one_line(drawn(item.answer), 16),
            notation.kappa(item.probability),
            notation.one_line(f"…{item.prompt[skipped:]}" if skipped else item.prompt, 60),
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
            notation.one_line(result.name, 24),
            Text(f"{ink.symbol(look)} {result.verdict}", style=f"bold {look.colour}"),
            notation.count(result.items) if result.items else "",
            notation.count(result.groups.count) if result.groups else "",
            *_deciding(result),
        )
    return table


def _deciding(result: AuditResult) -> list[Text | str]:
    """Kappa, interval, kappa under random folds, and name of the feature vector that the verdict is about."""
    findings = ArrangedResult(result)
    probe = next((probe for probe in findings.probes if probe.deciding), None)
    if probe is None:
        return _best_strategy(result)
    threshold, random = result.settings.threshold, result.scheme("random")
    beside = random.find(probe.vector.vector) if random else None
    return [
        _marked(probe.kappa, threshold),
        _interval(probe.vector),
        _marked(beside.matched, threshold) if beside else "",
        notation.one_line(probe.vector.vector, 16),
    ]


def _best_strategy(result: AuditResult) -> list[Text | str]:
    """The same of the strategy that the verdict on open-ended answers is about, or of the best one."""
    ways = result.open_ended.strategies if result.open_ended is not None else []
    named = [way for way in ways if result.open_ended is not None and way.name == result.open_ended.strategy]
    if not ways:
        return ["", "", "", ""]
    best = (named or ways)[0]
    marked = _marked(best.advantage, result.settings.threshold)
    return [marked, notation.interval(best.low, best.high), "", notation.one_line(best.name, 16)]


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


def ladder_table(ladder: Ladder, ink: Ink) -> TextTable:
    """Rung, kappa with its interval, and what it sees."""
    table = TextTable(Column("ladder", "text"), Column("kappa"), Column("95 %", goes=2), Column("sees", "text", goes=0))
    for rung in ladder.rungs:
        enough = rung.name == ladder.enough
        mark = _mark(ink) if enough else " "
        table.row(
            Text(f"{mark} {notation.one_line(rung.label, 33)}", style="bold" if enough else ""),
            notation.kappa(rung.kappa),
            notation.interval(rung.low, rung.high),
            notation.one_line(rung.sees, 60),
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


def rules_table(findings: ArrangedResult) -> TextTable:
    """The rules with the largest kappas, one row each."""
    table = TextTable(
        Column("simple rule: choose ...", "text"),
        Column("kappa"),
        Column("95 %", goes=2),
        Column("accuracy", goes=1),
        Column("told apart", goes=0),
    )
    options = findings.result.options
    for rule in ranked_rules(options)[:_RULES] if options else []:
        table.row(
            notation.one_line(rule.rule, 45),
            _marked(rule.kappa, findings.result.settings.threshold),
            notation.interval(rule.low, rule.high),
            notation.per_cent(rule.accuracy),
            notation.count(rule.applies),
        )
    return table


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
    for name, sentence in open_sentences(record):
        ink.fact(name, notation.one_line(sentence, 500))
    parts = [part_sentence(part) for part in record.parts]
    for at, sentence in enumerate(parts[:_PARTS]):
        ink.fact("parts" if at == 0 else "", notation.one_line(sentence, 400))
    if len(parts) > _PARTS:
        ink.fact("", f"and {len(parts) - _PARTS} more, listed by --json and --html")
    _solved(record, ink)


def _table(record: OpenEnded, threshold: float, ink: Ink) -> TextTable:
    table = TextTable(
        Column("strategy", "text"),
        Column("exact"),
        Column("F1", goes=1),
        Column("advantage"),
        Column("95 %", goes=3),
        Column("p", goes=2),
        Column("answers", goes=0),
    )
    table.row(
        f"  always {_quoted(record.constant, 26)}",
        notation.per_cent(record.constant_exact),
        notation.kappa(record.constant_f1),
        "", "", "", "",
    )  # fmt: skip
    if record.offered:
        table.row(
            "  one of the alternatives", notation.per_cent(record.chance), notation.kappa(record.chance_f1),
            "", "", "", "",
        )  # fmt: skip
    shown = record.strategies[:_ROWS]
    about = next((way for way in record.strategies[_ROWS:] if way.name == record.strategy), None)
    for way in [*shown, *([about] if about else [])]:
        _row(table, way, way.name == record.strategy, threshold, ink)
    return table


def _row(table: TextTable, way: StrategyResult, about: bool, threshold: float, ink: Ink) -> None:
    learnt = " (learnt)" if way.kind == "learnt" else ""
    table.row(
        Text(f"{ink.pointer if about else ' '} {notation.one_line(way.name, 36)}{learnt}", "bold" if about else ""),
        notation.per_cent(way.exact),
        notation.kappa(way.f1),
        _marked(way.advantage, threshold),
        notation.interval(way.low, way.high),
        notation.p_value(way.p_corrected),
        notation.per_cent(way.answered, 0),
    )


def _solved(record: OpenEnded, ink: Ink) -> None:
    if not record.solved:
        return
    ink.blank()
    ink.line(f"items that “{record.strategy}” gets right (answer, end of the prompt)", "bold")
    table = TextTable(Column("", "identifiers"), Column("", "text"), Column("", "text"))
    for item in record.solved[:_ITEMS]:
        # What is asked mostly stands at the end of the prompt.
        end = notation.one_line(f"…{item.prompt[-90:]}" if len(item.prompt) > 90 else item.prompt, 92)
        table.row(Text(notation.last_part(item.id, 20), "dim"), _quoted(item.answer, 20), end)
    ink.table(table)


def _quoted(text: str, width: int) -> str:
    return f"“{notation.one_line(drawn(text), width)}”"
