"""An audit in the terminal: twenty lines that decide, the verdict alone, or the whole document."""

from __future__ import annotations

import re

from rich.console import Console
from rich.text import Text

from hansproof.audit import notation
from hansproof.audit.report import words
from hansproof.audit.report.audit_document import audit_document, banner, given_facts, read_as, scan_document
from hansproof.audit.report.audit_sentences import simplest
from hansproof.audit.report.findings import ArrangedResult
from hansproof.audit.report.terminal import OUTPUTS, Ink
from hansproof.audit.result.advice import NOT_DONE
from hansproof.audit.result.audit_result import AuditResult, ScanResult
from hansproof.audit.verdict.rule import widest

__all__ = ["show", "show_scan", "show_short", "show_verdict", "show_verdicts"]

# Text from the benchmark is never parsed as markup, and its control characters are made visible. An output that
# knows only ASCII gets substitutes, so a pipe never breaks the run.

_LONGEST = max(map(len, words.VERDICTS))
_MORE = "--full: every table; --html FILE: a page; --json FILE: every number"
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z“])")


def show(result: AuditResult, console: Console) -> None:
    """Print all sections of one audit. Empty ones leave no gap, and nothing is wider than the console."""
    ink = Ink(console)
    show_verdict(result, console)
    if result.ladder is not None:
        ink.fact("simplest", banner(result).lead)
    for section in audit_document(result).sections:
        ink.section(section, OUTPUTS)


def show_short(result: AuditResult, console: Console) -> None:
    """Print what decides: verdict, cue, size, what was read, what to do first, what to read next.

    At most twenty lines of 80 columns, of which the last has the verdict again.
    """
    ink, findings = Ink(console), ArrangedResult(result)
    _head(result, ink)
    ink.item(_opening(words.reason_of(result), 460), mark="", lines=6)
    deciding, vector = findings.deciding, None
    if deciding is not None:  # where no probe is to be told of, the one that holds back CLEAN, or might have
        vector = deciding.find(result.vector) if findings.about_a_probe else widest(deciding)
    if result.ladder is not None and vector is not None and vector.significant(result.settings.alpha):
        ink.fact("simplest", _opening(simplest(result), 135), 2)
    if vector is not None and vector.matched is not None:
        ends = notation.interval(vector.matched_low, vector.matched_high)
        kappa = f"kappa {notation.kappa(vector.matched)} {ends} of {notation.one_line(vector.label, 30)}"
        ink.fact("size", f"{kappa}, threshold {notation.kappa(result.settings.threshold)}", 1)
    for name, text in given_facts(result):
        ink.fact(name, notation.one_line(text, 300), 3)
    for name, text in read_as(findings):
        if text:
            ink.fact(name, notation.one_line(text, 135), 2)
    if result.items:
        groups = "" if result.groups is None or result.groups.largest < 2 else f" in {result.groups.count:,} groups"
        left_out = f"; {notation.things(result.left_out_count, 'row')} left out" if result.left_out_count else ""
        ink.fact("items", f"{notation.count(result.items)}{groups}{left_out}")
    if result.policy is not None:
        ink.fact("policy", words.policy_line(result.policy), 3)
    if result.advice:
        ink.fact("do first", _opening(result.advice[0], 200), 3)
    if result.settings.fast:
        ink.fact("not done", NOT_DONE)
    ink.fact("more", _MORE)
    _head(result, ink)


def _opening(text: str, most: int) -> str:
    """The first sentences of a text, as many as fit in `most` characters; the first one may be cut."""
    first, *others = _SENTENCE_END.split(notation.one_line(text))
    for sentence in others:
        if len(first) + 1 + len(sentence) > most:
            break
        first += f" {sentence}"
    return notation.one_line(first, most)


def show_verdict(result: AuditResult, console: Console) -> None:
    """Print the verdict and its reason, nothing else."""
    ink = Ink(console)
    _head(result, ink)
    ink.item(banner(result).reason, mark="")


def show_verdicts(scan: ScanResult, console: Console) -> None:
    """Print one line per benchmark, verdict and name, then one line per file that could not be audited.

    Lines are never cut or folded, whatever the width, so a program can read them too.
    """
    ink = Ink(console)
    for place in scan.ranked():
        result = scan.results[place]
        look = words.VERDICTS[result.verdict]
        verdict = ink.fit(f"{look.symbol} {result.verdict:<{_LONGEST}}")
        ink.unbroken(Text.assemble((verdict, f"bold {look.colour}"), " ", ink.one_line(result.name, 200)))
    for file in scan.unfinished:
        ink.unbroken(Text.assemble((f"! {'NOT REACHED':<{_LONGEST}}", "bold red"), " ", ink.one_line(file, 400)))
    for failure in scan.failures:
        error = ink.one_line(f"{failure.place}: {failure.reason}", 400)
        ink.unbroken(Text.assemble((f"! {'FAILED':<{_LONGEST}}", "bold red"), " ", error))


def show_scan(scan: ScanResult, console: Console) -> None:
    """Print one table of all benchmarks in a folder, then the files that could not be audited."""
    ink, document = Ink(console), scan_document(scan)
    ink.line(f"{document.title}: {document.beneath}", "bold")
    for section in document.sections:
        ink.section(section, OUTPUTS)


def _head(result: AuditResult, ink: Ink) -> None:
    look = words.VERDICTS[result.verdict]
    verdict = (ink.fit(f" {look.symbol} {result.verdict} "), f"bold reverse {look.colour}")
    ignored = "  ignored" if words.ignored_because(result) else ""
    ink.print(Text.assemble(verdict, " ", (ink.one_line(result.name, 50), "bold"), ignored))
