"""The kinds of fault that a SARIF log can report, each a rule with its help."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from audit.report.sections.open_ended import MEANINGS
from audit.report.words import VERDICTS
from audit.result.audit_result import Verdict

__all__ = ["CONFLICT", "GIVEAWAY", "LEFT_OUT", "RULES", "SOLVED", "SPLITS", "Level", "Rule", "rule_of"]

Level = Literal["error", "warning", "note"]


class Rule(NamedTuple):
    """One kind of fault."""

    id: str
    level: Level
    title: str
    help: str
    """What it means and what to do, for somebody who knows nothing of this audit."""

    def descriptor(self) -> dict[str, Any]:
        """The `reportingDescriptor` of SARIF (section 3.49)."""
        return {
            "id": self.id,
            "name": "".join(word.capitalize() for word in self.id.split("-")),
            "shortDescription": {"text": self.title},
            "fullDescription": {"text": self.help},
            "help": {"text": self.help, "markdown": self.help},
            "defaultConfiguration": {"level": self.level},
            "properties": {"tags": ["benchmark", "shortcut"], "problem.severity": _SEVERITIES[self.level]},
        }


_SEVERITIES: Final = {"error": "error", "warning": "warning", "note": "recommendation"}

_VERDICTS: Final[dict[Verdict, tuple[Level, str]]] = {
    "LEAKS": ("error", "The answers can be predicted from surface cues."),
    "TEMPLATE-BOUND": ("error", "The answers can be predicted from the templates of the items."),
    "IMBALANCED": ("warning", "One answer is so common that always giving it looks like skill."),
    "TRACES": ("warning", "A surface cue predicts some of the answers."),
    "INCONCLUSIVE": ("note", "The items can neither show a leak nor rule one out."),
    "NOT ASSESSED": ("note", "The benchmark could not be judged."),
}
"""All but CLEAN, which is no fault."""


def _verdict_rule(verdict: Verdict) -> Rule:
    level, title = _VERDICTS[verdict]
    return Rule(verdict.lower().replace(" ", "-"), level, title, VERDICTS[verdict].meaning)


_OPEN: Final[dict[Verdict, str]] = {
    "LEAKS": "A strategy without the ability gives many of the answers.",
    "TEMPLATE-BOUND": "Other items of a template give the answer away.",
    "IMBALANCED": "One answer is so common that always giving it looks like skill, though the answers are open.",
    "TRACES": "A strategy without the ability gives some of the answers.",
}
"""What a verdict says of open-ended answers, where that is not what it says of labels."""


def _open_rule(verdict: Verdict) -> Rule:
    name = "open-" + verdict.lower().replace(" ", "-")
    return Rule(name, _VERDICTS[verdict][0], _OPEN[verdict], MEANINGS[verdict])


GIVEAWAY: Final = Rule(
    "giveaway-item",
    "note",
    "The answer of this item can be predicted without solving it.",
    "A probe that never saw this item or its group gives its gold answer a high probability, from the counts of words "
    "or tokens alone. Rewrite the item so that its wording goes with every answer equally often, or remove it; "
    "`hansproof harden` finds out how many items that costs. The ten most predictable items are reported.",
)
CONFLICT: Final = Rule(
    "conflicting-answers",
    "warning",
    "The same text has different gold answers.",
    "Items whose texts are equal after folding case and white space have different gold answers, so at most one of "
    "them can be right. Correct the answers, or remove the items.",
)
SPLITS: Final = Rule(
    "shared-by-splits",
    "warning",
    "The same text is in more than one published split.",
    "A model that was trained on one split has seen items of the other. Keep each text in a single split.",
)
LEFT_OUT: Final = Rule(
    "unusable-row",
    "note",
    "This row could not be audited.",
    "The row has no prompt, no gold answer, or could not be read. Repair it, or remove it.",
)

SOLVED: Final = Rule(
    "solved-blindly",
    "note",
    "A strategy that does not solve this item gives its answer.",
    "The strategy of the verdict copies, counts, calculates at face value or goes by a cue that it learnt from other "
    "items, and gets this item right. Vary what it goes by: where the answer stands, what else is mentioned, which "
    "calculation goes with which words. At most ten such items are reported.",
)

RULES: Final = (
    *map(_verdict_rule, _VERDICTS), GIVEAWAY, CONFLICT, SPLITS, LEFT_OUT, *map(_open_rule, _OPEN), SOLVED,
)  # fmt: skip
"""Every rule; a result names its rule by the place in this order."""


def rule_of(verdict: Verdict, *, open_ended: bool = False) -> Rule | None:
    """The rule of a verdict, on labels or on open-ended answers; None for CLEAN."""
    if open_ended and verdict in _OPEN:
        return _open_rule(verdict)
    return _verdict_rule(verdict) if verdict in _VERDICTS else None
