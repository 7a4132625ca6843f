"""Options per item in the terminal: the probes of options, the simple rules, n-grams and items."""

from __future__ import annotations

from rich.text import Text

from audit import notation
from audit import notation as plaintext
from audit.report.findings import Findings, Probe
from audit.report.sections.options import head_lines, is_asked, option_meanings, ranked_rules
from audit.report.terminal.ink import Ink
from audit.report.terminal.table import Column, TextTable

__all__ = ["rules_table", "show_head", "show_rules", "views_table"]

_RULES = 8
"""Rules shown before the others are left to the page."""


def show_head(findings: Findings, ink: Ink) -> None:
    """Print what the options are and how far the best probes go, a fact per line."""
    for name, sentence in head_lines(findings):
        ink.fact(_SHORT.get(name, name), plaintext.one_line(sentence, 300))


_SHORT = {"options only": "only", "with question": "asked"}
"""The column of names is narrow; the facts say the rest."""


def views_table(findings: Findings, ink: Ink) -> tuple[TextTable, list[str]]:
    """All feature vectors of options, those that see the question last; and what the columns mean."""
    first, second = findings.first, findings.second
    beside = [Column(second.scheme, goes=1)] if second else []
    table = TextTable(
        Column("feature vector", "text"),
        Column("kappa" if findings.ungrouped or first is None else first.scheme),
        Column("95 %", goes=3),
        Column("p", goes=2),
        *beside,
        Column("accuracy", goes=0),
    )
    threshold = findings.result.settings.threshold
    options_only = [probe for probe in findings.probes if not is_asked(probe.vector.vector)]
    asked = [probe for probe in findings.probes if is_asked(probe.vector.vector)]
    for probe in options_only + asked:
        if asked and probe is asked[0]:
            table.section()
        table.row(
            _name(probe, ink),
            _marked(probe.kappa, threshold),
            notation.interval(probe.vector.matched_low, probe.vector.matched_high),
            notation.p_value(probe.vector.p_corrected),
            *([_marked(probe.beside, threshold)] if second else []),
            notation.per_cent(probe.vector.accuracy),
        )
    return table, option_meanings(findings)


def _name(probe: Probe, ink: Ink) -> Text:
    mark = ink.pointer if probe.deciding else ink.second_mark if probe.chosen else " "
    label = plaintext.one_line(probe.vector.label, 45)
    return Text(f"{mark if probe.vector.counted else '+'} {label}", style="bold" if probe.deciding else "")


def _marked(kappa: float | None, threshold: float) -> Text:
    mark = "*" if kappa is not None and kappa >= threshold else " "
    return Text(f"{notation.kappa(kappa)}{mark}", style="bold red" if mark == "*" else "")


def show_rules(findings: Findings, ink: Ink) -> None:
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


def rules_table(findings: Findings) -> TextTable:
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
            plaintext.one_line(rule.rule, 45),
            _marked(rule.kappa, findings.result.settings.threshold),
            notation.interval(rule.low, rule.high),
            notation.per_cent(rule.accuracy),
            notation.count(rule.applies),
        )
    return table
