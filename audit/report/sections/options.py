"""What the terminal and the page share about options per item: sentences, and which rules come first."""

from __future__ import annotations

from audit.notation import count, interval, kappa, per_cent, things
from audit.report.findings import Findings
from audit.result.numbers import VectorResult
from audit.result.tasks import OptionRule, OptionsSummary

__all__ = ["FORTUNE", "head_lines", "is_asked", "option_meanings", "ranked_rules"]

FORTUNE = "kappa: accuracy beyond guessing among the options (0 chance, 1 perfect)"


def is_asked(vector: str) -> bool:
    """Whether the view with this name sees the question; all others see options only."""
    return vector.startswith("question")


def head_lines(findings: Findings) -> list[tuple[str, str]]:
    """(name, sentence) pairs: the options as read, then the best probe without and with the question."""
    options = findings.result.options
    if options is None:
        return []
    lines = [("options", f"{_sizes(options)}; guessing is right for {per_cent(options.chance)}; {options.how}")]
    if options.positions:
        lines.append(("positions", _positions(options)))
    for name, vector in (("options only", options.only), ("with question", options.asked)):
        entry = findings.first.find(vector) if findings.first else None
        if entry is not None:
            lines.append((name, _best(entry)))
    return lines


def _sizes(options: OptionsSummary) -> str:
    if len(options.sizes) == 1:
        return f"{options.sizes[0][0]} per item"
    shown = ", ".join(f"{size} in {things(number, 'item')}" for size, number in options.sizes[:6])
    return shown + (f" and {len(options.sizes) - 6} more sizes" if len(options.sizes) > 6 else "")


def _positions(options: OptionsSummary) -> str:
    named = [f"{chr(ord('A') + place)} {count(number)}" for place, number in enumerate(options.positions)]
    return f"the right option is {', '.join(named[:10])}{' ...' if len(named) > 10 else ''}"


def _best(entry: VectorResult) -> str:
    ends = interval(entry.matched_low, entry.matched_high)
    return f"at best kappa {kappa(entry.matched)} {ends} ({entry.label}), right for {per_cent(entry.accuracy)}"


def ranked_rules(options: OptionsSummary) -> list[OptionRule]:
    """The rules, largest kappa first; equal ones in their own order."""
    return sorted(options.rules, key=lambda rule: -round(rule.kappa, 6))


def option_meanings(findings: Findings) -> list[str]:
    """What the columns of the table of feature vectors mean where each item has its own options."""
    first = findings.first
    if first is None:
        return []
    kappas: str = "kappa" if findings.ungrouped else first.scheme
    if findings.second is not None:
        kappas += f", {findings.second.scheme}"
    of_which = f" of {first.scheme} folds" if findings.second is not None else ""
    p = f"p: corrected,{of_which}" if of_which else "p: corrected"
    return [f"{kappas}: {FORTUNE.partition(': ')[2]}", f"95 %: interval{of_which}", p]
