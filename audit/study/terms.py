"""What the numbers of `score`, `compare` and `analyse` are called: one term each on screen and page, in help and docs,
and the keys under which JSON and CSV have them.

A new column of a table that both screen and page have is one `Term` here. `docs/answers.md` lists those whose key is
another word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = [
    "AGREEMENT",
    "AT_EQUAL_GOLD",
    "AT_EQUAL_SUCCESS",
    "AT_EQUAL_SUCCESS_AND_GOLD",
    "BEST_BLIND",
    "BETTER",
    "BEYOND",
    "BH_P",
    "BOTH_RIGHT",
    "CHANCE",
    "CLEAR_ITEMS",
    "CLEAR_PAIRS",
    "CLEAR_POINTS",
    "CORRECTED",
    "DETECTABLE",
    "EFFECT",
    "FLIPS",
    "FROM_PAIRS",
    "GROUPS",
    "GROUPS_RIGHT",
    "HOLM_P",
    "ITEMS",
    "JOINT_BH_P",
    "LOG_ODDS",
    "MEAN_DIFFERENCE",
    "MISSING",
    "NOT_CLEAR",
    "ONLY",
    "PAIRS",
    "POINTS",
    "PROBE_RIGHT",
    "PROBE_WRONG",
    "RAW",
    "REPLIED",
    "RIGHT",
    "RIGHT_AFTER",
    "RIGHT_BEFORE",
    "SD_OF_ITEMS",
    "SE",
    "SHARED_ITEMS",
    "T_P",
    "UNCLEAR",
    "WITH_DIFFICULTY",
    "P",
    "Term",
    "headed",
]  # fmt: skip

_SYMBOLS: Final = frozenset(("se", "sd", "p", "r", "t", "z", "n12", "n21", "t-test"))
"""First words that stay small, since they are symbols."""


@dataclass(frozen=True)
class Term:
    """One number that tables show."""

    name: str
    """What screen, page, help and docs call it."""
    keys: tuple[str, ...] = ()
    """What JSON and CSV call it, where that is another word."""
    breaks: str = ""
    """The name with the line break that a heading of the screen has; empty where it takes one line."""

    @property
    def screen(self) -> str:
        """The heading in a terminal."""
        return self.breaks or self.name

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
REPLIED: Final = Term("right of replied", ("accuracy_replied", "replied", "share_replied"), "right of\nreplied")
GROUPS_RIGHT: Final = Term("groups right", ("pair_accuracy", "matched"))
FLIPS: Final = Term("flips", ("flip_rate",))
UNCLEAR: Final = Term("unclear")
MISSING: Final = Term("missing")
CHANCE: Final = Term("chance")
BEST_BLIND: Final = Term("best blind", ("blind",))

POINTS: Final = Term("points", ("difference", "shift"))
P: Final = Term("p")
HOLM_P: Final = Term("Holm p", ("p_holm",), "Holm\np")
ONLY: Final = Term(
    "only one right",
    ("first_better", "second_better", "original_only", "perturbed_only", "a_only", "b_only"),
    "only one\nright",
)
BETTER: Final = Term("one does better", ("first_better", "second_better"), "one does\nbetter")
CLEAR_POINTS: Final = Term(
    "points where both replies are clear", ("clear_difference", "clear_effect"), "points where both\nreplies are clear"
)
CLEAR_ITEMS: Final = Term("clear items", (), "clear\nitems")
CLEAR_PAIRS: Final = Term("clear pairs")
EFFECT: Final = Term("effect")
T_P: Final = Term("t-test p", ("t_p",), "t-test\np")
PAIRS: Final = Term("pairs")
BOTH_RIGHT: Final = Term("both right", (), "both\nright")
DETECTABLE: Final = Term("detectable", ("shift_found",))
"""The smallest true difference, effect or shift that is found about 80 % of the time."""

RIGHT_BEFORE: Final = Term("right before", (), "right\nbefore")
RIGHT_AFTER: Final = Term("right after", (), "right\nafter")
BH_P: Final = Term("BH p", ("p_bh_all", "p_bh"))

CORRECTED: Final = Term("corrected accuracy", (), "corrected\naccuracy")
PROBE_RIGHT: Final = Term("probe right", ("on_right",), "probe\nright")
PROBE_WRONG: Final = Term("probe wrong", ("on_wrong",), "probe\nwrong")
NOT_CLEAR: Final = Term("unclear + missing", (), "unclear\n+ missing")
RAW: Final = Term("raw")
AT_EQUAL_GOLD: Final = Term("at equal gold answer", ("equal_gold",), "at equal\ngold answer")
SHARED_ITEMS: Final = Term("shared items", (), "shared\nitems")
AT_EQUAL_SUCCESS: Final = Term("at equal success", ("equal_others",), "at equal\nsuccess")
AT_EQUAL_SUCCESS_AND_GOLD: Final = Term(
    "at equal success and gold answer", ("equal_gold_others",), "at equal success\nand gold answer"
)
BEYOND: Final = Term("beyond difficulty", ("beyond",), "beyond\ndifficulty")
AGREEMENT: Final = Term("agreement in error", ("errors",), "agreement\nin error")
MEAN_DIFFERENCE: Final = Term("mean difference", ("mean",), "mean\ndifference")
JOINT_BH_P: Final = Term("joint BH p", ("joint_bh",), "joint\nBH p")
FROM_PAIRS: Final = Term("from pairs", ("beyond_pairs",))
LOG_ODDS: Final = Term("log odds", ("log_odds",))
WITH_DIFFICULTY: Final = Term("with difficulty", ("with_difficulty",), "with\ndifficulty")
SD_OF_ITEMS: Final = Term("sd of items", ("item_sd",), "sd of\nitems")
