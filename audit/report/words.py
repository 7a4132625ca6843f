"""The words and symbols that the terminal and the page share, so that both say the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hansproof.audit import notation
from hansproof.audit.result.audit_result import AuditResult, ClusterCheck, Verdict
from hansproof.audit.verdict.reasons import ALIKE

__all__ = ["SCHEMES", "VERDICTS", "VerdictWords", "carried", "meaning", "sentence"]

SCHEMES: Final = {
    "grouped": "grouped folds",
    "random": "random folds",
    "paper": "single split",
    "published": "published split",
}
"""The display names of the fold schemes."""

FINDABLE: Final = (
    "to test this, cues were put into these texts, with answers unrelated to them, and the same probes were fitted; "
    "the kappa is that of a perfect reader of the cue. Cues that only a stronger learner sees are not covered"
)
"""What the smallest cues that would have been found are, and what they are not."""


def carried(checks: Sequence[ClusterCheck]) -> str:
    """What is left of a suspected leak when texts that are alike stay together; empty without checks."""
    left = []
    for check in checks:
        lost = "" if check.held else ", less than half of it"
        size = notation.things(check.clusters, "cluster")
        left.append(f"{notation.kappa(check.kappa)} ({ALIKE[check.alike]}, {size}{lost})")
    return f"kappa with texts kept together: {', '.join(left)}" if left else ""


class VerdictWords(NamedTuple):
    """How a verdict looks and what it means."""

    colour: str
    """Its colour in the terminal; the page has its own colours, by `key`."""
    key: str
    """A name that is safe in a CSS class."""
    symbol: str
    ascii: str
    """The symbol for outputs that know only ASCII."""
    meaning: str
    """What it means for the author of the benchmark."""


VERDICTS: Final[dict[Verdict, VerdictWords]] = {
    "LEAKS": VerdictWords(
        "red",
        "leaks",
        "✗",
        "x",
        "A linear model that sees only counts of words and tokens, readability or format predicts many of the answers, "
        "even to items from templates or pairs that it was never trained on. A system can score above chance here "
        "without the ability that the benchmark is meant to test. Until the cues below are removed or balanced, its "
        "scores cannot be taken as evidence of that ability.",
    ),
    "TEMPLATE-BOUND": VerdictWords(
        "yellow",
        "template",
        "◆",
        "#",
        "The answers can be predicted only while items from the same template, story or pair appear in both training "
        "and test. With each group kept together, surface cues say little. A model that has seen some items from a "
        "template, in training or in the prompt, can answer the others by recognising it. Split by group, never "
        "publish part of a template as training data, and vary the answers within each template.",
    ),
    "IMBALANCED": VerdictWords(
        "magenta",
        "imbalanced",
        "▲",
        "^",
        "One answer is so common that always giving it looks like skill if chance is taken to be 1/k for k answers. "
        "No probe was shown to predict better than that. Balance the answers, or report a measure that corrects for "
        "their frequencies, such as Cohen's kappa or balanced accuracy.",
    ),
    "TRACES": VerdictWords(
        "blue",
        "traces",
        "≈",
        "~",
        "A probe predicts the answers better than chance, and the intervals rule out a leak, as for CLEAN. The "
        "benchmark has weak surface cues: a small difference between two systems may come from them. Remove the cues "
        "below if you can, and report the kappa with your results.",
    ),
    "CLEAN": VerdictWords(
        "green",
        "clean",
        "✓",
        "+",
        "No probe predicts the answers significantly, and the intervals are narrow enough to rule out a leak for "
        "probes like these, trained on this many items. A weaker cue may remain. A cue spread over hundreds of rare "
        "words takes more items to learn and can go undetected here. The probes see counts of words, tokens and their "
        "pairs, readability and format; cues that depend on syntax, position or knowledge are not ruled out.",
    ),
    "INCONCLUSIVE": VerdictWords(
        "cyan",
        "inconclusive",
        "?",
        "?",
        "These items can neither show a leak nor rule one out. This is not a pass: report the result as unknown, "
        "not as free of shortcuts, until you have audited more items.",
    ),
    "NOT ASSESSED": VerdictWords(
        "bright_black",
        "unassessed",
        "–",
        "-",
        "This audit could not judge the benchmark, for the reason above, and measured nothing. That says nothing for "
        "or against the benchmark, and it is not a pass.",
    ),
}
"""Every verdict, worst first."""

_OF_OPTIONS: Final[dict[Verdict, str]] = {
    "LEAKS": "A linear model that sees only the surface of the options picks many of the right ones, even in items "
    "from groups that it was never trained on. A system can score above chance here without the ability that the "
    "benchmark is meant to test. Until the cues below are removed or balanced, its scores cannot be taken as evidence "
    "of that ability.",
    "IMBALANCED": "One position holds the right option so often that always choosing it looks like skill. No probe "
    "was shown to tell right options from wrong ones by their texts. Shuffle the options of every item.",
    "TRACES": "A probe picks the right option more often than chance, and the intervals rule out a leak. A "
    "small difference between two systems may come from such surface cues. Remove the cues below if you can, and "
    "report the kappa with your results.",
}
"""What a verdict means for the author where each item has its own options, if it differs."""


def meaning(result: AuditResult) -> str:
    """What the verdict means for the author of the benchmark."""
    own = _OF_OPTIONS.get(result.verdict) if result.options is not None else None
    return own or VERDICTS[result.verdict].meaning


def sentence(text: str) -> str:
    """`text` with its first letter in upper case: reasons often begin with the name of a feature vector."""
    return text[:1].upper() + text[1:]
