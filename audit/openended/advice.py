"""What an author of open-ended items should change, in sentences made from the numbers of the audit."""

from __future__ import annotations

import shlex

from audit.notation import per_cent
from audit.openended.strategies.arithmetic import ARITHMETIC
from audit.result.advice import MORE_ITEMS
from audit.result.audit_result import Verdict
from audit.result.tasks import OpenEnded, StrategyResult

__all__ = ["advise_open"]

_NUMBERS = "let each operation be right as often as the others, and add numbers that are not needed"
_HOW = {
    "arithmetic": f"Calculating with the numbers at face value is enough: {_NUMBERS}.",
    "count": "The size of the prompt gives the answer away: make prompts of about the same length for every answer.",
    "copy": "Move the answer to other places of the prompt, and mention other candidates as often as the right one.",
    "learnt": "Vary what goes with the cue: the same question word, place or key word should go with many answers.",
}


def advise_open(verdict: Verdict, record: OpenEnded) -> list[str]:
    """Advice for the verdict and for the parts of the answers; empty if there is nothing to repair."""
    advice = []
    way = next((way for way in record.strategies if way.name == record.strategy), None)
    if verdict in ("LEAKS", "TRACES", "INCONCLUSIVE") and way is not None:
        advice.append(_HOW[_family(way)])
        advice.append(
            f"Report the accuracy of “{way.name}” ({per_cent(way.exact)}) beside every model's: only what lies above "
            f"it shows the ability."
        )
    if verdict == "TEMPLATE-BOUND":
        advice += [
            "Let a template have many answers, and ask for more than one calculation or place in it, so that an item "
            "says nothing about the others of its template.",
            "Publish the group of every item, never divide a group between splits or between few-shot examples and "
            "test items, and compute standard errors over groups.",
        ]
    if verdict == "IMBALANCED":
        advice.append(
            f"“{record.constant}” is the most common answer ({per_cent(record.constant_exact)}): vary the answers, or "
            f"report accuracy beyond it."
        )
    bad = ("LEAKS", "TEMPLATE-BOUND")  # more items would not settle what a part of the answers shows
    if verdict == "INCONCLUSIVE" and not any(part.verdict in bad for part in record.parts):
        advice.append(MORE_ITEMS)
    open_parts = [part for part in record.parts if part.verdict in (None, *bad) and part.option]
    if open_parts:
        names = ", ".join(part.part for part in open_parts[:3]) + (" ..." if len(open_parts) > 3 else "")
        advice.append(
            f"Parts of the answers are labels ({names}): audit each with --answer-part, such as "
            f"--answer-part {shlex.quote(open_parts[0].option)}."
        )
    return advice


def _family(way: StrategyResult) -> str:
    if way.kind != "fixed":
        return "learnt"
    if way.name.startswith("count"):
        return "count"
    return "arithmetic" if way.name in ARITHMETIC and not way.name.endswith("number") else "copy"
