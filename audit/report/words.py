"""The words and symbols that the terminal and the page share, so that both say the same thing."""

from __future__ import annotations

from typing import Final, NamedTuple

from audit import notation
from audit.result import ClusterCheck, Findable, Verdict

__all__ = ["FINDABLE", "SCHEMES", "VERDICTS", "VerdictWords", "carried", "reach", "sentence"]

SCHEMES: Final = {"grouped": "grouped folds", "random": "random folds", "paper": "single split"}
"""The display names of the fold schemes."""

FINDABLE: Final = (
    "made-up cues were added to these texts, with answers that have nothing to do with them, and the same probes were "
    "fitted; the kappa is that of a perfect reader of the cue. Cues that only a stronger learner sees are not covered"
)
"""What the smallest cues that would have been found are, and what they are not."""


def reach(cue: Findable) -> str:
    """The smallest cue of one kind that would have been found, as a clause."""
    if cue.kappa is None:
        return f"a cue of {cue.kind}: not even an unfailing one"
    return f"a cue of {cue.kind} from kappa {notation.kappa(cue.kappa)}, 80 % of the time"


def carried(check: ClusterCheck) -> str:
    """What is left of a suspected leak when clusters of similar texts stay together, as a clause."""
    size = f"{notation.things(check.clusters, 'cluster')}, the largest of {notation.things(check.largest, 'item')}"
    alike = f"texts at least {notation.per_cent(check.similarity)} alike kept together ({size})"
    return f"{alike}: kappa {notation.kappa(check.kappa)}{'' if check.held else ', which is not held'}"


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
        "A linear model that sees only counts of words and tokens, or a few measures of readability, predicts many of "
        "the answers, even to items from templates or pairs that it was never trained on. A system can score above "
        "chance here without the ability that the benchmark is meant to test. Until the cues below are removed or "
        "balanced, its scores cannot be taken as evidence of that ability.",
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
        "A probe predicts the answers better than chance, but more weakly than the threshold. The benchmark is not "
        "free of surface cues: a small difference between two systems may come from them. Remove the cues below if you "
        "can, and report the kappa with your results.",
    ),
    "CLEAN": VerdictWords(
        "green",
        "clean",
        "✓",
        "+",
        "No probe predicts the answers well enough to reach the threshold, and the intervals are narrow enough to rule "
        "that out for probes like these, trained on this many items. A weaker association may remain, as the numbers "
        "below show. A cue spread over hundreds of rare words takes more items to learn and can go undetected here. "
        "The probes see counts of words, tokens and their pairs, and readability; cues that depend on syntax, position "
        "or knowledge are not ruled out.",
    ),
    "INCONCLUSIVE": VerdictWords(
        "cyan",
        "inconclusive",
        "?",
        "?",
        "The data can neither show a shortcut nor rule one out: the interval extends above the threshold. This is not "
        "a pass. More items, or more independent groups of items, would settle the question.",
    ),
    "NOT ASSESSED": VerdictWords(
        "bright_black",
        "unassessed",
        "–",
        "-",
        "This audit judges benchmarks whose items share a small set of answers. It could not judge this one, for the "
        "reason above, and measured nothing. That says nothing for or against the benchmark, and it is not a pass.",
    ),
}
"""Every verdict, worst first."""


def sentence(text: str) -> str:
    """`text` with its first letter in upper case: reasons often begin with the name of a feature vector."""
    return text[:1].upper() + text[1:]
