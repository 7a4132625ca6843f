"""The words, symbols and numbers that the terminal and the page share, so that both say the same thing.

Reads values of `audit.result`; writes nothing. Kappas are written without a leading zero (`.47`), as
in the tables of the papers; a number that does not exist is the word `undefined`, never a nought.
"""

from __future__ import annotations

import math
import shlex
from typing import Final, NamedTuple

from audit.result import AuditResult, MappingUsed, VectorResult, Verdict

__all__ = [
    "DETECTABLE",
    "FOLDS",
    "UNDEFINED",
    "VERDICTS",
    "VerdictWords",
    "command",
    "count",
    "deciding",
    "interval",
    "kappa",
    "label_of",
    "mapping_roles",
    "p_value",
    "per_cent",
    "signed",
    "strength",
    "things",
    "unparted",
]

UNDEFINED: Final = "undefined"

FOLDS: Final = {"grouped": "grouped folds", "random": "random folds", "paper": "single split"}
"""The ways of splitting, for people."""

DETECTABLE: Final = (
    "the smallest Cohen's kappa that the test finds with 80 % power, given this many items and groups. It is the "
    "power of the test on the out-of-fold predictions, not of learning: a cue that takes more items than these to "
    "learn never reaches the predictions, so this number does not cover it"
)
"""What the smallest detectable kappa is, and what it is not."""


class VerdictWords(NamedTuple):
    """How one verdict looks and what it means."""

    colour: str
    """The colour of the terminal; the page keys its own colours by `key`."""
    key: str
    """A name safe in a CSS class."""
    symbol: str
    ascii: str
    """The symbol where the output knows only ASCII."""
    short: str
    """One line for the terminal."""
    meaning: str
    """Plain language for the author of the benchmark."""


VERDICTS: Final[dict[Verdict, VerdictWords]] = {
    "LEAKS": VerdictWords(
        "red",
        "leaks",
        "✗",
        "x",
        "surface cues predict the answers of items whose templates were never seen",
        "A linear model that sees nothing but word and token counts, or a few readability numbers, predicts "
        "many of the answers, even for items whose templates or pairs it was never trained on. A system can "
        "score above chance here without the ability that the benchmark is meant to test, so its scores "
        "cannot be read as that ability until the cues below are removed or balanced.",
    ),
    "TEMPLATE-BOUND": VerdictWords(
        "yellow",
        "template",
        "◆",
        "#",
        "answers are predictable only from items made by the same template",
        "The answers can be predicted only while items of the same template, story or pair stand on both "
        "sides of the split. Kept together, the surface says little. A model that saw some items of a "
        "template, in training or in the prompt, can answer its siblings by recognising them: split by "
        "group, never publish part of a template as training data, and vary the answers within templates.",
    ),
    "IMBALANCED": VerdictWords(
        "magenta",
        "imbalanced",
        "▲",
        "^",
        "always giving the commonest answer is all there is to gain",
        "One answer is so common that always giving it looks like skill when chance is taken to be one in "
        "k labels. The words of the prompts add nothing to that. Balance the answers, or report a measure "
        "that corrects for their shares (Cohen's kappa, balanced accuracy).",
    ),
    "CLEAN": VerdictWords(
        "green",
        "clean",
        "✓",
        "+",
        "no probe of this kind, trained on this many items, comes near the threshold",
        "No probe predicts the answers to the extent looked for, and the intervals are narrow enough to rule "
        "that out for probes like these, trained on this many items; a weak association may remain, as the numbers "
        "below show. A cue spread over hundreds of rare words needs more items to be learnt, and may stand here "
        "unseen. The probes see counts of words, tokens and their pairs, and readability: cues that need syntax, "
        "position or knowledge are not ruled out.",
    ),
    "INCONCLUSIVE": VerdictWords(
        "cyan",
        "inconclusive",
        "?",
        "?",
        "too few items to tell; this is not a pass",
        "The data can neither show a shortcut nor rule one out: the interval reaches over the threshold. "
        "This is not a pass. More items, or more independent groups of items, would settle it.",
    ),
    "NOT ASSESSED": VerdictWords(
        "bright_black",
        "unassessed",
        "–",
        "-",
        "not a kind of benchmark that this audit can judge; this is not a pass",
        "This audit judges benchmarks whose items share one small set of answers. This one could not be "
        "judged, for the reason above, and nothing was measured. That says nothing for or against it, and it is "
        "not a pass.",
    ),
}
"""Every verdict, worst first."""

_STRENGTHS: Final = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))


def strength(value: float | None) -> str:
    """The word for a kappa after Landis & Koch (1977); at most 0 is `nothing beyond chance`, None `undefined`."""
    if value is None or math.isnan(value):
        return UNDEFINED
    if value <= 0:
        return "nothing beyond chance"
    return next((word for limit, word in _STRENGTHS if value <= limit), "almost perfect")


def kappa(value: float | None, digits: int = 2) -> str:
    """`.47`, `-.03`, `1.00`; `undefined` for None and NaN; a rounded zero has no sign."""
    if value is None or math.isnan(value):
        return UNDEFINED
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def signed(value: float | None, digits: int = 2) -> str:
    """A difference or a coefficient with its sign: `+1.52`, `-.03`, `.00`."""
    text = kappa(value, digits)
    return f"+{text}" if value is not None and value > 0 and float(text) != 0 else text


def interval(low: float | None, high: float | None) -> str:
    """`[.41, .53]`; empty where there is no interval, because a point without one is shown alone."""
    return "" if low is None or high is None else f"[{kappa(low)}, {kappa(high)}]"


def p_value(value: float | None) -> str:
    """`.012`; below one in a thousand `<.001`; empty where no test was made."""
    if value is None or math.isnan(value):
        return ""
    return "<.001" if value < 0.001 else kappa(value, 3)


def per_cent(value: float | None) -> str:
    """A share as `62.5 %`; `undefined` for None and NaN."""
    return UNDEFINED if value is None or math.isnan(value) else f"{100 * value:.1f} %"


def count(number: int) -> str:
    """`1,600`."""
    return f"{number:,}"


def things(number: int, one: str, many: str | None = None) -> str:
    """`1 group`, `293 groups`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def deciding(result: AuditResult) -> VectorResult | None:
    """The vector that the verdict is about, under the first scheme; None where nothing was run."""
    every = result.schemes[0].vectors if result.schemes else []
    return next((one for one in every if one.vector == result.vector), None)


def unparted(result: AuditResult) -> bool:
    """True where no two items belong together, so that random folds are the grouped ones over again."""
    grouped, random = result.scheme("grouped"), result.scheme("random")
    return result.gap is None and grouped is not None and random is not None and grouped.vectors == random.vectors


def label_of(result: AuditResult, vector: str) -> str:
    """The name for people of a vector's stable name; the stable name itself where it was not run."""
    every = (one for scheme in result.schemes for one in scheme.vectors)
    return next((one.label for one in every if one.vector == vector), vector)


def mapping_roles(mapping: MappingUsed) -> list[tuple[str, str, bool]]:
    """(role, column, was it guessed) for each role that has a column."""
    columns = {
        "prompt": mapping.prompt,
        "answer": mapping.answer,
        "group": mapping.group,
        "split": mapping.split,
        "id": mapping.id,
    }
    return [(role, column, role in mapping.guessed) for role, column in columns.items() if column]


def command(result: AuditResult) -> str:
    """The command line that repeats this audit, quoted for a POSIX shell."""
    mapping, settings = result.mapping, result.settings
    words = ["hansproof", "audit", result.source]
    if mapping.prompt:
        words += ["--template" if "{" in mapping.prompt else "--prompt", mapping.prompt]
    if mapping.answer:
        words += ["--answer", mapping.answer]
    if mapping.group and settings.groups not in ("found", "none"):
        words += ["--group", mapping.group]
    if settings.split:
        words += ["--split", settings.split]
    if mapping.id and "id" not in mapping.guessed:
        words += ["--id", mapping.id]
    if settings.groups in ("found", "none"):
        words += ["--groups", settings.groups]
    words += ["--protocol", settings.protocol, "--seed", str(settings.seed)]
    if settings.protocol == "grouped":
        for option in ("folds", "permutations", "bootstrap"):
            words += [f"--{option}", str(getattr(settings, option))]
    words += ["--threshold", str(settings.threshold), "--alpha", str(settings.alpha)]
    if settings.solver != "compiled":
        words += ["--solver", settings.solver]
    if settings.task != "auto":
        words += ["--task", settings.task]
    if settings.max_left_out != 0.1:
        words += ["--max-left-out", str(settings.max_left_out)]
    flags = {"--upstream-counts": settings.upstream_counts, "--trees": settings.trees, "--grades": settings.grades}
    words += [flag for flag, on in flags.items() if on]
    return shlex.join(words)
