"""What the numbers of `score`, `compare` and `analyse` are called, and the columns of contrasts between two sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Final

from hansproof.audit.notation import count, kappa, p_value, points_within
from hansproof.audit.notation import points as shares
from hansproof.audit.report.document import Cell, Column, Scale, between, drawn, filled, points

if TYPE_CHECKING:
    from hansproof.audit.models.comparison import Comparison
    from hansproof.audit.models.contrast import Contrast
    from hansproof.audit.models.difference import Difference

__all__ = [
    "AGREEMENT",
    "AMBIGUOUS",
    "AT_EQUAL_GOLD",
    "BEST_BLIND",
    "BETTER",
    "BH_P",
    "BOTH_RIGHT",
    "CHANCE",
    "CLEAR_ITEMS",
    "CLEAR_PAIRS",
    "CLEAR_POINTS",
    "COMMON_WRONG",
    "CONTRASTS",
    "CORRECTED",
    "DETECTABLE",
    "DETECTABLE_DIFFERENCE",
    "DISCRIMINATION",
    "EFFECT",
    "EFFECTIVE_ITEMS",
    "FLAGS",
    "FLIPS",
    "GROUPS",
    "GROUPS_RIGHT",
    "HOLM_P",
    "ITEM",
    "ITEMS",
    "MEAN_DIFFERENCE",
    "MISSING",
    "NOT_CLEAR",
    "ONLY",
    "PAGE",
    "PAIRS",
    "POINTS",
    "PROBE_RIGHT",
    "PROBE_WRONG",
    "RAW",
    "RELIABILITY",
    "REPLIED",
    "RIGHT",
    "RIGHT_AFTER",
    "RIGHT_BEFORE",
    "SCREEN",
    "SE",
    "SHARE_WRONG",
    "SLOPE",
    "SMALLEST_SUBSET",
    "T_P",
    "UNCLEAR",
    "WHOLE",
    "WRONG_GOLD",
    "P",
    "comparison_columns",
    "correlation",
    "detected",
    "grouped",
    "interval",
    "legend",
    "measured",
]

# Titles of columns that more than one table has. `docs/answers.md` lists those whose key in JSON and CSV is another
# word.

ITEMS: Final = "items"
GROUPS: Final = "groups"
RIGHT: Final = "right"
SE: Final = "se"
REPLIED: Final = "right of\nreplied"
CLEAR: Final = "right of\nclear"
GROUPS_RIGHT: Final = "groups right"
FLIPS: Final = "flips"
UNCLEAR: Final = "unclear"
MISSING: Final = "missing"
CHANCE: Final = "chance"
BEST_BLIND: Final = "best blind"

POINTS: Final = "points"
P: Final = "p"
HOLM_P: Final = "Holm\np"
ONLY: Final = "only one\nright"
BETTER: Final = "one does\nbetter"
CLEAR_POINTS: Final = "points where both\nreplies are clear"
CLEAR_ITEMS: Final = "clear\nitems"
CLEAR_PAIRS: Final = "clear pairs"
EFFECT: Final = "effect"
T_P: Final = "t-test\np"
PAIRS: Final = "pairs"
BOTH_RIGHT: Final = "both\nright"
DETECTABLE: Final = "detectable"
"""The smallest true difference, effect or shift that is found about 80 % of the time."""

RIGHT_BEFORE: Final = "right\nbefore"
RIGHT_AFTER: Final = "right\nafter"
BH_P: Final = "BH p"

CORRECTED: Final = "corrected\naccuracy"
PROBE_RIGHT: Final = "probe\nright"
PROBE_WRONG: Final = "probe\nwrong"
NOT_CLEAR: Final = "unclear\n+ missing"
RAW: Final = "raw"
AT_EQUAL_GOLD: Final = "at equal\ngold answer"
AGREEMENT: Final = "agreement\nin error"
MEAN_DIFFERENCE: Final = "mean\ndifference"

ITEM: Final = "item"
FLAGS: Final = "flags"
WRONG_GOLD: Final = "wrong\ngold"
AMBIGUOUS: Final = "ambiguous"
DISCRIMINATION: Final = "item-rest\nr"
SLOPE: Final = "slope"
COMMON_WRONG: Final = "common wrong"
SHARE_WRONG: Final = "Wrong golds"
RELIABILITY: Final = "Reliability"
DETECTABLE_DIFFERENCE: Final = "Detectable"
EFFECTIVE_ITEMS: Final = "Effective items"
SMALLEST_SUBSET: Final = "Smallest subset"

WHOLE: Final = {"all": "all", "clear": "both replies clear"}
"""What parts of a comparison are called that are neither subsets nor conditions."""


def grouped(comparison: Comparison) -> bool:
    """Whether some items belong together."""
    return any(part.difference.groups < part.difference.items for part in comparison.parts)


def interval(measured: Difference) -> str:
    """`+3.1 [-1.0, 7.2]`, in points; empty where it is undefined."""
    return points_within(measured.difference, measured.low, measured.high, "+")


def detected(share: float) -> str:
    """A difference that would be found, in points; no difference is larger than 100."""
    return "" if isnan(share) else "> 100" if share > 1 else f"{100 * share:.1f}"


def correlation(value: float) -> str:
    """`.47`; empty where it is undefined."""
    return "" if isnan(value) else kappa(value)


# Sentences that depend on the numbers stand in `comparison_words.notes`.

_COLUMNS: Final[tuple[Column[Contrast], ...]] = (
    Column("items", lambda each: count(each.difference.items), 8),
    Column("groups", lambda each: count(each.difference.groups), 4),
    Column("A", lambda each: shares(each.difference.a)),
    Column("B", lambda each: shares(each.difference.b)),
    Column("A - B", lambda each: interval(each.difference)),
    Column("se", lambda each: shares(each.difference.se), 0),
    Column("only A/B", lambda each: f"{count(each.difference.a_only)}/{count(each.difference.b_only)}", 5),
    Column("both right", lambda each: shares(each.difference.both_right)),
    Column("p", lambda each: p_value(each.difference.p)),
    Column("Holm\np", lambda each: "" if each.by in WHOLE else p_value(each.p_holm)),
    Column("McNemar\np", lambda each: p_value(each.difference.mcnemar_p), 3),
    Column("t-test p", lambda each: p_value(each.difference.t_p)),
    Column("equal\np", lambda each: p_value(each.equivalent_p_holm), 2),
    Column("r", lambda each: correlation(each.difference.correlation), 1),
    Column("detectable", lambda each: detected(each.difference.detectable), 7),
    Column("clear points", lambda each: "" if each.clear is None else interval(each.clear)),
    Column("clear items", lambda each: "" if each.clear is None else count(each.clear.items)),
    Column("verdict", lambda each: str(each.verdict), holds="words"),
)
CONTRASTS: Final = {column.name: column for column in _COLUMNS}
"""What a contrast shows in each column of any table, on screen and page, by its name; empty where it is undefined."""

SCREEN: Final = (
    "items", "groups", "A", "B", "A - B", "se", "only A/B", "p", "Holm p", "McNemar p", "equal p", "r", "detectable",
    "verdict",
)  # fmt: skip
"""The columns of a comparison in a terminal, from left to right, after the name of the part."""
PAGE: Final = (
    "A", "B", "only A/B", "items", "groups", "se", "p", "Holm p", "McNemar p", "equal p", "r", "detectable",
)  # fmt: skip
"""Those of all numbers on the page, where differences and verdicts stand above them, drawn."""
_OF_GROUPS: Final = ("groups", "McNemar p")
"""Columns that stand only where items share groups."""

_LEGENDS: Final = {
    "A - B": "difference in percentage points, with a 95 % interval (Tango 1998) that is robust to groups of items",
    "se": (
        "the standard error behind the interval, which allows for one group more that moves; a note has that of\n"
        "Miller (2024) where it is much smaller"
    ),
    "only A/B": ("items that only A, or only B, gets right; with several runs `A/B does better`: right more often"),
    "p": (
        "exact: could A and B change places in every group? If every item is its own group, this is McNemar's\n"
        "test. Where items share groups, McNemar p stands beside it; it takes all items for independent.\n"
        "Unequal numbers of runs are compared with equal numbers, which take turns; p is their median. Runs\n"
        "that are alike, as at temperature 0, count as one."
    ),
    "Holm p": "corrected over the subsets, or over the conditions, each by themselves",
    "equal p": "of a true difference of the margin or more",
    "r": "correlation of the two scores",
    "detectable": (
        "the smallest true difference that such a comparison finds about 80 % of the time; of subsets and\n"
        "conditions after Holm's correction (at 5 % divided by their number)"
    ),
}
"""What a column is, where its name does not say it. A line break begins a new line."""


def legend() -> str:
    """What the columns on the screen are, for a page of help: a line or more each, below one another."""
    width = max(map(len, _LEGENDS))
    return "\n".join(
        f"  {name:<{width}} " + text.replace("\n", "\n" + " " * (width + 3)) for name, text in _LEGENDS.items()
    )


def comparison_columns(names: Iterable[str], comparison: Comparison) -> list[Column[Contrast]]:
    """Those of `SCREEN` or `PAGE` that have something to say of the parts of a comparison."""
    in_groups, once = grouped(comparison), comparison.runs == (1, 1)
    columns = [CONTRASTS[name] for name in names if in_groups or name not in _OF_GROUPS]
    # The mean of several runs is not right or wrong.
    columns = [
        replace(column, title="A/B does\nbetter") if column.name == "only A/B" and not once else column
        for column in columns
    ]
    return filled(columns, comparison.parts)


def measured(title: str, every: Iterable[Contrast], *also: float) -> tuple[Scale, list[Column[Contrast]]]:
    """Difference, interval and drawing of contrasts on a page; the scale has room for all, for 0 and for `also`."""
    numbers = [end for each in every for end in (each.difference.difference, each.difference.low, each.difference.high)]
    scale = Scale.over([*numbers, *also], 0.0)

    def drawing(each: Contrast) -> Cell:
        return drawn(scale, each.difference.difference, each.difference.low, each.difference.high)

    def ends(each: Contrast) -> Cell:
        return Cell(between(each.difference.low, each.difference.high, signed=True), "nowrap")

    return scale, [
        Column(title, lambda each: points(each.difference.difference)),
        Column("95 % interval", ends),
        Column(title, drawing, holds="drawings"),
    ]
