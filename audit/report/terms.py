"""What the numbers of `score`, `compare` and `analyse` are called, and the columns of a comparison."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Final

from hansproof.audit.notation import count, kappa, p_value, points, points_within

if TYPE_CHECKING:
    from hansproof.audit.models.comparison import Comparison
    from hansproof.audit.models.contrast import Contrast
    from hansproof.audit.models.difference import Difference

__all__ = [
    "AGREEMENT",
    "AT_EQUAL_GOLD",
    "BEST_BLIND",
    "BETTER",
    "BH_P",
    "BOTH_RIGHT",
    "CELLS",
    "CHANCE",
    "CLEAR_ITEMS",
    "CLEAR_PAIRS",
    "CLEAR_POINTS",
    "CORRECTED",
    "DETECTABLE",
    "EFFECT",
    "FLIPS",
    "GROUPS",
    "GROUPS_RIGHT",
    "HOLM_P",
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
    "REPLIED",
    "RIGHT",
    "RIGHT_AFTER",
    "RIGHT_BEFORE",
    "SCREEN",
    "SE",
    "T_P",
    "UNCLEAR",
    "WHOLE",
    "P",
    "correlation",
    "detected",
    "grouped",
    "interval",
    "legend",
]

# A new column of a table that both screen and page have is one `Term` here. `docs/answers.md` lists those whose key is
# another word.

_SYMBOLS: Final = frozenset(("se", "sd", "p", "r", "t", "z", "n12", "n21", "t-test"))
"""First words that stay small, since they are symbols."""


@dataclass(frozen=True)
class Term:
    """One number that tables show."""

    screen: str
    """The heading in a terminal, which may break in two lines."""
    keys: tuple[str, ...] = ()
    """What JSON and CSV call it, where that is another word."""

    @property
    def name(self) -> str:
        """What screen, page, help and docs call it."""
        return self.screen.replace("\n", " ")

    @property
    def page(self) -> str:
        """The heading on the page."""
        return headed(self.name)


def headed(name: str) -> str:
    """`name` as a heading of the page: with a capital, unless it begins with a symbol."""
    return name if name.split(" ")[0] in _SYMBOLS else name[:1].upper() + name[1:]


ITEMS: Final = Term("items")
GROUPS: Final = Term("groups")
RIGHT: Final = Term("right", ("accuracy", "share"))
SE: Final = Term("se")
REPLIED: Final = Term("right of\nreplied", ("accuracy_replied", "replied", "share_replied"))
CLEAR: Final = Term("right of\nclear", ("accuracy_clear",))
GROUPS_RIGHT: Final = Term("groups right", ("pair_accuracy", "matched"))
FLIPS: Final = Term("flips", ("flip_rate",))
UNCLEAR: Final = Term("unclear")
MISSING: Final = Term("missing")
CHANCE: Final = Term("chance")
BEST_BLIND: Final = Term("best blind", ("blind",))

POINTS: Final = Term("points", ("difference", "shift"))
P: Final = Term("p")
HOLM_P: Final = Term("Holm\np", ("p_holm",))
ONLY: Final = Term(
    "only one\nright", ("first_better", "second_better", "original_only", "perturbed_only", "a_only", "b_only")
)
BETTER: Final = Term("one does\nbetter", ("first_better", "second_better"))
CLEAR_POINTS: Final = Term("points where both\nreplies are clear", ("clear_difference", "clear_effect"))
CLEAR_ITEMS: Final = Term("clear\nitems")
CLEAR_PAIRS: Final = Term("clear pairs")
EFFECT: Final = Term("effect")
T_P: Final = Term("t-test\np", ("t_p",))
PAIRS: Final = Term("pairs")
BOTH_RIGHT: Final = Term("both\nright")
DETECTABLE: Final = Term("detectable", ("shift_found",))
"""The smallest true difference, effect or shift that is found about 80 % of the time."""

RIGHT_BEFORE: Final = Term("right\nbefore")
RIGHT_AFTER: Final = Term("right\nafter")
BH_P: Final = Term("BH p", ("p_bh_all", "p_bh"))

CORRECTED: Final = Term("corrected\naccuracy")
PROBE_RIGHT: Final = Term("probe\nright", ("on_right",))
PROBE_WRONG: Final = Term("probe\nwrong", ("on_wrong",))
NOT_CLEAR: Final = Term("unclear\n+ missing")
RAW: Final = Term("raw")
AT_EQUAL_GOLD: Final = Term("at equal\ngold answer", ("equal_gold",))
AGREEMENT: Final = Term("agreement\nin error", ("errors",))
MEAN_DIFFERENCE: Final = Term("mean\ndifference", ("mean",))

# A new column is one `ComparisonColumn` and its place in `SCREEN` and `PAGE`. Sentences that depend on the numbers
# stand in `comparison_words.notes`.


@dataclass(frozen=True)
class ComparisonColumn:
    """One column of the table with a row per part."""

    screen: str
    """The heading in a terminal, which may break in two lines."""
    legend: str = ""
    """What it is, in the help of the command; empty where the name says it. A line break begins a new line."""
    of_runs: Term | None = None
    """What it is called where a side is the mean of several runs, and not right or wrong."""
    goes: int | None = None
    """A terminal that is too narrow leaves out the lowest first; None stays."""
    in_groups: bool = False
    """Shown only where items share groups."""
    words: bool = False
    """Words, which begin at the left."""

    @property
    def name(self) -> str:
        """What the help calls it, and `CELLS`."""
        return self.screen.replace("\n", " ")

    def term(self, comparison: Comparison) -> Term:
        """What screen and page call it."""
        return self.of_runs if self.of_runs and comparison.runs != (1, 1) else Term(self.screen)


WHOLE: Final = {"all": "all", "clear": "both replies clear"}
"""What parts are called that are neither subsets nor conditions."""


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


CELLS: Final[dict[str, Callable[[Contrast], str]]] = {
    "items": lambda each: count(each.difference.items),
    "groups": lambda each: count(each.difference.groups),
    "A": lambda each: points(each.difference.a),
    "B": lambda each: points(each.difference.b),
    "A - B": lambda each: interval(each.difference),
    "se": lambda each: points(each.difference.se),
    "only A/B": lambda each: f"{count(each.difference.a_only)}/{count(each.difference.b_only)}",
    "both right": lambda each: points(each.difference.both_right),
    "p": lambda each: p_value(each.difference.p),
    "Holm p": lambda each: "" if each.by in WHOLE else p_value(each.p_holm),
    "McNemar p": lambda each: p_value(each.difference.mcnemar_p),
    "t-test p": lambda each: p_value(each.difference.t_p),
    "equal p": lambda each: p_value(each.equivalent_p_holm),
    "r": lambda each: correlation(each.difference.correlation),
    "detectable": lambda each: detected(each.difference.detectable),
    "clear points": lambda each: "" if each.clear is None else interval(each.clear),
    "clear items": lambda each: "" if each.clear is None else count(each.clear.items),
    "verdict": lambda each: str(each.verdict),
}
"""What a contrast shows in each column of any table, on screen and page; empty where it is undefined."""

_ITEMS: Final = ComparisonColumn("items", goes=8)
_GROUPS: Final = ComparisonColumn("groups", goes=4, in_groups=True)
_A: Final = ComparisonColumn("A")
_B: Final = ComparisonColumn("B")
_LESS: Final = ComparisonColumn(
    "A - B", "difference in percentage points, with a 95 % interval (Tango 1998) that is robust to groups of items"
)
_SE: Final = ComparisonColumn(
    "se",
    "the standard error behind the interval, which allows for one group more that moves; a note has that of\n"
    "Miller (2024) where it is much smaller",
    goes=0,
)
_ONLY: Final = ComparisonColumn(
    "only A/B",
    "items that only A, or only B, gets right; with several runs `A/B does better`: right more often",
    of_runs=Term("A/B does\nbetter"),
    goes=5,
)
_P: Final = ComparisonColumn(
    "p",
    "exact: could A and B change places in every group? If every item is its own group, this is McNemar's\n"
    "test. Where items share groups, McNemar p stands beside it; it takes all items for independent.\n"
    "Unequal numbers of runs are compared with equal numbers, which take turns; p is their median. Runs\n"
    "that are alike, as at temperature 0, count as one.",
)
_HOLM: Final = ComparisonColumn("Holm\np", "corrected over the subsets, or over the conditions, each by themselves")
_MCNEMAR: Final = ComparisonColumn("McNemar\np", goes=3, in_groups=True)
_EQUAL: Final = ComparisonColumn("equal\np", "of a true difference of the margin or more", goes=2)
_R: Final = ComparisonColumn("r", "correlation of the two scores", goes=1)
_DETECTABLE: Final = ComparisonColumn(
    DETECTABLE.name,
    "the smallest true difference that such a comparison finds about 80 % of the time; of subsets and\n"
    "conditions after Holm's correction (at 5 % divided by their number)",
    goes=7,
)
_VERDICT: Final = ComparisonColumn("verdict", words=True)

SCREEN: Final = (
    _ITEMS, _GROUPS, _A, _B, _LESS, _SE, _ONLY, _P, _HOLM, _MCNEMAR, _EQUAL, _R, _DETECTABLE, _VERDICT,
)  # fmt: skip
"""The columns in a terminal, from left to right, after the name of the part."""
PAGE: Final = (_A, _B, _ONLY, _ITEMS, _GROUPS, _SE, _P, _HOLM, _MCNEMAR, _EQUAL, _R, _DETECTABLE)
"""Those of all numbers on the page, where differences and verdicts stand above them, drawn."""


def legend() -> str:
    """What the columns on the screen are, for a page of help: a line or more each, below one another."""
    said = [column for column in SCREEN if column.legend]
    width = max(len(column.name) for column in said)
    return "\n".join(
        f"  {column.name:<{width}} " + column.legend.replace("\n", "\n" + " " * (width + 3)) for column in said
    )
