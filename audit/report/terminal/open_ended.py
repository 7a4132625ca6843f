"""Open-ended answers in the terminal: the strategies, what else was found out, and items that the best one solves."""

from __future__ import annotations

from rich.text import Text

from audit import notation
from audit import notation as plaintext
from audit.notation import drawn
from audit.report.sections.open_ended import columns_explained, open_sentences, part_sentence
from audit.report.terminal.ink import Ink
from audit.report.terminal.table import OUTPUTS, Column, TextTable, too_narrow
from audit.result.audit_result import AuditResult
from audit.result.tasks import OpenEnded, Solved, StrategyResult

__all__ = ["show_open_ended"]

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
        ink.fact(name, plaintext.one_line(sentence, 500))
    parts = [part_sentence(part) for part in record.parts]
    for at, sentence in enumerate(parts[:_PARTS]):
        ink.fact("parts" if at == 0 else "", plaintext.one_line(sentence, 400))
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
    shown = record.strategies[:_ROWS]
    about = next((way for way in record.strategies[_ROWS:] if way.name == record.strategy), None)
    for way in [*shown, *([about] if about else [])]:
        _row(table, way, way.name == record.strategy, threshold, ink)
    return table


def _row(table: TextTable, way: StrategyResult, about: bool, threshold: float, ink: Ink) -> None:
    reached = way.advantage is not None and way.advantage >= threshold
    learnt = {"learnt": " (learnt)", "chosen": " (chosen)", "fixed": ""}[way.kind]
    table.row(
        Text(f"{ink.pointer if about else ' '} {plaintext.one_line(way.name, 36)}{learnt}", "bold" if about else ""),
        notation.per_cent(way.exact),
        notation.kappa(way.f1),
        Text(f"{notation.kappa(way.advantage)}{'*' if reached else ' '}", "bold red" if reached else ""),
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
        table.row(Text(plaintext.last_part(item.id, 20), "dim"), _quoted(item.answer, 20), _end(item))
    ink.table(table)


def _end(item: Solved) -> str:
    """The end of the prompt: what is asked mostly stands there."""
    return plaintext.one_line(f"…{item.prompt[-90:]}" if len(item.prompt) > 90 else item.prompt, 92)


def _quoted(text: str, width: int) -> str:
    return f"“{plaintext.one_line(drawn(text), width)}”"
